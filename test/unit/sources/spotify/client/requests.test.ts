import { describe, expect, test } from "vitest";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import { fakeService, outcome, type SentRequest } from "./support.ts";

const path = "/v1/me";
const limited = (retryAfter?: string) =>
  new Response(null, { status: 429, headers: retryAfter ? { "Retry-After": retryAfter } : {} });
/** Answers each request with its number. */
const counting = (_request: SentRequest, count: number) => Response.json(count);

describe("a request", () => {
  test("carries the token, the query and the body", async () => {
    const { client, clock, sent } = fakeService(counting);
    const call = client();
    void call({ path: "/v1/search", query: { q: "Søren & 100%", type: "track" } });
    void call({ method: "PUT", path: "/v1/me/player/play", body: { uris: ["a"] } });
    void call({ method: "PUT", path: "/v1/me/player/pause" });
    await clock.advance();
    expect(sent.map(({ method, url, headers, body }) => [method, url, [...headers], body])).toEqual(
      [
        [
          "GET",
          "/v1/search?q=S%C3%B8ren+%26+100%25&type=track",
          [["authorization", "Bearer first"]],
          null,
        ],
        [
          "PUT",
          "/v1/me/player/play",
          [
            ["authorization", "Bearer first"],
            ["content-type", "application/json"],
          ],
          '{"uris":["a"]}',
        ],
        ["PUT", "/v1/me/player/pause", [["authorization", "Bearer first"]], null],
      ],
    );
  });

  test.each([
    { name: "JSON", answer: () => Response.json({ id: 7 }), result: { id: 7 } },
    { name: "no body", answer: () => new Response(null, { status: 204 }), result: null },
    { name: "text", answer: () => new Response("fine", { status: 202 }), result: undefined },
  ])("answered with $name returns $result", async ({ answer, result }) => {
    expect(await fakeService(answer).client()({ path })).toEqual(result);
  });

  test.each([
    { name: "an error object", body: '{"error":{"status":403,"message":"No"}}', text: "No" },
    { name: "plain text", body: "User not registered", text: "User not registered" },
    { name: "a very long page", body: `\n${"x".repeat(500)}`, text: "x".repeat(200) },
    { name: "another object", body: '{"error":"odd"}', text: '{"error":"odd"}' },
    { name: "null", body: "null", text: "null" },
    { name: "nothing", body: "", text: "Forbidden" },
  ])("refused with $name throws its text", async ({ body, text }) => {
    const answer = () => new Response(body, { status: 403, statusText: "Forbidden" });
    const error = await outcome(fakeService(answer).client()({ path }));
    expect(error).toBeInstanceOf(SpotifyError);
    expect(error).toMatchObject({
      message: `HTTP 403: ${text}`,
      status: 403,
      reason: null,
      retryAfterSeconds: null,
    });
  });

  test("refused by the player API throws its reason", async () => {
    const error = { message: "No device", reason: "NO_ACTIVE_DEVICE" };
    const { client } = fakeService(() => Response.json({ error }, { status: 404 }));
    expect(await outcome(client()({ path }))).toMatchObject({ reason: "NO_ACTIVE_DEVICE" });
  });

  test.each([
    { name: "a broken connection", answer: () => Promise.reject(new TypeError("fetch failed")) },
    {
      name: "an incomplete body",
      answer: () => new Response(new ReadableStream({ pull: (body) => body.error(new Error()) })),
    },
  ])("that ends in $name throws status 0", async ({ answer }) => {
    const error = await outcome(fakeService(answer).client()({ path }));
    expect(error).toMatchObject({ name: "SpotifyError", status: 0, outage: true });
  });

  test("that is not answered in time throws status 0", async () => {
    const silent = (_url: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    const call = fakeService(counting).client({ fetch: silent, timeoutMs: 1 });
    expect(await outcome(call({ path }))).toMatchObject({ name: "SpotifyError", status: 0 });
  });
});

describe("a token that Spotify refuses", () => {
  test("is replaced once", async () => {
    const { client, clock, sent, tokenRequests } = fakeService(({ headers }) =>
      headers.get("Authorization") === "Bearer second"
        ? Response.json("in")
        : new Response(null, { status: 401 }),
    );
    const answer = client()({ path });
    await clock.advance();
    expect(await answer).toBe("in");
    expect(tokenRequests).toEqual([false, true]);
    expect(sent).toHaveLength(2);
  });

  test("is an error when the next one is refused too", async () => {
    const { client, clock, sent } = fakeService(() => new Response("Expired", { status: 401 }));
    const answer = outcome(client()({ path }));
    await clock.advance();
    expect(await answer).toMatchObject({ message: "HTTP 401: Expired" });
    expect(sent).toHaveLength(2);
  });

  test("is not asked for again after waiting out a limit", async () => {
    const { client, clock, tokenRequests } = fakeService((_request, count) =>
      count === 1
        ? new Response(null, { status: 401 })
        : count === 2
          ? limited("1")
          : Response.json(1),
    );
    const answer = client()({ path });
    await clock.advance();
    expect(await answer).toBe(1);
    expect(tokenRequests).toEqual([false, true]);
  });
});

describe("a limit (429)", () => {
  test.each([
    { header: "2", ms: 2000 },
    { header: undefined, ms: 5000 },
    { header: "0", ms: 5000 },
    { header: "-3", ms: 5000 },
    { header: "0.001", ms: 5000 },
    { header: "soon", ms: 5000 },
    { header: "Wed, 21 Oct 2026 07:28:00 GMT", ms: 5000 },
  ])("with Retry-After $header is waited out for $ms ms", async ({ header, ms }) => {
    const { client, clock, sent } = fakeService((_request, count) =>
      count === 1 ? limited(header) : Response.json("at last"),
    );
    const answer = client()({ path });
    await clock.advance();
    expect(await answer).toBe("at last");
    expect(sent.map(({ at }) => at)).toEqual([0, ms]);
  });

  test("holds back all requests with the same state, other clients' included", async () => {
    const { client, clock, sent } = fakeService((_request, count) =>
      count === 1 ? limited("3") : Response.json(count),
    );
    void client()({ path: "/v1/one" });
    await clock.advance(100);
    void client()({ path: "/v1/two" });
    void client()({ method: "PUT", path: "/v1/three" });
    await clock.advance();
    expect(sent.map(({ at, url }) => [url, at])).toEqual([
      ["/v1/one", 0],
      ["/v1/one", 3000],
      ["/v1/two", 3050],
      ["/v1/three", 3100],
    ]);
  });

  test("holds back requests that already wait for their turn", async () => {
    const { client, clock, sent } = fakeService(async (_request, count) => {
      if (count > 1) return Response.json(count);
      await clock.wait(20);
      return limited("2");
    });
    const call = client();
    void call({ path: "/v1/one" });
    void call({ path: "/v1/two" });
    await clock.advance();
    expect(sent.map(({ at }) => at)).toEqual([0, 2020, 2070]);
  });

  test("longer than the longest wait is thrown at once, with Spotify's text", async () => {
    const body = { error: { status: 429, message: "Too many" } };
    const { client, clock, sent } = fakeService(() =>
      Response.json(body, { status: 429, headers: { "Retry-After": "6" } }),
    );
    const call = client();
    const first = await outcome(call({ path }));
    expect(first).toMatchObject({ message: "HTTP 429: Too many", retryAfterSeconds: 6 });
    await clock.advance(1500);
    // Nothing is sent while the limit lasts.
    expect(await outcome(call({ path: "/v1/other", maxWaitMs: 4000 }))).toMatchObject({
      status: 429,
      retryAfterSeconds: 5,
    });
    expect(sent).toHaveLength(1);
  });

  test("after another one counts towards the same longest wait", async () => {
    const { client, clock, sent } = fakeService(() => limited("3"));
    const answer = outcome(client()({ path }));
    await clock.advance();
    expect(await answer).toMatchObject({ status: 429, retryAfterSeconds: 3 });
    expect(sent.map(({ at }) => at)).toEqual([0, 3000]);
  });

  test("is not waited out by a request that may not wait", async () => {
    const { client, clock, sent } = fakeService(() => limited("1"));
    expect(await outcome(client()({ path, maxWaitMs: 0 }))).toMatchObject({ status: 429 });
    expect(sent).toHaveLength(1);
    expect(clock.now()).toBe(1_000_000);
  });
});

describe("an answer to a GET", () => {
  test("is kept for 5 seconds, by path and query", async () => {
    const { client, clock } = fakeService(counting);
    const [call, another] = [client(), client()];
    expect(await call({ path, query: { limit: "1" } })).toBe(1);
    await clock.advance(4999);
    expect(await another({ path, query: { limit: "1" } })).toBe(1);
    expect(await call({ path, query: { limit: "2" } })).toBe(2);
    await clock.advance(1);
    const late = call({ path, query: { limit: "1" } });
    await clock.advance();
    expect(await late).toBe(3);
  });

  test("is not used for a fresh read, whose answer replaces it", async () => {
    const { client, clock } = fakeService(counting);
    const call = client();
    await call({ path });
    await clock.advance(3000);
    expect(await call({ path, fresh: true })).toBe(2);
    await clock.advance(4000);
    expect(await call({ path })).toBe(2);
  });

  test("is dropped once there are 50 newer ones", async () => {
    const { client, clock, state } = fakeService(counting);
    const call = client();
    async function readTracks(...numbers: number[]) {
      for (const number of numbers) void call({ path: `/v1/tracks/${number}` });
      await clock.advance();
    }
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    await readTracks(...numbers);
    await clock.advance(5000);
    // Reading the first one again makes it the newest.
    await readTracks(1, 51, 52);
    expect([...state.answers.keys()]).toEqual(
      [...numbers.slice(3), 1, 51, 52].map((number) => `/v1/tracks/${number}`),
    );
  });

  test("is not kept if it is an error", async () => {
    const { client, clock } = fakeService((_request, count) =>
      count === 1 ? new Response(null, { status: 500 }) : Response.json(count),
    );
    const call = client();
    expect(await outcome(call({ path }))).toMatchObject({ status: 500 });
    await clock.advance(100);
    expect(await call({ path })).toBe(2);
  });

  test.each([
    { name: "PUT", status: 204 },
    { name: "POST", status: 201 },
    { name: "PUT", status: 500 },
  ])("is stale after a $name with status $status", async ({ name, status }) => {
    const { client, clock } = fakeService(({ method }, count) =>
      method === "GET" ? Response.json(count) : new Response(null, { status }),
    );
    const call = client();
    await call({ path });
    const change = outcome(call({ method: name as "PUT" | "POST", path: "/v1/change" }));
    await clock.advance();
    await change;
    const after = call({ path });
    await clock.advance();
    expect(await after).toBe(3);
  });
});

describe("equal reads at the same time", () => {
  test("share one request, fresh ones included", async () => {
    const { client, sent } = fakeService(counting);
    const call = client();
    const reads = [{ path }, { path, fresh: true }, { path }].map((read) => call(read));
    expect(await Promise.all(reads)).toEqual([1, 1, 1]);
    expect(sent).toHaveLength(1);
  });

  test("fail together, and the next read tries again", async () => {
    const { client, clock, sent } = fakeService((_request, count) =>
      count === 1 ? new Response(null, { status: 503 }) : Response.json(count),
    );
    const call = client();
    for (const one of await Promise.all([{ path }, { path }].map((read) => outcome(call(read))))) {
      expect(one).toMatchObject({ status: 503 });
    }
    await clock.advance(50);
    expect(await call({ path })).toBe(2);
    expect(sent).toHaveLength(2);
  });

  test("are two requests if one may wait and the other may not", async () => {
    const { client, clock } = fakeService((_request, count) =>
      count <= 2 ? limited("1") : Response.json(count),
    );
    const call = client();
    const patient = call({ path });
    const impatient = outcome(call({ path, maxWaitMs: 0 }));
    await clock.advance(50);
    expect(await impatient).toMatchObject({ status: 429 });
    await clock.advance();
    expect(await patient).toBe(3);
  });

  test("are two requests if a write comes between them, and only the second answer is kept", async () => {
    const { client, clock } = fakeService(async ({ method }, count) => {
      if (count === 1) await clock.wait(1000);
      return method === "GET" ? Response.json(count) : new Response(null, { status: 204 });
    });
    const call = client();
    const before = call({ path });
    const write = call({ method: "PUT", path: "/v1/me/player/play" });
    await clock.advance(100);
    await write;
    expect(await call({ path })).toBe(3);
    await clock.advance(1000);
    expect(await before).toBe(1);
    expect(await call({ path })).toBe(3);
  });
});

describe("a caller that aborts", () => {
  test("does not abort the others' shared read", async () => {
    const { client, sent } = fakeService(counting);
    const call = client();
    const controller = new AbortController();
    const [aborted, shared] = [outcome(call({ path, signal: controller.signal })), call({ path })];
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    expect(await shared).toBe(1);
    expect(sent).toHaveLength(1);
  });

  test("before its write has started never sends it", async () => {
    const { client, clock, sent } = fakeService(counting);
    const call = client();
    const controller = new AbortController();
    void call({ path });
    const aborted = outcome(call({ method: "PUT", path: "/v1/change", signal: controller.signal }));
    await clock.advance(10);
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    await clock.advance();
    expect(sent.map(({ url }) => url)).toEqual([path]);
  });

  test("before the call sends nothing", async () => {
    const { client, clock, sent } = fakeService(counting);
    const signal = AbortSignal.abort("enough");
    expect(await outcome(client()({ path, signal }))).toBe("enough");
    await clock.advance();
    expect(sent).toEqual([]);
  });
});
