/** "I can't rate this": a song leaves its listener's package for good, and another takes its place. */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import { passReasons } from "~/exchange/pass/pass";
import { loadPass, type PassRequest, passSong } from "~/exchange/pass/pass.server";
import { selectPool, toPool } from "~/exchange/pool/pool.server";
import { rateSong } from "~/exchange/rating/rate.server";
import { eligibility } from "~/exchange/submission/eligibility";
import { isRejection } from "~/platform/rejection";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { rowsOf } from "../../support/database/contents";
import {
  insert,
  makeListen,
  makeOwnSong,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type OwnTestSong,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { makeSession, makeViewer } from "../../support/login";
import { request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { catalogue, stubSpotify } from "../../support/spotify/stub";

const db = createDatabase(env.DB);
const hour = 3_600_000;
const day = 24 * hour;
const start = Date.now() - hour;

function servicesOf(spotify: Pick<Spotify, "track"> = stubSpotify(), at = start) {
  return servicesAt(at, { spotify: spotify as Spotify });
}

async function makeSongs(count: number): Promise<TestSong[]> {
  const songs: TestSong[] = [];
  for (let n = 0; n < count; n += 1) songs.push(await makeSong(await makeUser()));
  return songs;
}

/** Somebody with a package of some songs, and others in the rotation. */
async function makeListener(drawn: number, others = 0) {
  const user = await makeUser();
  const songs = await makeSongs(drawn);
  const rest = await makeSongs(others);
  await makePackage(user, songs);
  await env.DB.prepare("UPDATE packages SET drawn_at = ? WHERE user_id = ?")
    .bind(start, user.id)
    .run();
  const [song] = songs as [TestSong];
  return { user, songs, song, rest };
}

async function pass(
  user: TestUser,
  { id }: { id: string },
  options: Partial<Omit<PassRequest, "songId">> & {
    at?: number;
    spotify?: Pick<Spotify, "track">;
  } = {},
) {
  const { at = start, spotify, reason = "taste", words = "" } = options;
  return passSong(servicesOf(spotify, at), await makeViewer(user), { songId: id, reason, words });
}

async function packageOf({ id }: TestUser): Promise<string[]> {
  const rows = await rowsOf(
    `SELECT song_id FROM package_songs JOIN packages ON packages.id = package_id
     WHERE user_id = ? ORDER BY position`,
    id,
  );
  return rows.map((row) => (row as { song_id: string }).song_id);
}

async function poolOf(user: TestUser, at = start) {
  return toPool(await selectPool(db, user.id, { hears: true }), await makeViewer(user), {
    now: at,
  });
}

/** The columns of a user that a pass must leave alone. */
function standingOf({ id }: TestUser) {
  return rowsOf("SELECT credits, rated_count, submitted_count FROM users WHERE id = ?", id);
}

test.each(passReasons)(
  "“$label” takes the song out for good, and another takes its place",
  async ({ reason }) => {
    const { user, songs, song, rest } = await makeListener(3, 1);
    const before = [await standingOf(user), await rowsOf("SELECT * FROM songs")];
    expect(await pass(user, song, { reason, spotify: catalogue(song) })).toEqual({ ok: true });
    expect(await packageOf(user)).toEqual([rest[0]?.id, songs[1]?.id, songs[2]?.id]);
    expect(await rowsOf("SELECT song_id, reason, slot FROM passes")).toEqual([
      { song_id: song.id, reason, slot: 1 },
    ]);
    expect([await standingOf(user), await rowsOf("SELECT * FROM songs")]).toEqual(before);
    expect((await poolOf(user)).eligible.map(({ songId }) => songId)).not.toContain(song.id);
  },
);

test("where no song is left, the package is smaller", async () => {
  const { user, songs, song } = await makeListener(2);
  await pass(user, song);
  expect(await packageOf(user)).toEqual([songs[1]?.id]);
});

test("whoever passes on the last song has nothing to rate, and is told so", async () => {
  const { user, song } = await makeListener(1);
  const { cookie } = await makeSession(user);
  const answer = await request(`/songs/${song.id}/pass`, { cookie, form: { reason: "known" } });
  const screen = `/?passed=song:${song.id}`;
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, screen]);
  const page = await (await request(screen, { cookie })).text();
  expect(page).toContain("The song is off your list.");
  // It can still be reported.
  expect(page).toMatch(new RegExp(`<a[^>]* href="/songs/${song.id}/pass/reason">Report it</a>`));
  expect(page).toContain("No songs available to rate");
  expect(page).toContain("You can submit yours once more songs have come in.");
  expect(page).not.toMatch(/to rate before|Please rate/);
});

