import { expect, test } from "vitest";
import { postForm } from "~/components/form/post-form";

/** A server that answers as given, and the requests it received. */
function serverThat(answer: () => Response) {
  const requests: Request[] = [];
  const bounded: boolean[] = [];
  const fetch: typeof globalThis.fetch = async (path, init) => {
    bounded.push(init?.signal instanceof AbortSignal);
    requests.push(new Request(new URL(String(path), "https://fivefold.test"), init));
    return answer();
  };
  return { fetch, requests, bounded };
}

test("posts fields as a form, asks for JSON and limits the time", async () => {
  const { fetch, requests, bounded } = serverThat(() => Response.json({ url: "/next" }));
  const answer = await postForm("/some/action", { score: "4", note: "a b&c" }, { fetch });
  expect(answer).toEqual({ ok: true, status: 200, data: { url: "/next" }, error: null });
  const [request] = requests;
  expect(request?.method).toBe("POST");
  expect(new URL(request?.url ?? "").pathname).toBe("/some/action");
  expect(request?.headers.get("Accept")).toBe("application/json");
  expect(request?.headers.get("Content-Type")).toMatch(/^application\/x-www-form-urlencoded/);
  expect(await request?.text()).toBe("score=4&note=a+b%26c");
  expect(bounded).toEqual([true]);
});

test("posts a form without fields", async () => {
  const { fetch, requests } = serverThat(() => Response.json({ ok: true }));
  await postForm("/some/action", undefined, { fetch });
  expect(await requests[0]?.text()).toBe("");
});

test("gives up on a server that takes too long", async () => {
  const fetch: typeof globalThis.fetch = (_path, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  const answer = await postForm("/some/action", {}, { fetch, timeoutMs: 5 });
  expect(answer).toEqual({ ok: false, status: 0, data: {}, error: null });
});

test("a server that cannot be reached is an answer with status 0", async () => {
  const { fetch } = serverThat(() => {
    throw new TypeError("fetch failed");
  });
  const answer = await postForm("/some/action", {}, { fetch });
  expect(answer).toEqual({ ok: false, status: 0, data: {}, error: null });
});

test("a mistake of ours is no server that cannot be reached", async () => {
  const { fetch } = serverThat(() => Response.json({}));
  const mistaken = [["a name without a value"]] as unknown as [string, string][];
  await expect(postForm("/some/action", mistaken, { fetch })).rejects.toThrow(TypeError);
});

test.each<[string, () => Response, { status: number; error: string | null; data: object }]>([
  [
    "with a message and more",
    () => Response.json({ error: "Too early.", secondsLeft: 7 }, { status: 409 }),
    { status: 409, error: "Too early.", data: { error: "Too early.", secondsLeft: 7 } },
  ],
  [
    "with an empty message",
    () => Response.json({ error: "" }, { status: 409 }),
    { status: 409, error: null, data: { error: "" } },
  ],
  [
    "with a message that is no text",
    () => Response.json({ error: { code: 1 } }, { status: 500 }),
    { status: 500, error: null, data: { error: { code: 1 } } },
  ],
  [
    "with a page",
    () => new Response("<!doctype html>", { status: 502 }),
    { status: 502, error: null, data: {} },
  ],
])("a refusal %s", async (_name, respond, expected) => {
  const { fetch } = serverThat(respond);
  expect(await postForm("/some/action", {}, { fetch })).toEqual({ ok: false, ...expected });
});

test.each([
  ["a page", () => new Response("<!doctype html>")],
  ["nothing", () => new Response(null, { status: 204 })],
  ["null", () => Response.json(null)],
  ["a number", () => Response.json(4)],
])("a success that brings %s has no data", async (_name, respond) => {
  const { fetch } = serverThat(respond);
  const { ok, data, error } = await postForm("/some/action", {}, { fetch });
  expect({ ok, data, error }).toEqual({ ok: true, data: {}, error: null });
});
