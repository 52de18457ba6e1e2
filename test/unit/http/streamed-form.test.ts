import { expect, test, vi } from "vitest";
import { maxRestMs, maxStreamMs, readRest, streamedForm } from "~/http/streamed-form.server";
import { isRejection } from "~/platform/rejection";

const head = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n';

function formOf(pull: (controller: ReadableByteStreamController) => void | Promise<void>): Request {
  const body = new ReadableStream({ type: "bytes", pull });
  const headers = { "Content-Type": "multipart/form-data; boundary=b" };
  return new Request("https://a.example", {
    method: "POST",
    headers,
    body,
    duplex: "half",
  } as RequestInit);
}

/** The rejection that ends the form. */
async function ending(request: Request, maxBytes = 1_000_000) {
  let last: unknown;
  for await (const piece of streamedForm(request, maxBytes)) last = piece;
  return isRejection(last) ? last.status : last;
}

test("a form that stalls, or takes too long as a whole, ends in a 408", async () => {
  vi.useFakeTimers();
  try {
    const stalled = ending(formOf(() => new Promise(() => undefined)));
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await stalled).toBe(408);
    const slow = ending(
      formOf(async (controller) => {
        await new Promise((resolve) => setTimeout(resolve, 50_000));
        controller.enqueue(new TextEncoder().encode(head));
      }),
    );
    await vi.advanceTimersByTimeAsync(maxStreamMs + 60_000);
    expect(await slow).toBe(408);
  } finally {
    vi.useRealTimers();
  }
});

test("a form that is too long, or comes byte by byte, ends in a 413", async () => {
  const flood = (size: number) => formOf((controller) => controller.enqueue(new Uint8Array(size)));
  expect(await ending(flood(100_000))).toBe(413);
  expect(await ending(flood(1))).toBe(413);
});

test("a form that breaks off ends in a 400", async () => {
  expect(await ending(formOf((controller) => controller.error(new Error("gone"))))).toBe(400);
  expect(
    await ending(
      formOf((controller) => {
        controller.close();
        controller.byobRequest?.respond(0);
      }),
    ),
  ).toBe(400);
});

test("what is left of a form that nobody goes on with is read into one piece of memory, and thrown away", async () => {
  let left = 200;
  const rooms = new Set<number>();
  const request = formOf((controller) => {
    const view = controller.byobRequest?.view;
    if (!view) throw new Error("no room");
    rooms.add(view.buffer.byteLength);
    if (left === 200) new TextEncoder().encodeInto(head, new Uint8Array(view.buffer));
    left -= 1;
    controller.byobRequest?.respond(view.byteLength);
    if (left === 0) controller.close();
  });
  for await (const _piece of streamedForm(request, 100_000_000)) break;
  const before = left;
  await readRest(request);
  expect([before > 100, left, [...rooms]]).toEqual([true, 0, [65_536]]);
});

test("half a minute of what is left is read, and nothing of a line that has stalled", async () => {
  vi.useFakeTimers();
  try {
    let pulls = 0;
    const slow = formOf(async (controller) => {
      pulls += 1;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      controller.enqueue(new TextEncoder().encode("x"));
    });
    const rest = readRest(slow);
    await vi.advanceTimersByTimeAsync(maxRestMs + 1000);
    await rest;
    expect(pulls).toBeLessThanOrEqual(maxRestMs / 1000 + 1);
    const stalled = formOf(() => new Promise(() => undefined));
    const ended = ending(stalled);
    await vi.advanceTimersByTimeAsync(61_000);
    await ended;
    // No time passes any more.
    await readRest(stalled);
  } finally {
    vi.useRealTimers();
  }
});