test("a report is confirmed, and no more is said than what the address can name", async () => {
  const { user, song } = await makeListener(2);
  const { cookie } = await makeSession(user);
  const fields = { reason: "report", words: "Silence" };
  const answer = await request(`/songs/${song.id}/pass`, { cookie, json: fields });
  expect(await answer.json()).toEqual({ ok: true, passed: "report" });
  const told = async (passed: string) => (await request(`/?passed=${passed}`, { cookie })).text();
  expect(await told("report")).toContain("Your report has arrived");
  expect(await told("report")).not.toContain("Report it");
  for (const odd of ["constructor", ":none"]) expect(await told(odd)).not.toContain("rated-notice");
});

test("two a package, six in 24 hours, whatever is pressed at once", async () => {
  const { user, songs } = await makeListener(5, 30);
  let at = start;
  const passAll = async () => {
    const ids = await packageOf(user);
    const results = await Promise.all(ids.map((id) => pass(user, { id }, { at })));
    return results.filter((result) => !isRejection(result)).length;
  };
  const draw = async () => {
    at += 1000;
    const viewer = await makeViewer(user);
    const old = await packageOf(user);
    await env.DB.prepare("DELETE FROM packages WHERE user_id = ?").bind(viewer.userId).run();
    const fresh = (await poolOf(user)).eligible.filter(({ songId }) => !old.includes(songId));
    await makePackage(
      user,
      fresh.slice(0, 5).map(({ songId: id }) => ({ id }) as TestSong),
    );
  };
  expect(songs).toHaveLength(5);
  const passed: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    passed.push(await passAll());
    expect(await passAll()).toBe(0);
    await draw();
  }
  expect(passed).toEqual([2, 2, 2, 0, 0]);
  at += day;
  expect(await passAll()).toBe(2);
});

test("the database itself holds both limits, and that a song is rated or passed on", async () => {
  const user = await makeUser();
  const songs = await makeSongs(7);
  const row = (n: number, given: object = {}) => ({
    id: `pass-${n}`,
    user_id: user.id,
    song_id: songs[n]?.id ?? "",
    package_id: `package-${Math.floor(n / 2)}`,
    slot: (n % 2) + 1,
    reason: "taste",
    created_at: start,
    ...given,
  });
  await expect(insert("passes", row(0, { slot: 3 })).run()).rejects.toThrow("passes_slots");
  for (let n = 0; n < 6; n += 1) await insert("passes", row(n)).run();
  await expect(insert("passes", row(6)).run()).rejects.toThrow("six passes");
  await expect(insert("passes", row(6, { slot: null })).run()).rejects.toThrow("passes_beyond");
  const sameSlot = row(6, { package_id: "package-0", created_at: start + day });
  await expect(insert("passes", sameSlot).run()).rejects.toThrow("UNIQUE");
  await expect(makeRating(user, songs[0] as TestSong)).rejects.toThrow("passed on");
  await makeRating(user, songs[6] as TestSong);
  const rated = row(6, { created_at: start + day });
  await expect(insert("passes", rated).run()).rejects.toThrow("has rated");
  await env.DB.prepare("UPDATE users SET passed_count = 6 WHERE id = ?").bind(user.id).run();
});

