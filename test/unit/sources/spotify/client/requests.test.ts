import { expect, test } from "vitest";
import type { ApiRequest } from "~/sources/spotify/client/requests";
import { fakeService, outcome, type SentRequest } from "./support.ts";

type Service = ReturnType<typeof fakeService>;

const path = "/v1/me";
const limited = (retryAfter?: string) =>
  new Response(null, { status: 429, headers: retryAfter ? { "Retry-After": retryAfter } : {} });
const failed = (status: number) => new Response(null, { status });
/** Answers each request with its number. */
const counting = (_request: SentRequest, count: number) => Response.json(count);
/** Answers the first requests with these, and each later one with its number. */
const first =
  (...answers: Response[]) =>
  (_request: SentRequest, count: number) =>
    answers[count - 1] ?? Response.json(count);

/** What the requests end with, made at once, after all waiting. */
async function ends({ client, clock }: Service, ...requests: ApiRequest[]): Promise<unknown[]> {
  const call = client();
  const work = requests.map((request) => outcome(call(request)));
  await clock.advance();
  return Promise.all(work);
}

test("a request carries the token, the query and the body", async () => {
  const service = fakeService(counting);
  await ends(
    service,
    { path: "/v1/search", query: { q: "Søren & 100%", type: "track" } },
    { method: "PUT", path: "/v1/me/player/play", body: { uris: ["a"] } },
    { method: "PUT", path: "/v1/me/player/pause" },
  );
  const token = ["authorization", "Bearer first"];
  expect(
    service.sent.map(({ method, url, headers, body }) => [method, url, [...headers], body]),
  ).toEqual([
    ["GET", "/v1/search?q=S%C3%B8ren+%26+100%25&type=track", [token], null],
    [
      ...["PUT", "/v1/me/player/play", [token, ["content-type", "application/json"]]],
      '{"uris":["a"]}',
    ],
    ["PUT", "/v1/me/player/pause", [token], null],
  ]);
});

test.each([
  ["JSON", () => Response.json({ id: 7 }), { id: 7 }],
  ["no body", () => failed(204), null],
  ["text", () => new Response("fine", { status: 202 }), undefined],
])("a request answered with %s returns what it says", async (_name, answer, result) => {
  expect(await fakeService(answer).client()({ path })).toEqual(result);
});

test.each([
  ["an error object", '{"error":{"status":403,"message":"No"}}', "No", null],
  ["a reason", '{"error":{"message":"No","reason":"NO_ACTIVE_DEVICE"}}', "No", "NO_ACTIVE_DEVICE"],
  ["plain text", "User not registered", "User not registered", null],
  ["a very long page", `\n${"x".repeat(500)}`, "x".repeat(200), null],
  ["another object", '{"error":"odd"}', '{"error":"odd"}', null],
  ["null", "null", "null", null],
  ["nothing", "", "Forbidden", null],
])("a request refused with %s throws its text", async (_name, body, text, reason) => {
  const answer = () => new Response(body, { status: 403, statusText: "Forbidden" });
  expect(await outcome(fakeService(answer).client()({ path }))).toMatchObject({
    ...{ name: "SpotifyError", message: `HTTP 403: ${text}`, status: 403, reason },
    retryAfterSeconds: null,
  });
});

test.each([
  ["a broken connection", () => Promise.reject(new TypeError("fetch failed"))],
  [
    "an incomplete body",
    () => new Response(new ReadableStream({ pull: (body) => body.error(new Error()) })),
  ],
])("a request that ends in %s throws status 0", async (_name, answer) => {
  const error = await outcome(fakeService(answer).client()({ path }));
  expect(error).toMatchObject({ name: "SpotifyError", status: 0, outage: true });
});

