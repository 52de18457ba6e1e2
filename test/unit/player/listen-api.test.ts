import { expect, test } from "vitest";
import { createListenApi } from "~/player/listen-api";

/** The two calls to a fake server, whose `answer` may also throw. */
function api(answer: () => Response) {
  const requests: Request[] = [];
  const seen = { loggedOut: 0, allTimeLimited: true };
  const listens = createListenApi({
    fetch: async (path, init) => {
      seen.allTimeLimited &&= init?.signal instanceof AbortSignal;
      requests.push(new Request(new URL(String(path), "https://fivefold.test"), init));
      return answer();
    },
    onLoggedOut() {
      seen.loggedOut++;
    },
  });
  return { listens, requests, seen };
}

function unreachable(): never {
  throw new TypeError("fetch failed");
}

/** What a request sends: its address and its form. */
async function sent([request]: Request[]) {
  expect([request?.method, request?.headers.get("accept")]).toEqual(["POST", "application/json"]);
  return [new URL(request?.url ?? "").pathname, await request?.text()];
}

test("opens a listen on a device", async () => {
  const { listens, requests } = api(() =>
    Response.json({ listenId: "l", requiredSeconds: 55, unlocksAt: 1 }),
  );
  const opened = { ok: true, listenId: "l", requiredSeconds: 55, heard: false };
  expect(await listens.open("song-1", "device 1")).toEqual(opened);
  expect(await sent(requests)).toEqual(["/songs/song-1/play", "deviceId=device+1"]);
});

test("opens a listen without a device, for a song that was heard, whose id needs encoding", async () => {
  const { listens, requests } = api(() => Response.json({ requiredSeconds: 55, heard: true }));
  expect(await listens.open("a/b?", null)).toMatchObject({ ok: true, heard: true });
  expect(await sent(requests)).toEqual(["/songs/a%2Fb%3F/play", ""]);
});

test("a song that is not to be rated any more is told apart", async () => {
  const error = "You have already rated this song.";
  const { listens } = api(() => Response.json({ error, closed: true }, { status: 409 }));
  expect(await listens.open("song-1", null)).toEqual({ ok: false, error, closed: true });
});

test("confirms a listen", async () => {
  const { listens, requests, seen } = api(() => Response.json({ ok: true }));
  expect(await listens.confirm("a/b?")).toEqual({ ok: true });
  expect(seen.allTimeLimited).toBe(true);
  expect(await sent(requests)).toEqual(["/songs/a%2Fb%3F/listened", ""]);
});

const json =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });
const page =
  (status = 200) =>
  () =>
    new Response("<!doctype html>", { status });

test.each<[string, () => Response, error: string | null, secondsLeft: number | null]>([
  [
    "a refusal that is too early",
    json({ error: "Too early.", secondsLeft: 7 }, 409),
    "Too early.",
    7,
  ],
  ["a refusal with a text", json({ error: "Own song." }, 403), "Own song.", null],
  ["a refusal with an empty text", json({ error: "", secondsLeft: "7" }, 409), null, null],
  [
    "a refusal with the fields of a success",
    json({ ok: true, requiredSeconds: 5 }, 500),
    null,
    null,
  ],
  ["a refusal with an HTML page", page(502), null, null],
  ["a network error", unreachable, null, null],
  ["an HTML page", page(), null, null],
  ["nothing", () => new Response(null, { status: 204 }), null, null],
  ["null", json(null), null, null],
  ["something else", json({ ok: "yes", requiredSeconds: "55" }), null, null],
])("an answer that is %s counts as a refusal", async (_name, answer, error, secondsLeft) => {
  const { listens, seen } = api(answer);
  expect(await listens.open("song-1", null)).toEqual({ ok: false, error, closed: false });
  expect(await listens.confirm("song-1")).toEqual({ ok: false, error, secondsLeft });
  expect(seen.loggedOut).toBe(0);
});

test.each([
  ["JSON", json({ error: "Log in." }, 401), "Log in."],
  ["an HTML page", page(401), null],
])("reports an ended session that the server answers with %s", async (_name, answer, error) => {
  const { listens, seen } = api(answer);
  expect(await listens.open("song-1", null)).toEqual({ ok: false, error, closed: false });
  expect(seen.loggedOut).toBe(1);
  await listens.confirm("song-1");
  expect(seen.loggedOut).toBe(2);
});