test("beyond the passes a report draws no other song, and three in 24 hours are the most", async () => {
  const { user, songs } = await makeListener(5, 10);
  const [first, second, third, fourth, fifth] = songs as [
    TestSong,
    TestSong,
    TestSong,
    TestSong,
    TestSong,
  ];
  await pass(user, first);
  await pass(user, second);
  const drawn = (await packageOf(user)).filter((id) => !songs.some((song) => song.id === id));
  expect(drawn).toHaveLength(2);
  expect(isRejection(await pass(user, third))).toBe(true);

  const page = await loadPass(servicesOf(), await makeViewer(user), third.id);
  expect(page?.obstacle).toContain("You have passed on 2 of these songs already");
  expect(page?.reasons.map(({ reason }) => reason)).toEqual(["report"]);
  const reports = [third, third, fourth].map((song) => pass(user, song, { reason: "report" }));
  expect(await Promise.all(reports)).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
  expect(await packageOf(user)).toEqual([...drawn, fifth.id]);

  // One that was passed on can be reported, too, and is then the last.
  const passed = await loadPass(servicesOf(), await makeViewer(user), first.id);
  expect(passed).toMatchObject({ passed: true, obstacle: null, reasons: [{ reason: "report" }] });
  expect(await pass(user, first, { reason: "report" })).toEqual({ ok: true });
  for (const song of [second, fifth]) {
    expect(await pass(user, song, { reason: "report" })).toMatchObject({
      error: expect.stringContaining("You have reported 3 songs within 24 hours"),
    });
  }
  expect(await packageOf(user)).toEqual([...drawn, fifth.id]);
  const later = await pass(user, fifth, { reason: "report", at: start + day });
  expect([later, await packageOf(user)]).toEqual([{ ok: true }, drawn]);
  expect(await rowsOf("SELECT id FROM reports")).toHaveLength(4);
  const reported = (songId = "") =>
    insert("reports", {
      id: `more-${songId}`,
      song_id: songId,
      reporter_id: user.id,
      words: "",
      created_at: start + day,
    }).run();
  for (const id of drawn) await reported(id);
  await expect(reported(second.id)).rejects.toThrow("three reports");
});

test("a pass that went with its song is free again, whatever was reported beyond the two", async () => {
  const { user, songs } = await makeListener(5);
  const [first, second, reported, fourth, fifth] = songs as [
    TestSong,
    TestSong,
    TestSong,
    TestSong,
    TestSong,
  ];
  await pass(user, first);
  await pass(user, second);
  await pass(user, reported, { reason: "report" });
  await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(first.ownerId).run();
  expect(await pass(user, fourth)).toEqual({ ok: true });
  expect(await pass(user, fifth)).toMatchObject({ status: 409 });
  expect(await rowsOf("SELECT song_id, slot FROM passes ORDER BY rowid")).toEqual([
    { song_id: second.id, slot: 2 },
    { song_id: reported.id, slot: null },
    { song_id: fourth.id, slot: 1 },
  ]);
});

test("reports beyond the passes are none of a day's six", async () => {
  const user = await makeUser();
  const songs = await makeSongs(8);
  const rows = songs.slice(0, 6).map(({ id }, n) => ({
    ...{
      id: `pass-${n}`,
      user_id: user.id,
      song_id: id,
      package_id: `package-${Math.floor(n / 3)}`,
    },
    ...{ slot: [1, 2, null][n % 3] ?? null, reason: n % 3 < 2 ? "taste" : "report" },
    created_at: start,
  }));
  await env.DB.batch(rows.map((row) => insert("passes", row)));
  const left = songs.slice(6);
  await makePackage(user, left);
  const page = await loadPass(servicesOf(), await makeViewer(user), left[0]?.id ?? "");
  expect(page).toMatchObject({ obstacle: null, left: expect.stringContaining("on 2 songs") });
  for (const song of left) expect(await pass(user, song)).toEqual({ ok: true });
  await env.DB.prepare("UPDATE users SET passed_count = 8 WHERE id = ?").bind(user.id).run();
});

test("a second press and the back button change nothing", async () => {
  const { user, song } = await makeListener(3, 5);
  const pressed = await Promise.all([1, 2, 3].map(() => pass(user, song, { reason: "report" })));
  expect(pressed).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
  const after = await packageOf(user);
  expect(await pass(user, song, { reason: "known" })).toEqual({ ok: true });
  expect(await packageOf(user)).toEqual(after);
  expect(await rowsOf("SELECT reason FROM passes")).toEqual([{ reason: "report" }]);
  expect(await rowsOf("SELECT 1 FROM reports")).toHaveLength(1);
  expect(await loadPass(servicesOf(), await makeViewer(user), song.id)).toBeNull();
  const { cookie } = await makeSession(user);
  const page = await request(`/songs/${song.id}/pass/reason`, { cookie });
  expect([page.status, page.headers.get("Location")]).toEqual([302, "/"]);
});

test("two songs passed on at once get two different ones in their places", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { user, songs } = await makeListener(3, 2);
    await Promise.all(songs.slice(0, 2).map((song) => pass(user, song)));
    expect(new Set(await packageOf(user)).size).toBe(3);
  }
});

