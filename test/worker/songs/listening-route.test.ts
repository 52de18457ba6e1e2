import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { trackOf } from "../../support/catalogue";
import { passTime, skipWaits } from "../../support/clock";
import { rowsOf } from "../../support/database/contents";
import { makeListen, makePackage, makeSong, makeUser } from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";

beforeEach(skipWaits);

/** A song in the package of a listener, who is that musician at Spotify. */
async function ready(musician: string, track = trackOf("petra-wolkenstein", 2)) {
  const song = await makeSong(await makeUser(), track);
  const listener = await makeUser();
  await makePackage(listener, [song]);
  await control("reset", { musician });
  const { cookie } = await makeSession(listener, { musician });
  return { song, listener, cookie };
}

/** One whose open listen, of a minute's length, could be confirmed as far as the clock goes. */
async function heardByTheClock(musician: string, track = trackOf("mara-lind", 3)) {
  const made = await ready(musician, track);
  await makeListen(made.listener, made.song, { startedAt: Date.now() - 60_000 });
  return made;
}

function listened(song: { id: string }, cookie: string) {
  return request(`/songs/${song.id}/listened`, { cookie, json: {} });
}

function evidence() {
  return rowsOf("SELECT evidence FROM listens");
}

test("a short song is played, too early, heard and rated, all by forms", async () => {
  const musician = "oskar-brandvik";
  const { song, cookie } = await ready(musician);
  await control("openApp", { musician });
  const played = await request(`/songs/${song.id}/play`, { cookie, form: {} });
  expect([played.status, played.headers.get("Location")]).toEqual([303, "/"]);
  expect(await control("state", { musician })).toMatchObject({
    playing: true,
    trackId: song.trackId,
  });
  const early = await request(`/songs/${song.id}/rating`, { cookie, form: { score: "4" } });
  expect(early.status).toBe(409);
  expect(await early.text()).toContain("You have not listened long enough yet.");
  const { durationMs } = song;
  passTime(durationMs);
  await control("play", { musician, trackId: song.trackId, positionMs: durationMs - 500 });
  expect((await listened(song, cookie)).status).toBe(200);
  expect(await evidence()).toEqual([{ evidence: "spotify" }]);
  const rated = await request(`/songs/${song.id}/rating`, { cookie, form: { score: "4" } });
  expect(rated.headers.get("Location")).toBe(`/?rated=${song.id}`);
});

test("a script that names its device gets JSON and starts the playback itself", async () => {
  const musician = "paloma-echegaray";
  const { song, cookie } = await ready(musician, trackOf("mara-lind", 3));
  const before = Date.now();
  const answer = await request(`/songs/${song.id}/play`, { cookie, json: { deviceId: "here" } });
  expect(answer.status).toBe(200);
  const started = await answer.json<{ unlocksAt: number }>();
  expect(started).toEqual({
    listenId: expect.any(String),
    requiredSeconds: 55,
    unlocksAt: expect.any(Number),
  });
  expect(started.unlocksAt).toBeGreaterThanOrEqual(before + 56_000);
  expect(started.unlocksAt).toBeLessThanOrEqual(Date.now() + 56_000);
  const early = await listened(song, cookie);
  expect([early.status, await early.json()]).toEqual([
    409,
    { error: "You have not listened long enough yet.", secondsLeft: expect.any(Number) },
  ]);
  expect(await sandboxRequests(musician)).toEqual([]);
});

test("without a script, what plays is paused before the song starts", async () => {
  const musician = "sindre-haugastol";
  const { song, cookie } = await ready(musician);
  await control("playOther", { musician });
  await request(`/songs/${song.id}/play`, { cookie, form: {} });
  const calls = (await sandboxRequests(musician)).map(({ method, path, status }) => {
    return [method, path.replace(/^\/spotify\/api/, ""), status];
  });
  expect(calls).toEqual([
    ["PUT", "/v1/me/player/pause", 204],
    ["PUT", "/v1/me/player/play", 204],
  ]);
});

