import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { maxBodyMs, withWholeBody } from "~/http/whole-body.server";
import { isRejection } from "~/platform/rejection";
import { holdBack } from "../../support/held-back";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function post(body: BodyInit | null): Request {
  // Node wants to hear that nobody answers before the body is there.
  return new Request("https://fivefold.example/", {
    method: "POST",
    body,
    duplex: "half",
  } as RequestInit);
}

/** The text of a body once it is whole, or the status with which it is refused. */
async function textOf(request: Request, maxBytes?: number): Promise<string | number> {
  const whole = await withWholeBody(request, maxBytes);
  return isRejection(whole) ? whole.status : whole.text();
}

/** A body in these pieces; one that is an error breaks off there. */
function inPieces(pieces: (string | Error)[]): ReadableStream<Uint8Array> {
  const left = pieces.values();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = left.next();
      if (done) controller.close();
      else if (value instanceof Error) controller.error(value);
      else controller.enqueue(new TextEncoder().encode(value));
    },
  });
}

test("a body is handed on as it came, with its request's method and headers", async () => {
  const request = post(inPieces(["a=ä", "", "&b=", "2"]));
  request.headers.set("Content-Type", "application/x-www-form-urlencoded");
  const whole = (await withWholeBody(request)) as Request;
  expect([whole.method, whole.url]).toEqual(["POST", request.url]);
  expect(Object.fromEntries(await whole.formData())).toEqual({ a: "ä", b: "2" });
});

test("a request without a body is the same one", async () => {
  const request = post(null);
  expect(await withWholeBody(request)).toBe(request);
});

test("what comes too late is refused if the rest never comes", async () => {
  const held = holdBack("a=1", () => new Promise(() => undefined));
  const answer = textOf(post(held.body));
  await vi.advanceTimersByTimeAsync(maxBodyMs - 1);
  expect(held.wasCancelled()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await answer).toBe(408);
  expect(held.wasCancelled()).toBe(true);
});

test("what comes too late is refused if it comes bit by bit, and each of them soon", async () => {
  const slow = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      controller.enqueue(new Uint8Array(1));
    },
  });
  const answer = textOf(post(slow));
  await vi.advanceTimersByTimeAsync(maxBodyMs);
  expect(await answer).toBe(408);
});

test("what comes late is refused, but not if it comes at the last moment", async () => {
  const held = holdBack("a=1", () => new Promise((end) => setTimeout(end, maxBodyMs - 1)));
  const answer = textOf(post(held.body));
  await vi.advanceTimersByTimeAsync(maxBodyMs - 1);
  expect(await answer).toBe("a=1");
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["as large as allowed", 10, ["12345", "67890"], "1234567890"],
  ["larger by a byte", 10, ["12345", "678901"], 413],
  ["in 64 pieces", 100, Array(64).fill("x"), "x".repeat(64)],
  ["in more", 100, Array(65).fill("x"), 413],
  ["of 16 KB, where nothing else is allowed", undefined, ["x".repeat(16_384)], "x".repeat(16_384)],
  ["larger than that", undefined, ["x".repeat(16_385)], 413],
  ["that breaks off", 10, ["12345", new Error("connection lost")], 400],
])("a body %s", async (_name, maxBytes, pieces, expected) => {
  expect(await textOf(post(inPieces(pieces)), maxBytes)).toBe(expected);
  expect(vi.getTimerCount()).toBe(0);
});