test.each([
  ["that plays", {}, 0],
  ["that was heard", { finishedAt: start - 1000 }, 1],
])("a song %s can be passed on, and then not be rated", async (_, listen, left) => {
  const { user, song } = await makeListener(2);
  await makeListen(user, song, { startedAt: start - 60_000, ...listen });
  expect(await pass(user, song)).toEqual({ ok: true });
  expect(await rowsOf("SELECT id FROM listens WHERE closed_at IS NULL")).toEqual([]);
  expect(await rowsOf("SELECT id FROM listens")).toHaveLength(left);
  const { cookie } = await makeSession(user);
  for (const path of ["play", "rating"]) {
    const json = { score: 4, deviceId: "here" };
    const answer = await request(`/songs/${song.id}/${path}`, { cookie, json });
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining("passed on") });
    expect(answer.status).toBe(409);
  }
});

test("of a rating and a pass at once exactly one counts", async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const { user, song } = await makeListener(2);
    await makeListen(user, song, { startedAt: start - 60_000, finishedAt: start - 1000 });
    const viewer = await makeViewer(user);
    const rate = () => rateSong(servicesOf(), viewer, { songId: song.id, score: 4 });
    const leave = () => pass(user, song);
    const both = await Promise.all(round % 2 ? [rate(), leave()] : [leave(), rate()]);
    expect(both.filter((one) => !isRejection(one))).toHaveLength(1);
    const [rated] = await rowsOf("SELECT id FROM ratings WHERE song_id = ?", song.id);
    const [passed] = await rowsOf("SELECT id FROM passes WHERE song_id = ?", song.id);
    expect([rated, passed].filter(Boolean)).toHaveLength(1);
    outcomes.add(rated ? "rated" : "passed");
  }
  expect(outcomes.size).toBeGreaterThan(0);
});

test("refused: an unknown song, one's own, a rated one, one of nobody's package, and no reason", async () => {
  const { user, song, rest } = await makeListener(2, 1);
  const own = await makeSong(user);
  await makeRating(user, song);
  const status = async (id: string) => {
    const result = await pass(user, { id });
    return isRejection(result) ? result.status : 200;
  };
  expect(await Promise.all(["none", own.id, song.id, rest[0]?.id ?? ""].map(status))).toEqual([
    404, 403, 409, 409,
  ]);
  const { cookie } = await makeSession(user);
  const long = "x".repeat(301);
  const silent = { reason: "report", words: " \n " };
  for (const json of [{}, { reason: "boring" }, { reason: "report", words: long }, silent]) {
    const answer = await request(`/songs/${song.id}/pass`, { cookie, json });
    expect(answer.status).toBe(422);
  }
});

test.each([
  ["does not play it", (song: TestSong) => catalogue({ ...song, playable: false }), 1],
  ["plays it", (song: TestSong) => catalogue(song), 0],
  [
    "cannot be asked",
    () => stubSpotify({ track: () => Promise.reject(new SpotifyError(503, "")) }),
    0,
  ],
])(
  "“It does not play for me” counts against the song by Spotify's word alone: it %s",
  async (_, spotify, refusals) => {
    const { user, song } = await makeListener(2);
    expect(await pass(user, song, { reason: "unplayable", spotify: spotify(song) })).toEqual({
      ok: true,
    });
    expect(await rowsOf("SELECT song_id FROM unplayable_reports")).toHaveLength(refusals);
  },
);

test("three such passes let the song rest, and its owner is owed one mail", async () => {
  const song = await makeSong(await makeUser());
  const spotify = catalogue({ ...song, playable: false });
  for (let n = 0; n < 3; n += 1) {
    expect(await rowsOf("SELECT id FROM songs WHERE resting_since IS NOT NULL")).toEqual([]);
    const listener = await makeUser();
    await makePackage(listener, [song]);
    await pass(listener, song, { reason: "unplayable", spotify });
  }
  expect(await rowsOf("SELECT id FROM songs WHERE resting_since IS NOT NULL")).toHaveLength(1);
  expect(await rowsOf("SELECT kind FROM outbox")).toEqual([{ kind: "resting" }]);
});