test.each([{ status: 0 }, { status: 500 }, { status: 429, retryAfter: 1 }, { status: 403 }])(
  "a pause that Spotify answers with %j costs nothing",
  async (fault) => {
    const musician = "sindre-haugastol";
    const { song, cookie } = await ready(musician);
    await control("playOther", { musician });
    await control("fail", { musician, route: "PUT /v1/me/player/pause", ...fault });
    const played = await request(`/songs/${song.id}/play`, { cookie, form: {} });
    expect(played.status).toBe(303);
    expect(await control("state", { musician })).toMatchObject({
      playing: true,
      trackId: song.trackId,
    });
  },
);

test("a heard song that is played again stays open to rating, whatever then plays", async () => {
  const musician = "oskar-brandvik";
  const { song, listener, cookie } = await ready(musician);
  const startedAt = Date.now() - 60_000;
  const listenId = await makeListen(listener, song, { startedAt, finishedAt: startedAt + 56_000 });
  const json = await request(`/songs/${song.id}/play`, { cookie, json: { deviceId: "here" } });
  expect([json.status, await json.json()]).toEqual([
    200,
    expect.objectContaining({ listenId, unlocksAt: startedAt + 56_000, heard: true }),
  ]);
  await control("openApp", { musician });
  const form = await request(`/songs/${song.id}/play`, { cookie, form: {} });
  expect([form.status, form.headers.get("Location")]).toEqual([303, "/"]);
  await control("playOther", { musician });
  expect((await listened(song, cookie)).status).toBe(200);
  const rated = await request(`/songs/${song.id}/rating`, { cookie, form: { score: "4" } });
  expect(rated.headers.get("Location")).toBe(`/?rated=${song.id}`);
});

test("without an active device PLAY SONG is a 409 that says what to do", async () => {
  const musician = "nerys-pengelly";
  const { song, cookie } = await ready(musician);
  const help = "open your Spotify app";
  const page = await request(`/songs/${song.id}/play`, { cookie, form: {} });
  expect([page.status, page.headers.get("Content-Type")]).toEqual([
    409,
    "text/html; charset=utf-8",
  ]);
  expect(await page.text()).toContain(help);
  const json = await request(`/songs/${song.id}/play`, { cookie, json: {} });
  expect([json.status, await json.json()]).toEqual([409, { error: expect.stringContaining(help) }]);
  // A phone that is listed but not in use is no active device either.
  await control("openApp", { musician, active: false });
  const listed = await request(`/songs/${song.id}/play`, { cookie, json: {} });
  expect(listed.status).toBe(409);
  expect(await rowsOf("SELECT id FROM listens")).toEqual([]);
});

test("an explicit song that Spotify hides says so, and leads to passing", async () => {
  const musician = "nerys-pengelly";
  const hidden = { ...trackOf("petra-wolkenstein", 2), explicit: true };
  const { song, cookie } = await ready(musician, hidden);
  await control("openApp", { musician });
  await control("hideExplicit", { musician });
  await control("track", { trackId: song.trackId, explicit: true });
  const help = "your Spotify hides explicit songs";
  const page = await request(`/songs/${song.id}/play`, { cookie, form: {} });
  expect(page.status).toBe(409);
  const text = await page.text();
  expect(text).toContain(help);
  expect(text).toContain(`href="/songs/${song.id}/pass/reason"`);
  // For a page that plays by itself, too.
  const json = await request(`/songs/${song.id}/play`, { cookie, json: { deviceId: "tab" } });
  expect([json.status, await json.json()]).toEqual([409, { error: expect.stringContaining(help) }]);
  expect(await rowsOf("SELECT id FROM listens")).toEqual([]);
  expect(await rowsOf("SELECT song_id FROM unplayable_reports")).toEqual([]);
  await control("hideExplicit", { musician, on: false });
  // Longer than an answer is kept.
  passTime(6_000);
  expect((await request(`/songs/${song.id}/play`, { cookie, form: {} })).status).toBe(303);
  await control("track", { trackId: song.trackId });
});

test("a song that is stored as harmless, and has become explicit, says so too", async () => {
  const musician = "nerys-pengelly";
  const { song, cookie } = await ready(musician);
  await control("openApp", { musician });
  await control("hideExplicit", { musician });
  await control("track", { trackId: song.trackId, explicit: true });
  const page = await request(`/songs/${song.id}/play`, { cookie, form: {} });
  expect(await page.text()).toContain("your Spotify hides explicit songs");
  await control("track", { trackId: song.trackId });
});