test("a request that is not answered in time throws status 0", async () => {
  const silent = (_url: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  const call = fakeService(counting).client({ fetch: silent, timeoutMs: 1 });
  expect(await outcome(call({ path }))).toMatchObject({ name: "SpotifyError", status: 0 });
});

test.each([
  ["replaced once", [failed(401)], 2],
  ["not asked for again after waiting out a limit", [failed(401), limited("1")], 3],
])("a token that Spotify refuses is %s", async (_name, answers, requests) => {
  const service = fakeService(first(...answers));
  expect(await ends(service, { path })).toEqual([requests]);
  expect(service.tokenRequests).toEqual([false, true]);
  expect(service.sent[1]?.headers.get("Authorization")).toBe("Bearer second");
});

test("a token is an error when the next one is refused too", async () => {
  const service = fakeService(() => new Response("Expired", { status: 401 }));
  expect(await ends(service, { path })).toMatchObject([{ message: "HTTP 401: Expired" }]);
  expect(service.sent).toHaveLength(2);
});

test.each([
  ["2", 2000],
  [undefined, 5000],
  ["0", 5000],
  ["-3", 5000],
  ["0.001", 5000],
  ["soon", 5000],
  ["Wed, 21 Oct 2026 07:28:00 GMT", 5000],
])("a limit (429) with Retry-After %s is waited out for %i ms", async (header, ms) => {
  const service = fakeService(first(limited(header)));
  expect(await ends(service, { path })).toEqual([2]);
  expect(service.sent.map(({ at }) => at)).toEqual([0, ms]);
});

test("a limit holds back all requests with the same state, other clients' included", async () => {
  const service = fakeService(first(limited("3")));
  void service.client()({ path: "/v1/one" });
  await service.clock.advance(100);
  await ends(service, { path: "/v1/two" }, { method: "PUT", path: "/v1/three" });
  expect(service.sent.map(({ at, url }) => [url, at])).toEqual([
    ["/v1/one", 0],
    ["/v1/one", 3000],
    ["/v1/two", 3050],
    ["/v1/three", 3100],
  ]);
});

test("a limit longer than the longest wait is thrown at once, with Spotify's text", async () => {
  const body = { error: { status: 429, message: "Too many" } };
  const { client, clock, sent } = fakeService(() =>
    Response.json(body, { status: 429, headers: { "Retry-After": "6" } }),
  );
  const call = client();
  const error = await outcome(call({ path }));
  expect(error).toMatchObject({ message: "HTTP 429: Too many", retryAfterSeconds: 6 });
  await clock.advance(1500);
  // Nothing is sent while the limit lasts.
  expect(await outcome(call({ path: "/v1/other", maxWaitMs: 4000 }))).toMatchObject({
    status: 429,
    retryAfterSeconds: 5,
  });
  expect(sent).toHaveLength(1);
});

test("a limit is not waited out by a request that may not wait", async () => {
  const { client, clock, sent } = fakeService(() => limited("1"));
  expect(await outcome(client()({ path, maxWaitMs: 0 }))).toMatchObject({ status: 429 });
  expect(sent).toHaveLength(1);
  expect(clock.now()).toBe(1_000_000);
});

test("an answer to a GET is kept for 5 seconds, by path and query", async () => {
  const { client, clock } = fakeService(counting);
  const [call, another] = [client(), client()];
  const one = { path, query: { limit: "1" } };
  expect(await call(one)).toBe(1);
  await clock.advance(4999);
  expect(await another(one)).toBe(1);
  expect(await call({ path, query: { limit: "2" } })).toBe(2);
  await clock.advance(1);
  const late = call(one);
  await clock.advance();
  expect(await late).toBe(3);
});

test("an answer is not used for a fresh read, whose answer replaces it", async () => {
  const { client, clock } = fakeService(counting);
  const call = client();
  await call({ path });
  await clock.advance(3000);
  expect(await call({ path, fresh: true })).toBe(2);
  await clock.advance(4000);
  expect(await call({ path })).toBe(2);
});

test("an answer is dropped once there are 50 newer ones", async () => {
  const service = fakeService(counting);
  const track = (number: number) => ({ path: `/v1/tracks/${number}` });
  const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
  await ends(service, ...numbers.map(track));
  await service.clock.advance(5000);
  // Reading the first one again makes it the newest.
  await ends(service, ...[1, 51, 52].map(track));
  expect([...service.state.answers.keys()]).toEqual(
    [...numbers.slice(3), 1, 51, 52].map((number) => track(number).path),
  );
});

test.each([
  ["PUT", 204],
  ["POST", 201],
  ["PUT", 500],
] as const)("an answer is stale after a %s with status %i", async (method, status) => {
  const service = fakeService((request, count) =>
    request.method === "GET" ? Response.json(count) : failed(status),
  );
  await ends(service, { path });
  await ends(service, { method, path: "/v1/change" });
  expect(await ends(service, { path })).toEqual([3]);
});

test("equal reads at the same time share one request, fresh ones included", async () => {
  const service = fakeService(counting);
  expect(await ends(service, { path }, { path, fresh: true }, { path })).toEqual([1, 1, 1]);
  expect(service.sent).toHaveLength(1);
});

test("equal reads fail together, and the next read tries again", async () => {
  const service = fakeService(first(failed(503)));
  expect(await ends(service, { path }, { path })).toMatchObject([{ status: 503 }, { status: 503 }]);
  expect(await ends(service, { path })).toEqual([2]);
  expect(service.sent).toHaveLength(2);
});

test("equal reads are two requests if one may wait and the other may not", async () => {
  const service = fakeService(first(limited("1"), limited("1")));
  const [patient, impatient] = await ends(service, { path }, { path, maxWaitMs: 0 });
  expect(patient).toBe(3);
  expect(impatient).toMatchObject({ status: 429 });
});

test("equal reads are two requests if a write comes between them, and only the second answer is kept", async () => {
  const { client, clock } = fakeService(async ({ method }, count) => {
    if (count === 1) await clock.wait(1000);
    return method === "GET" ? Response.json(count) : failed(204);
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

test("a caller that aborts does not abort the others' shared read", async () => {
  const { client, sent } = fakeService(counting);
  const call = client();
  const controller = new AbortController();
  const [aborted, shared] = [outcome(call({ path, signal: controller.signal })), call({ path })];
  controller.abort("enough");
  expect(await aborted).toBe("enough");
  expect(await shared).toBe(1);
  expect(sent).toHaveLength(1);
});

test("a caller that aborts before its write has started never sends it", async () => {
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

test("a caller that has aborted before the call sends nothing", async () => {
  const service = fakeService(counting);
  expect(await ends(service, { path, signal: AbortSignal.abort("enough") })).toEqual(["enough"]);
  expect(service.sent).toEqual([]);
});