/** Listeners who pass on an own recording, of which so much had come in a listen that they began; null without one. */
async function passOnOwn(song: OwnTestSong, deliveredMs: number | null) {
  const listener = await makeUser();
  await makePackage(listener, [song]);
  if (deliveredMs !== null) await makeListen(listener, song, { deliveredMs });
  expect(await pass(listener, song, { reason: "unplayable" })).toEqual({ ok: true });
}

const reported = "SELECT song_id FROM unplayable_reports WHERE answered_at IS NULL";
const resting = "SELECT id FROM songs WHERE resting_since IS NOT NULL";

test("an own recording counts as not played where its sound had begun to come, and nothing else does", async () => {
  const song = await makeOwnSong(await makeUser());
  await passOnOwn(song, null);
  await passOnOwn(song, 0);
  const listener = await makeUser();
  await makePackage(listener, [song]);
  const heard = { deliveredMs: 60_000, finishedAt: start, startedAt: start - 60_000 };
  await makeListen(listener, song, heard);
  await pass(listener, song, { reason: "unplayable" });
  expect(await rowsOf(reported)).toEqual([]);
  await passOnOwn(song, 9000);
  expect(await rowsOf(reported)).toEqual([{ song_id: song.id }]);
});

test("an own recording that three in a row could not play rests; its owner is told, and may bring it back", async () => {
  const owner = await makeUser();
  const song = await makeOwnSong(owner);
  await passOnOwn(song, 9000);
  await passOnOwn(song, 9000);
  const rater = await makeUser();
  await makeRating(rater, song);
  await env.DB.prepare("UPDATE unplayable_reports SET answered_at = 1").run();
  await passOnOwn(song, 9000);
  await passOnOwn(song, 9000);
  expect(await rowsOf(resting)).toEqual([]);
  await passOnOwn(song, 9000);
  expect(await rowsOf(resting)).toEqual([{ id: song.id }]);
  expect(await rowsOf("SELECT kind, subject_id FROM outbox")).toEqual([
    { kind: "resting", subject_id: song.id },
  ]);
  const { cookie } = await makeSession(owner);
  const page = await (await request("/ratings-of-my-songs", { cookie })).text();
  expect(page).toContain("three listeners in a row could not play it");
  await request(`/songs/${song.id}/resume`, { cookie, form: {} });
  expect([await rowsOf(resting), await rowsOf(reported)]).toEqual([[], []]);
});

test("the other reasons ask Spotify nothing", async () => {
  const { user, songs } = await makeListener(2);
  const track = vi.fn();
  await pass(user, songs[0] as TestSong, { reason: "known", spotify: { track } });
  await pass(user, songs[1] as TestSong, { reason: "report", spotify: { track } });
  expect(track).not.toHaveBeenCalled();
});

test("passing lowers the price of a submission neither now nor later, until the song is rated through", async () => {
  const { user, songs } = await makeListener(2, 1);
  await makeSong(user);
  const price = async (at = start) =>
    eligibility({ credits: 0, submittedCount: 1, ...(await poolOf(user, at)) }, 6, at).cost;
  expect(await price()).toBe(3);
  for (const song of songs) await pass(user, song);
  expect((await poolOf(user)).eligible).toHaveLength(1);
  expect([await price(), await price(start + 29 * day)]).toEqual([3, 3]);
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), songs[0] as TestSong);
  expect([await price(), await price(start + 31 * day)]).toEqual([2, 1]);
});

test("the page says what comes of it and how many are left, before anything is pressed", async () => {
  const { user, songs } = await makeListener(3);
  const { cookie } = await makeSession(user);
  const ask = async (song: TestSong | undefined) =>
    (await (await request(`/songs/${song?.id}/pass/reason`, { cookie })).text()).replaceAll(
      "<!-- -->",
      "",
    );
  const page = await ask(songs[0]);
  for (const { label } of passReasons) expect(page).toContain(label);
  expect(page).toContain("leaves your list for good");
  expect(page).toContain("You can pass on 2 songs for now");
  await pass(user, songs[0] as TestSong, { at: Date.now() });
  expect(await ask(songs[1])).toContain("This is the last song that you can pass on for now.");
  await pass(user, songs[1] as TestSong, { at: Date.now() });
  const last = await ask(songs[2]);
  expect(last).toContain("You have passed on 2 of these songs already");
  expect(last).toContain("You can still report the song.");
  expect(last).not.toContain("I know the artist");
});