test("the carousel marks explicit songs, and no others", async () => {
  for (const explicit of [true, false]) {
    const track = { ...trackOf("petra-wolkenstein", 2), explicit };
    const { cookie } = await ready("nerys-pengelly", track);
    const page = await (await request("/", { cookie })).text();
    expect(page.includes(">Explicit<")).toBe(explicit);
  }
});

test("a song relinked by Spotify is heard under its other id", async () => {
  const musician = "zbigniew-jaskier";
  const { song, cookie } = await heardByTheClock(musician, trackOf("lumi-haavisto", 4));
  await control("play", { musician, trackId: song.trackId, positionMs: 60_000 });
  expect((await listened(song, cookie)).status).toBe(200);
  expect(await evidence()).toEqual([{ evidence: "spotify" }]);
});

test("whose account has become Premium since the login is asked for it no more once a song was heard", async () => {
  const musician = "zbigniew-jaskier";
  const { song, listener, cookie } = await heardByTheClock(musician);
  await makeMember({ musician });
  await env.DB.prepare("UPDATE sessions SET has_spotify_premium = 0").run();
  await control("play", { musician, trackId: song.trackId, positionMs: 60_000 });
  expect((await listened(song, cookie)).status).toBe(200);
  const premium = "SELECT user_id FROM sessions WHERE has_spotify_premium = 1";
  expect(await rowsOf(premium)).toEqual([{ user_id: listener.id }]);
});

test("a form that confirms leads back to the carousel", async () => {
  const musician = "tamsin-hollowell";
  const { song, cookie } = await heardByTheClock(musician);
  await control("play", { musician, trackId: song.trackId, positionMs: 60_000 });
  const answer = await request(`/songs/${song.id}/listened`, { cookie, form: {} });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
});

test("a song paused or left for another one is not heard", async () => {
  const musician = "emre-yildizhan";
  const { song, cookie } = await heardByTheClock(musician);
  await control("play", { musician, trackId: song.trackId, positionMs: 20_000 });
  await control("pause", { musician });
  const paused = await listened(song, cookie);
  expect([paused.status, await paused.json()]).toEqual([
    409,
    { error: "Error: Please do not pause the playback.", secondsLeft: expect.any(Number) },
  ]);
  await control("playOther", { musician });
  expect(await (await listened(song, cookie)).json()).toEqual({
    error: "Error. The song you should rate is not being played back!",
    secondsLeft: 56,
  });
  expect(await evidence()).toEqual([{ evidence: null }]);
});

test.each<Record<string, unknown>>([
  { status: 204, body: "" },
  { status: 200, body: "<html>We will be right back</html>", contentType: "text/html" },
  { status: 200, body: {} },
  { status: 200, body: { item: { id: "4uLU6hMCjMI75M1A2tKUQC" }, progress_ms: 60_000 } },
  { status: 200, body: { is_playing: true, item: null, currently_playing_type: "ad" } },
  { status: 200, body: { is_playing: true, item: null, currently_playing_type: "unknown" } },
  { status: 200, body: { is_playing: true, item: null, progress_ms: 60_000 } },
])(
  "where Spotify's answer is %j, nothing is confirmed and nothing lost: it is asked again",
  async (answer) => {
    const musician = "emre-yildizhan";
    const { song, cookie } = await heardByTheClock(musician);
    await control("play", { musician, trackId: song.trackId, positionMs: 60_000 });
    await control("fail", { musician, route: "GET /v1/me/player", ...answer });
    const unknown = await listened(song, cookie);
    expect([unknown.status, await unknown.json()]).toEqual([
      409,
      { error: expect.stringContaining("What you have heard still counts"), secondsLeft: 1 },
    ]);
    expect(await rowsOf("SELECT finished_at, doubted_at FROM listens")).toEqual([
      { finished_at: null, doubted_at: null },
    ]);
    expect((await listened(song, cookie)).status).toBe(200);
    expect(await evidence()).toEqual([{ evidence: "spotify" }]);
  },
);

