import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { trackOf } from "../../support/catalogue";
import { passTime, skipWaits } from "../../support/clock";
import { rowsOf } from "../../support/database/contents";
import { makeListen, makePackage, makeSong, makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";

beforeEach(skipWaits);

const carouselSong = trackOf("petra-wolkenstein", 2);

/** A song in the package of a listener, who is that musician at Spotify. */
async function ready(musician: string, track = carouselSong) {
  const song = await makeSong(await makeUser(), track);
  await control("reset", { musician });
  const { user: listener, cookie } = await makeMember({ musician });
  await makePackage(listener, [song]);
  const press = (action: string, asked: object) =>
    request(`/songs/${song.id}/${action}`, { cookie, ...asked });
  return {
    ...{ song, listener, cookie },
    /** What the musician does at Spotify, or what Spotify then does. */
    does: (what: string, how: object = {}) => control(what, { musician, ...how }),
    plays: (positionMs: number) => control("play", { musician, trackId: song.trackId, positionMs }),
    play: (asked: object = { form: {} }) => press("play", asked),
    listened: (asked: object = { json: {} }) => press("listened", asked),
    told: async () => answerOf(await press("listened", { json: {} })),
    rate: () => press("rating", { form: { score: "4" } }),
    ratedPage: `/?rated=${song.id}`,
  };
}

/** One whose open listen, of a minute's length, could be confirmed as far as the clock goes. */
async function heardByTheClock(musician: string, track = trackOf("mara-lind", 3)) {
  const made = await ready(musician, track);
  await makeListen(made.listener, made.song, { startedAt: Date.now() - 60_000 });
  return made;
}

async function answerOf(answer: Response): Promise<[number, unknown]> {
  return [answer.status, await answer.json()];
}

function whereTo({ status, headers }: Response) {
  return [status, headers.get("Location")];
}

async function evidence() {
  const rows = (await rowsOf("SELECT evidence FROM listens")) as { evidence: string | null }[];
  return rows.map((row) => row.evidence);
}

test("a short song is played, too early, heard and rated, all by forms", async () => {
  const musician = "oskar-brandvik";
  const { song, does, plays, play, listened, rate, ratedPage } = await ready(musician);
  await does("openApp");
  expect(whereTo(await play())).toEqual([303, "/"]);
  expect(await does("state")).toMatchObject({ playing: true, trackId: song.trackId });
  const early = await rate();
  expect(early.status).toBe(409);
  expect(await early.text()).toContain("You have not listened long enough yet.");
  passTime(song.durationMs);
  await plays(song.durationMs - 500);
  expect(whereTo(await listened({ form: {} }))).toEqual([303, "/"]);
  expect(await evidence()).toEqual(["spotify"]);
  expect(whereTo(await rate())).toEqual([303, ratedPage]);
});

test("a script that names its device gets JSON and starts the playback itself", async () => {
  const musician = "paloma-echegaray";
  const { play, told } = await ready(musician, trackOf("mara-lind", 3));
  const before = Date.now();
  const answer = await play({ json: { deviceId: "here" } });
  const started = await answer.json<{ unlocksAt: number }>();
  expect([answer.status, started]).toEqual([
    200,
    { listenId: expect.any(String), requiredSeconds: 55, unlocksAt: expect.any(Number) },
  ]);
  expect(started.unlocksAt).toBeGreaterThanOrEqual(before + 56_000);
  expect(started.unlocksAt).toBeLessThanOrEqual(Date.now() + 56_000);
  expect(await told()).toEqual([
    409,
    { error: "You have not listened long enough yet.", secondsLeft: expect.any(Number) },
  ]);
  expect(await sandboxRequests(musician)).toEqual([]);
});

test.each([null, { status: 0 }, { status: 500 }, { status: 429, retryAfter: 1 }, { status: 403 }])(
  "without a script, what plays is paused before the song starts, which does not depend on the pause (%j)",
  async (fault) => {
    const musician = "sindre-haugastol";
    const { song, does, play } = await ready(musician);
    await does("playOther");
    if (fault) await does("fail", { route: "PUT /v1/me/player/pause", ...fault });
    expect((await play()).status).toBe(303);
    expect(await does("state")).toMatchObject({ playing: true, trackId: song.trackId });
    const calls = (await sandboxRequests(musician)).map(({ path }) => path.split("/").at(-1));
    expect([calls[0], calls.at(-1)]).toEqual(["pause", "play"]);
  },
);

test("a heard song that is played again stays open to rating, whatever then plays", async () => {
  const { song, listener, does, play, listened, rate, ratedPage } = await ready("oskar-brandvik");
  const startedAt = Date.now() - 60_000;
  const listenId = await makeListen(listener, song, { startedAt, finishedAt: startedAt + 56_000 });
  expect(await answerOf(await play({ json: { deviceId: "here" } }))).toMatchObject([
    200,
    { listenId, unlocksAt: startedAt + 56_000, heard: true },
  ]);
  await does("openApp");
  expect(whereTo(await play())).toEqual([303, "/"]);
  await does("playOther");
  expect((await listened()).status).toBe(200);
  expect(whereTo(await rate())).toEqual([303, ratedPage]);
});

test("without an active device PLAY SONG is a 409 that says what to do", async () => {
  const { does, play } = await ready("nerys-pengelly");
  const help = expect.stringContaining("Open your Spotify app");
  const page = await play();
  expect([page.status, await page.text()]).toEqual([409, help]);
  expect(await answerOf(await play({ json: {} }))).toEqual([409, { error: help }]);
  // A phone that is listed but not in use is no active device either.
  await does("openApp", { active: false });
  expect((await play({ json: {} })).status).toBe(409);
  expect(await rowsOf("SELECT id FROM listens")).toEqual([]);
});

test.each([true, false])(
  "an explicit song that Spotify hides says so, and leads to passing (stored as explicit: %s)",
  async (explicit) => {
    const { song, does, play } = await ready("nerys-pengelly", { ...carouselSong, explicit });
    await does("openApp");
    await does("hideExplicit");
    await control("track", { trackId: song.trackId, explicit: true });
    const help = "your Spotify hides explicit songs";
    const page = await play();
    const text = await page.text();
    expect([page.status, text]).toEqual([409, expect.stringContaining(help)]);
    expect(text).toContain(`href="/songs/${song.id}/pass/reason"`);
    if (explicit) {
      // For a page that plays by itself, too.
      expect(await answerOf(await play({ json: { deviceId: "tab" } }))).toEqual([
        409,
        { error: expect.stringContaining(help) },
      ]);
      expect(await rowsOf("SELECT id FROM listens")).toEqual([]);
      expect(await rowsOf("SELECT song_id FROM unplayable_reports")).toEqual([]);
      await does("hideExplicit", { on: false });
      // Longer than an answer is kept.
      passTime(6_000);
      expect((await play()).status).toBe(303);
    }
    await control("track", { trackId: song.trackId });
  },
);

test.each([true, false])(
  "the carousel marks explicit songs, and no others (%s)",
  async (explicit) => {
    const { cookie } = await ready("nerys-pengelly", { ...carouselSong, explicit });
    const page = await (await request("/", { cookie })).text();
    expect(page.includes(">Explicit<")).toBe(explicit);
  },
);

test("a song relinked by Spotify is heard under its other id, and Premium is asked for no more once a song was heard", async () => {
  const { listener, plays, listened } = await heardByTheClock(
    "zbigniew-jaskier",
    trackOf("lumi-haavisto", 4),
  );
  await makeMember({ musician: "zbigniew-jaskier" });
  await env.DB.prepare("UPDATE sessions SET has_spotify_premium = 0").run();
  await plays(60_000);
  expect((await listened()).status).toBe(200);
  expect(await evidence()).toEqual(["spotify"]);
  const premium = "SELECT user_id FROM sessions WHERE has_spotify_premium = 1";
  expect(await rowsOf(premium)).toEqual([{ user_id: listener.id }]);
});

test("a song paused or left for another one, or for an episode, is not heard", async () => {
  const { does, plays, told } = await heardByTheClock("emre-yildizhan");
  await plays(20_000);
  await does("pause");
  expect(await told()).toEqual([
    409,
    {
      error: "The song was paused too early. Resume, and your time goes on.",
      secondsLeft: expect.any(Number),
    },
  ]);
  const error = "Another song is playing. Go back to yours to rate it.";
  await does("playOther");
  expect(await told()).toEqual([409, { error, secondsLeft: 56 }]);
  await does("episode");
  expect(await told()).toMatchObject([409, { error }]);
  expect(await evidence()).toEqual([null]);
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
    const { does, plays, told, listened } = await heardByTheClock("emre-yildizhan");
    await plays(60_000);
    await does("fail", { route: "GET /v1/me/player", ...answer });
    const error = expect.stringContaining("What you have heard still counts");
    expect(await told()).toEqual([409, { error, secondsLeft: 1 }]);
    expect(await rowsOf("SELECT finished_at, doubted_at FROM listens")).toEqual([
      { finished_at: null, doubted_at: null },
    ]);
    expect((await listened()).status).toBe(200);
    expect(await evidence()).toEqual(["spotify"]);
  },
);

test("a closed app, a private session and an advertisement never confirm a song, however often it is asked", async () => {
  const { does, plays, told } = await heardByTheClock("emre-yildizhan");
  for (const [silence, how, error] of [
    ["closeApp", {}, /private session/],
    ["privateSession", {}, /private session/],
    ["advertisement", {}, /private session/],
    // Spotify tells of it.
    ["privateSession", { told: true }, /^Your Spotify is in a private session/],
  ] as const) {
    await plays(60_000);
    await does(silence, how);
    for (let n = 0; n < 3; n += 1) {
      expect(await told()).toMatchObject([409, { error: expect.stringMatching(error) }]);
    }
  }
  expect(await evidence()).toEqual([null]);
});

test.each([{ status: 0 }, { status: 500 }, { status: 503, body: "<html>Bad gateway</html>" }])(
  "where Spotify answers %j the clock decides, without waiting",
  async (fault) => {
    const musician = "liora-ben-tal";
    const { does, listened } = await heardByTheClock(musician);
    await does("fail", { route: "GET /v1/me/player", ...fault });
    expect((await listened()).status).toBe(200);
    expect(await evidence()).toEqual(["clock"]);
    expect(await sandboxRequests(musician)).toHaveLength(1);
  },
);

test.each([
  { retryAfter: 1, secondsLeft: 1 },
  { retryAfter: 7200, secondsLeft: 15 },
])(
  "a limit of $retryAfter s is waited for, without losing the listen",
  async ({ retryAfter, secondsLeft }) => {
    const { does, plays, told, listened, rate } = await heardByTheClock("matteo-sorgente");
    await plays(60_000);
    await does("fail", { route: "GET /v1/me/player", status: 429, retryAfter });
    expect(await told()).toEqual([
      409,
      { error: expect.stringContaining("slow down"), secondsLeft },
    ]);
    const form = await rate();
    expect(form.status).toBe(409);
    expect(await form.text()).toContain("What you have heard still counts");
    expect(await evidence()).toEqual([null]);
    passTime(retryAfter * 1000);
    expect((await listened()).status).toBe(200);
    expect(await evidence()).toEqual(["spotify"]);
  },
);

test("where Spotify refuses, in plain text, the song is not heard", async () => {
  const { does, listened } = await heardByTheClock("matteo-sorgente");
  const body = "User not registered in the Developer Dashboard";
  await does("fail", { route: "GET /v1/me/player", status: 403, body });
  expect((await listened()).status).toBe(502);
  expect(await evidence()).toEqual([null]);
});

test("a token that Spotify takes no more is renewed on the way, and a login ended there is a 401", async () => {
  const { does, plays, listened } = await heardByTheClock("marisol-quintanar");
  await plays(20_000);
  await does("expireTokens");
  // Asked with a new token: the song is on, but not far enough.
  expect((await listened()).status).toBe(409);
  await does("expireTokens");
  await does("revoke");
  expect((await listened()).status).toBe(401);
  expect(await evidence()).toEqual([null]);
});
