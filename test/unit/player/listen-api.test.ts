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

/** A request's method, path, accepted type and form. */
async function sent(request: Request | undefined) {
  if (!request) return null;
  const { method, headers } = request;
  const form = await request.text();
  return [method, new URL(request.url).pathname, headers.get("accept"), form];
}

test("opens a listen on a device", async () => {
  const { listens, requests } = api(() =>
    Response.json({ listenId: "l", requiredSeconds: 55, unlocksAt: 1 }),
  );
  const opened = { ok: true, listenId: "l", requiredSeconds: 55, heard: false };
  expect(await listens.open("song-1", "device 1")).toEqual(opened);
  expect(await sent(requests[0])).toEqual([
    "POST",
    "/songs/song-1/play",
    "application/json",
    "deviceId=device+1",
  ]);
});

test("opens a listen without a device, for a song whose id needs encoding", async () => {
  const { listens, requests } = api(() => Response.json({ requiredSeconds: 55 }));
  await listens.open("a/b?", null);
  expect(await sent(requests[0])).toEqual(["POST", "/songs/a%2Fb%3F/play", "application/json", ""]);
});

test("a song that was heard before is told apart", async () => {
  const { listens } = api(() => Response.json({ requiredSeconds: 55, heard: true }));
  expect(await listens.open("song-1", null)).toMatchObject({ ok: true, heard: true });
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
  expect(await sent(requests[0])).toEqual([
    "POST",
    "/songs/a%2Fb%3F/listened",
    "application/json",
    "",
  ]);
});

test.each<[string, () => Response, { error: string | null; secondsLeft: number | null }]>([
  [
    "that is too early",
    () => Response.json({ error: "Too early.", secondsLeft: 7 }, { status: 409 }),
    { error: "Too early.", secondsLeft: 7 },
  ],
  [
    "with a text",
    () => Response.json({ error: "Own song." }, { status: 403 }),
    { error: "Own song.", secondsLeft: null },
  ],
  [
    "with an empty text",
    () => Response.json({ error: "", secondsLeft: "7" }, { status: 409 }),
    { error: null, secondsLeft: null },
  ],
  [
    "with the fields of a success",
    () => Response.json({ ok: true, requiredSeconds: 55 }, { status: 500 }),
    { error: null, secondsLeft: null },
  ],
  [
    "with an HTML page",
    () => new Response("<!doctype html>", { status: 502 }),
    { error: null, secondsLeft: null },
  ],
  ["by a network error", unreachable, { error: null, secondsLeft: null }],
])("a refusal %s", async (_name, answer, { error, secondsLeft }) => {
  const { listens, seen } = api(answer);
  expect(await listens.open("song-1", null)).toEqual({ ok: false, error, closed: false });
  expect(await listens.confirm("song-1")).toEqual({ ok: false, error, secondsLeft });
  expect(seen.loggedOut).toBe(0);
});

test.each([
  ["an HTML page", () => new Response("<!doctype html>")],
  ["nothing", () => new Response(null, { status: 204 })],
  ["null", () => Response.json(null)],
  ["something else", () => Response.json({ ok: "yes", requiredSeconds: "55" })],
])("an answer that is %s counts as a refusal", async (_name, answer) => {
  const { listens } = api(answer);
  expect(await listens.open("song-1", null)).toEqual({ ok: false, error: null, closed: false });
  expect(await listens.confirm("song-1")).toEqual({ ok: false, error: null, secondsLeft: null });
});

test.each([
  ["JSON", () => Response.json({ error: "Please log in." }, { status: 401 }), "Please log in."],
  ["an HTML page", () => new Response("<!doctype html>", { status: 401 }), null],
])("reports an ended session that the server answers with %s", async (_name, answer, error) => {
  const { listens, seen } = api(answer);
  expect(await listens.open("song-1", null)).toEqual({ ok: false, error, closed: false });
  expect(seen.loggedOut).toBe(1);
  await listens.confirm("song-1");
  expect(seen.loggedOut).toBe(2);
});