test("a closed app, a private session and an advertisement never confirm a song, however often it is asked", async () => {
  const musician = "emre-yildizhan";
  const { song, cookie } = await heardByTheClock(musician);
  const left = () => listened(song, cookie).then((answer) => answer.json());
  for (const silence of ["closeApp", "privateSession", "advertisement"]) {
    await control("play", { musician, trackId: song.trackId, positionMs: 60_000 });
    await control(silence, { musician });
    for (let n = 0; n < 3; n += 1) {
      expect(await left()).toMatchObject({ error: expect.stringContaining("private session") });
    }
  }
  expect(await evidence()).toEqual([{ evidence: null }]);
});

test("a private session is called by its name where Spotify tells of it", async () => {
  const musician = "emre-yildizhan";
  const { song, cookie } = await heardByTheClock(musician);
  await control("play", { musician, trackId: song.trackId, positionMs: 60_000 });
  await control("privateSession", { musician, told: true });
  const answer = await listened(song, cookie);
  expect([answer.status, await answer.json()]).toEqual([
    409,
    { error: expect.stringMatching(/^Your Spotify is in a private session/), secondsLeft: 1 },
  ]);
  expect(await evidence()).toEqual([{ evidence: null }]);
});

test("an episode is another song, and known to be one", async () => {
  const musician = "emre-yildizhan";
  const { song, cookie } = await heardByTheClock(musician);
  await control("play", { musician, trackId: song.trackId, positionMs: 60_000 });
  await control("episode", { musician });
  expect(await (await listened(song, cookie)).json()).toMatchObject({
    error: "Error. The song you should rate is not being played back!",
  });
});

test.each([{ status: 0 }, { status: 500 }, { status: 503, body: "<html>Bad gateway</html>" }])(
  "where Spotify answers %j the clock decides, without waiting",
  async (fault) => {
    const musician = "liora-ben-tal";
    const { song, cookie } = await heardByTheClock(musician);
    await control("fail", { musician, route: "GET /v1/me/player", ...fault });
    expect((await listened(song, cookie)).status).toBe(200);
    expect(await evidence()).toEqual([{ evidence: "clock" }]);
    expect(await sandboxRequests(musician)).toHaveLength(1);
  },
);

test.each([
  { retryAfter: 1, secondsLeft: 1 },
  { retryAfter: 7200, secondsLeft: 15 },
])("a limit of $retryAfter s is waited for, without losing the listen", async (limit) => {
  const musician = "matteo-sorgente";
  const { song, cookie } = await heardByTheClock(musician);
  await control("play", { musician, trackId: song.trackId, positionMs: 60_000 });
  const { retryAfter, secondsLeft } = limit;
  await control("fail", { musician, route: "GET /v1/me/player", status: 429, retryAfter });
  const limited = await listened(song, cookie);
  expect([limited.status, await limited.json()]).toEqual([
    409,
    { error: expect.stringContaining("slow down"), secondsLeft },
  ]);
  const form = await request(`/songs/${song.id}/rating`, { cookie, form: { score: "4" } });
  expect(form.status).toBe(409);
  expect(await form.text()).toContain("What you have heard still counts");
  expect(await evidence()).toEqual([{ evidence: null }]);
  passTime(retryAfter * 1000);
  expect((await listened(song, cookie)).status).toBe(200);
  expect(await evidence()).toEqual([{ evidence: "spotify" }]);
});

test("where Spotify refuses, in plain text, the song is not heard", async () => {
  const musician = "matteo-sorgente";
  const { song, cookie } = await heardByTheClock(musician);
  await control("fail", {
    musician,
    route: "GET /v1/me/player",
    status: 403,
    body: "User not registered in the Developer Dashboard",
  });
  expect((await listened(song, cookie)).status).toBe(502);
  expect(await evidence()).toEqual([{ evidence: null }]);
});

test("a token that Spotify takes no more is renewed on the way, and a login ended there is a 401", async () => {
  const musician = "marisol-quintanar";
  const { song, cookie } = await heardByTheClock(musician);
  await control("play", { musician, trackId: song.trackId, positionMs: 20_000 });
  await control("expireTokens", { musician });
  // Asked with a new token: the song is on, but not far enough.
  expect((await listened(song, cookie)).status).toBe(409);
  await control("expireTokens", { musician });
  await control("revoke", { musician });
  expect((await listened(song, cookie)).status).toBe(401);
  expect(await evidence()).toEqual([{ evidence: null }]);
});
