import { describe, expect, test } from "vitest";
import { SpotifyError } from "~/adapters/spotify/spotify";
import { outcome, type Sent, service } from "./support.ts";

const path = "/v1/me";
const limited = (retryAfter?: string) =>
  new Response(null, { status: 429, headers: retryAfter ? { "Retry-After": retryAfter } : {} });
/** Each answer is the number of the request. */
const counting = (_sent: Sent, count: number) => Response.json(count);

describe("a request", () => {
  test("carries the token, the query and the body", async () => {
    const { client, clock, sent } = service(counting);
    const call = client();
    void call({ path: "/v1/search", query: { q: "Søren & 100%", type: "track" } });
    void call({ method: "PUT", path: "/v1/me/player/play", body: { uris: ["a"] } });
    void call({ method: "PUT", path: "/v1/me/player/pause" });
    await clock.wind();
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
  ])("answered with $name", async ({ answer, result }) => {
    expect(await service(answer).client()({ path })).toEqual(result);
  });

  test.each([
    { name: "an error object", body: '{"error":{"status":403,"message":"No"}}', text: "No" },
    { name: "plain text", body: "User not registered", text: "User not registered" },
    { name: "an endless page", body: `\n${"x".repeat(500)}`, text: "x".repeat(200) },
    { name: "another object", body: '{"error":"odd"}', text: '{"error":"odd"}' },
    { name: "null", body: "null", text: "null" },
    { name: "nothing", body: "", text: "Forbidden" },
  ])("refused with $name says so", async ({ body, text }) => {
    const answer = () => new Response(body, { status: 403, statusText: "Forbidden" });
    const error = await outcome(service(answer).client()({ path }));
    expect(error).toBeInstanceOf(SpotifyError);
    expect(error).toMatchObject({
      message: `HTTP 403: ${text}`,
      status: 403,
      reason: null,
      retryAfterSeconds: null,
    });
  });

  test("refused by the player says why", async () => {
    const error = { message: "No device", reason: "NO_ACTIVE_DEVICE" };
    const { client } = service(() => Response.json({ error }, { status: 404 }));
    expect(await outcome(client()({ path }))).toMatchObject({ reason: "NO_ACTIVE_DEVICE" });
  });

  test.each([
    { name: "a cut connection", answer: () => Promise.reject(new TypeError("fetch failed")) },
    {
      name: "an answer that breaks off",
      answer: () => new Response(new ReadableStream({ pull: (body) => body.error(new Error()) })),
    },
  ])("that ends in $name has status 0", async ({ answer }) => {
    const error = await outcome(service(answer).client()({ path }));
    expect(error).toMatchObject({ name: "SpotifyError", status: 0, outage: true });
  });

  test("that is not answered in time has status 0", async () => {
    const silent = (_url: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    const call = service(counting).client({ fetch: silent, timeoutMs: 1 });
    expect(await outcome(call({ path }))).toMatchObject({ name: "SpotifyError", status: 0 });
  });
});

describe("a token that Spotify refuses", () => {
  test("is replaced once", async () => {
    const { client, clock, sent, tokens } = service(({ headers }) =>
      headers.get("Authorization") === "Bearer second"
        ? Response.json("in")
        : new Response(null, { status: 401 }),
    );
    const answer = client()({ path });
    await clock.wind();
    expect(await answer).toBe("in");
    expect(tokens).toEqual([false, true]);
    expect(sent).toHaveLength(2);
  });

  test("twice is an error", async () => {
    const { client, clock, sent } = service(() => new Response("Expired", { status: 401 }));
    const answer = outcome(client()({ path }));
    await clock.wind();
    expect(await answer).toMatchObject({ message: "HTTP 401: Expired" });
    expect(sent).toHaveLength(2);
  });

  test("stays replaced while a limit is waited out", async () => {
    const { client, clock, tokens } = service((_sent, count) =>
      count === 1
        ? new Response(null, { status: 401 })
        : count === 2
          ? limited("1")
          : Response.json(1),
    );
    const answer = client()({ path });
    await clock.wind();
    expect(await answer).toBe(1);
    expect(tokens).toEqual([false, true]);
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
    const { client, clock, sent } = service((_sent, count) =>
      count === 1 ? limited(header) : Response.json("at last"),
    );
    const answer = client()({ path });
    await clock.wind();
    expect(await answer).toBe("at last");
    expect(sent.map(({ at }) => at)).toEqual([0, ms]);
  });

  test("holds back everything of its memory, other clients too", async () => {
    const { client, clock, sent } = service((_sent, count) =>
      count === 1 ? limited("3") : Response.json(count),
    );
    void client()({ path: "/v1/one" });
    await clock.wind(100);
    void client()({ path: "/v1/two" });
    void client()({ method: "PUT", path: "/v1/three" });
    await clock.wind();
    expect(sent.map(({ at, url }) => [url, at])).toEqual([
      ["/v1/one", 0],
      ["/v1/one", 3000],
      ["/v1/two", 3050],
      ["/v1/three", 3100],
    ]);
  });

  test("holds back those that already wait for their turn", async () => {
    const { client, clock, sent } = service(async (_sent, count) => {
      if (count > 1) return Response.json(count);
      await clock.wait(20);
      return limited("2");
    });
    const call = client();
    void call({ path: "/v1/one" });
    void call({ path: "/v1/two" });
    await clock.wind();
    expect(sent.map(({ at }) => at)).toEqual([0, 2020, 2070]);
  });

  test("beyond the longest wait is thrown at once, with what Spotify said", async () => {
    const body = { error: { status: 429, message: "Too many" } };
    const { client, clock, sent } = service(() =>
      Response.json(body, { status: 429, headers: { "Retry-After": "6" } }),
    );
    const call = client();
    const first = await outcome(call({ path }));
    expect(first).toMatchObject({ message: "HTTP 429: Too many", retryAfterSeconds: 6 });
    await clock.wind(1500);
    // Nothing is sent while the limit lasts.
    expect(await outcome(call({ path: "/v1/other", longestWaitMs: 4000 }))).toMatchObject({
      status: 429,
      retryAfterSeconds: 5,
    });
    expect(sent).toHaveLength(1);
  });

  test("after a limit counts toward the longest wait together with it", async () => {
    const { client, clock, sent } = service(() => limited("3"));
    const answer = outcome(client()({ path }));
    await clock.wind();
    expect(await answer).toMatchObject({ status: 429, retryAfterSeconds: 3 });
    expect(sent.map(({ at }) => at)).toEqual([0, 3000]);
  });

  test("is never waited out by who has no time", async () => {
    const { client, clock, sent } = service(() => limited("1"));
    expect(await outcome(client()({ path, longestWaitMs: 0 }))).toMatchObject({ status: 429 });
    expect(sent).toHaveLength(1);
    expect(clock.now()).toBe(1_000_000);
  });
});

describe("an answer to a GET", () => {
  test("is kept for 5 seconds, by path and query", async () => {
    const { client, clock } = service(counting);
    const [call, another] = [client(), client()];
    expect(await call({ path, query: { limit: "1" } })).toBe(1);
    await clock.wind(4999);
    expect(await another({ path, query: { limit: "1" } })).toBe(1);
    expect(await call({ path, query: { limit: "2" } })).toBe(2);
    await clock.wind(1);
    const late = call({ path, query: { limit: "1" } });
    await clock.wind();
    expect(await late).toBe(3);
  });

  test("is not taken from there by who wants a fresh one, and is kept again", async () => {
    const { client, clock } = service(counting);
    const call = client();
    await call({ path });
    await clock.wind(3000);
    expect(await call({ path, fresh: true })).toBe(2);
    await clock.wind(4000);
    expect(await call({ path })).toBe(2);
  });

  test("is kept among the last 50 and no more", async () => {
    const { client, clock, memory } = service(counting);
    const call = client();
    async function readTracks(...numbers: number[]) {
      for (const number of numbers) void call({ path: `/v1/tracks/${number}` });
      await clock.wind();
    }
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    await readTracks(...numbers);
    await clock.wind(5000);
    // The first one is read anew, which makes it the latest.
    await readTracks(1, 51, 52);
    expect([...memory.answers.keys()]).toEqual(
      [...numbers.slice(3), 1, 51, 52].map((number) => `/v1/tracks/${number}`),
    );
  });

  test("is not kept where it is an error", async () => {
    const { client, clock } = service((_sent, count) =>
      count === 1 ? new Response(null, { status: 500 }) : Response.json(count),
    );
    const call = client();
    expect(await outcome(call({ path }))).toMatchObject({ status: 500 });
    await clock.wind(100);
    expect(await call({ path })).toBe(2);
  });

  test.each([
    { name: "PUT", status: 204 },
    { name: "POST", status: 201 },
    { name: "PUT", status: 500 },
  ])("is old after a $name with status $status", async ({ name, status }) => {
    const { client, clock } = service(({ method }, count) =>
      method === "GET" ? Response.json(count) : new Response(null, { status }),
    );
    const call = client();
    await call({ path });
    const change = outcome(call({ method: name as "PUT" | "POST", path: "/v1/change" }));
    await clock.wind();
    await change;
    const after = call({ path });
    await clock.wind();
    expect(await after).toBe(3);
  });
});

describe("equal reads at once", () => {
  test("are one request, and so are fresh ones", async () => {
    const { client, sent } = service(counting);
    const call = client();
    const reads = [{ path }, { path, fresh: true }, { path }].map((read) => call(read));
    expect(await Promise.all(reads)).toEqual([1, 1, 1]);
    expect(sent).toHaveLength(1);
  });

  test("fail together, and the next one tries again", async () => {
    const { client, clock, sent } = service((_sent, count) =>
      count === 1 ? new Response(null, { status: 503 }) : Response.json(count),
    );
    const call = client();
    for (const one of await Promise.all([{ path }, { path }].map((read) => outcome(call(read))))) {
      expect(one).toMatchObject({ status: 503 });
    }
    await clock.wind(50);
    expect(await call({ path })).toBe(2);
    expect(sent).toHaveLength(2);
  });

  test("are two where one may not wait and the other may", async () => {
    const { client, clock } = service((_sent, count) =>
      count <= 2 ? limited("1") : Response.json(count),
    );
    const call = client();
    const patient = call({ path });
    const hasty = outcome(call({ path, longestWaitMs: 0 }));
    await clock.wind(50);
    expect(await hasty).toMatchObject({ status: 429 });
    await clock.wind();
    expect(await patient).toBe(3);
  });

  test("are two where a write lies between them, and the first one's answer is not kept", async () => {
    const { client, clock } = service(async ({ method }, count) => {
      if (count === 1) await clock.wait(1000);
      return method === "GET" ? Response.json(count) : new Response(null, { status: 204 });
    });
    const call = client();
    const before = call({ path });
    const write = call({ method: "PUT", path: "/v1/me/player/play" });
    await clock.wind(100);
    await write;
    expect(await call({ path })).toBe(3);
    await clock.wind(1000);
    expect(await before).toBe(1);
    expect(await call({ path })).toBe(3);
  });
});

describe("a caller who gives up", () => {
  test("leaves the answer to the others", async () => {
    const { client, sent } = service(counting);
    const call = client();
    const giver = new AbortController();
    const [left, stayed] = [outcome(call({ path, signal: giver.signal })), call({ path })];
    giver.abort("enough");
    expect(await left).toBe("enough");
    expect(await stayed).toBe(1);
    expect(sent).toHaveLength(1);
  });

  test("before the turn of a write has come never sends it", async () => {
    const { client, clock, sent } = service(counting);
    const call = client();
    const giver = new AbortController();
    void call({ path });
    const left = outcome(call({ method: "PUT", path: "/v1/change", signal: giver.signal }));
    await clock.wind(10);
    giver.abort("enough");
    expect(await left).toBe("enough");
    await clock.wind();
    expect(sent.map(({ url }) => url)).toEqual([path]);
  });

  test("before the start sends nothing", async () => {
    const { client, clock, sent } = service(counting);
    const signal = AbortSignal.abort("enough");
    expect(await outcome(client()({ path, signal }))).toBe("enough");
    await clock.wind();
    expect(sent).toEqual([]);
  });
});
