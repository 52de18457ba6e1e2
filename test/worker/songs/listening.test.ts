import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { confirmListen, startListen } from "~/exchange/listening/listening.server";
import { finishListen } from "~/exchange/listening/listens.server";
import type { Viewer } from "~/members/viewer.server";
import type { Playback } from "~/sources/listen";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { contents, rowsOf } from "../../support/database/contents";
import {
  baseTime,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
} from "../../support/database/factories";
import { makeViewer } from "../../support/login";
import { servicesAt } from "../../support/services";
import { catalogue, playing, stubSpotify } from "../../support/spotify/stub";

/** A free listener's unlock: 55 seconds and one after a listen that began at `baseTime`. */
const unlock = baseTime + 56_000;

function start(viewer: Viewer, song: TestSong, at = baseTime) {
  const services = servicesAt(at, { spotify: catalogue(song) });
  return startListen(services, viewer, { songId: song.id, startPlayback: null });
}

/** Spotify plays the song on request, whatever it says is playing. */
function confirm(viewer: Viewer, song: TestSong, spotify: Spotify, at = unlock) {
  const services = servicesAt(at, { spotify: { ...spotify, track: catalogue(song).track } });
  return confirmListen(services, viewer, song.id);
}

function openListens() {
  return rowsOf("SELECT song_id, started_at FROM listens WHERE closed_at IS NULL");
}

function evidence() {
  return rowsOf("SELECT finished_at, evidence FROM listens");
}

/** A listener with two songs to rate. */
async function atCarousel() {
  const owner = await makeUser();
  const songs = [await makeSong(owner), await makeSong(owner)] as const;
  const listener = await makeUser();
  await makePackage(listener, [...songs]);
  return { songs, listener, viewer: await makeViewer(listener) };
}

/** A listener whose open listen of a song of 3 minutes began at `baseTime`. */
async function listening(song: Partial<TestSong> = {}, requiredSeconds = 55) {
  const heard = await makeSong(await makeUser(), { isrc: "ZZFVF1600001", ...song });
  const listener = await makeUser();
  const listenId = await makeListen(listener, heard, { requiredSeconds });
  return { song: heard, listener, listenId, viewer: await makeViewer(listener) };
}

test("PLAY SONG opens a listen that says when it unlocks", async () => {
  const { songs, viewer } = await atCarousel();
  expect(await start(viewer, songs[0])).toEqual({
    listenId: expect.any(String),
    requiredSeconds: 55,
    unlocksAt: unlock,
  });
  expect(await openListens()).toEqual([{ song_id: songs[0].id, started_at: baseTime }]);
});

test("a new listen takes the place of one that was not finished, of the same song too", async () => {
  const { songs, viewer } = await atCarousel();
  await start(viewer, songs[0]);
  await start(viewer, songs[1], baseTime + 10_000);
  expect(await openListens()).toEqual([{ song_id: songs[1].id, started_at: baseTime + 10_000 }]);
  await start(viewer, songs[1], baseTime + 20_000);
  expect(await openListens()).toEqual([{ song_id: songs[1].id, started_at: baseTime + 20_000 }]);
  expect(await rowsOf("SELECT id FROM listens")).toHaveLength(1);
  expect(await confirm(viewer, songs[0], stubSpotify(), baseTime + 90_000)).toMatchObject({
    status: 409,
  });
});

test("a new listen closes a finished one, which still counts", async () => {
  const { songs, listener, viewer } = await atCarousel();
  await makeListen(listener, songs[0], { finishedAt: unlock });
  await start(viewer, songs[1], unlock + 10_000);
  expect(await rowsOf("SELECT song_id, closed_at FROM listens ORDER BY started_at")).toEqual([
    { song_id: songs[0].id, closed_at: unlock + 10_000 },
    { song_id: songs[1].id, closed_at: null },
  ]);
  expect(await confirm(viewer, songs[0], stubSpotify(), unlock + 20_000)).toEqual({ ok: true });
});

test("a song that was heard only plays: its listen is neither lost nor opened again", async () => {
  const { songs, listener, viewer } = await atCarousel();
  const listenId = await makeListen(listener, songs[0], { finishedAt: unlock });
  const before = await contents("listens");
  const again = { listenId, requiredSeconds: 55, unlocksAt: unlock, heard: true };
  expect(await start(viewer, songs[0], unlock + 10_000)).toEqual(again);
  expect(await contents("listens")).toEqual(before);
});

test("nor is it by another song in between, in this tab or another", async () => {
  const { songs, listener, viewer } = await atCarousel();
  const listenId = await makeListen(listener, songs[0], { finishedAt: unlock });
  await start(viewer, songs[1], unlock + 10_000);
  expect(await start(viewer, songs[0], unlock + 20_000)).toMatchObject({ listenId, heard: true });
  // What was not heard is no longer being listened to.
  expect(await rowsOf("SELECT id, finished_at FROM listens")).toEqual([
    { id: listenId, finished_at: unlock },
  ]);
  expect(await confirm(viewer, songs[0], stubSpotify(), unlock + 30_000)).toEqual({ ok: true });
});

test("nor is it where it is confirmed while PLAY SONG is pressed once more", async () => {
  const { songs, viewer } = await atCarousel();
  const first = await start(viewer, songs[0]);
  const services = servicesAt(unlock, { spotify: catalogue(songs[0]) });
  const again = await startListen(services, viewer, {
    songId: songs[0].id,
    startPlayback: async () => {
      await confirm(viewer, songs[0], playing(songs[0], { progressMs: 56_000 }));
    },
  });
  expect(again).toMatchObject({ ...first, unlocksAt: unlock, heard: true });
  expect(await evidence()).toEqual([{ finished_at: unlock, evidence: "spotify" }]);
});

test("a heard song may be played though others have filled it", async () => {
  const { songs, listener, viewer } = await atCarousel();
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), songs[0]);
  await makeListen(listener, songs[0], { finishedAt: unlock, closedAt: unlock });
  expect(await start(viewer, songs[0], unlock)).toMatchObject({ heard: true });
});

test("a heard song that does not start stays heard", async () => {
  const { songs, listener, viewer } = await atCarousel();
  await makeListen(listener, songs[0], { finishedAt: unlock });
  const before = await contents("listens");
  const answer = await startListen(servicesAt(unlock, { spotify: catalogue(songs[0]) }), viewer, {
    songId: songs[0].id,
    startPlayback: () => Promise.reject(new SpotifyError(503, "down")),
  });
  expect(answer).toMatchObject({ rejected: true, status: 503 });
  expect(await contents("listens")).toEqual(before);
});

test("two listens at once leave one open", async () => {
  const { songs, viewer } = await atCarousel();
  await Promise.all([...songs, ...songs].map((song) => start(viewer, song)));
  expect(await openListens()).toHaveLength(1);
});

test("only a song of the package can be played", async () => {
  const { songs, listener, viewer } = await atCarousel();
  const elsewhere = await makeSong(await makeUser());
  const own = await makeSong(listener);
  await makeRating(listener, songs[1]);
  // A song in somebody else's package is not in this one.
  await makePackage(await makeUser(), [elsewhere]);
  expect(await start(viewer, elsewhere)).toMatchObject({ rejected: true, status: 409 });
  expect(await start(viewer, own)).toMatchObject({ rejected: true, status: 403 });
  expect(await start(viewer, songs[1])).toMatchObject({ rejected: true, status: 409 });
  expect(await start(viewer, { ...own, id: "nowhere" })).toMatchObject({ status: 404 });
  expect(await openListens()).toEqual([]);
});

test("a song that others filled meanwhile is played on only by who is listening to it", async () => {
  const { songs, listener, viewer } = await atCarousel();
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), songs[0]);
  expect(await start(viewer, songs[0])).toMatchObject({ rejected: true, status: 409 });
  await makeListen(listener, songs[0]);
  expect(await start(viewer, songs[0], baseTime + 5000)).toMatchObject({ requiredSeconds: 55 });
});

test.each([
  ["free", 180_000, 55],
  ["premium", 180_000, 34],
  ["past_due", 180_000, 34],
  ["free", 55_000, 55],
  ["free", 54_999, 53],
  ["premium", 33_999, 32],
  ["free", 5_200, 4],
  ["free", 4_000, 3],
  ["premium", 1_500, 3],
] as const)(
  "a %s listener of a song of %i ms must hear %i s",
  async (tier, durationMs, seconds) => {
    const listener = await makeUser({ tier });
    const song = await makeSong(await makeUser(), { durationMs });
    await makePackage(listener, [song]);
    expect(await start(await makeViewer(listener), song)).toMatchObject({
      requiredSeconds: seconds,
      unlocksAt: baseTime + (seconds + 1) * 1000,
    });
  },
);

test("an explicit song that does not start, of which Spotify tells no more, leads to passing", async () => {
  const song = await makeSong(await makeUser(), { explicit: true });
  const listener = await makeUser();
  await makePackage(listener, [song]);
  const viewer = await makeViewer(listener);
  const startWith = (error: SpotifyError) =>
    startListen(servicesAt(baseTime, { spotify: catalogue(song) }), viewer, {
      songId: song.id,
      startPlayback: () => Promise.reject(error),
    });
  expect(await startWith(new SpotifyError(403, "Restriction violated"))).toMatchObject({
    ...{ status: 409, error: expect.stringContaining("I can't rate this") },
  });
  // An outage is one.
  expect(await startWith(new SpotifyError(502, "Bad gateway"))).toMatchObject({ status: 503 });
  const noDevice = new SpotifyError(404, "No device", { reason: "NO_ACTIVE_DEVICE" });
  expect(await startWith(noDevice)).toMatchObject({
    error: expect.stringContaining("private session"),
  });
});

test("a listen counts from when the playback has started", async () => {
  const { songs, viewer } = await atCarousel();
  let now = baseTime;
  const played: string[] = [];
  const play = async (trackId: string) => {
    played.push(trackId);
    now += 2_500;
  };
  const started = await startListen(
    servicesAt(() => now, { spotify: catalogue() }),
    viewer,
    {
      songId: songs[0].id,
      startPlayback: play,
    },
  );
  expect(started).toMatchObject({ unlocksAt: unlock + 2_500 });
  expect(played).toEqual([songs[0].trackId]);
});

test.each([
  [new SpotifyError(404, "No active device", { reason: "NO_ACTIVE_DEVICE" }), 409],
  [new SpotifyError(403, "Premium required", { reason: "PREMIUM_REQUIRED" }), 409],
  [new SpotifyError(401, "The access token expired"), 401],
  [new SpotifyError(403, "Forbidden"), 502],
  [new SpotifyError(429, "API rate limit exceeded"), 503],
  [new SpotifyError(0, "Spotify could not be reached"), 503],
])("where the playback fails with %s it is a %i and no listen", async (error, status) => {
  const { songs, viewer } = await atCarousel();
  await start(viewer, songs[0]);
  const answer = await startListen(
    servicesAt(baseTime + 1000, { spotify: catalogue(songs[1]) }),
    viewer,
    { songId: songs[1].id, startPlayback: () => Promise.reject(error) },
  );
  expect(answer).toMatchObject({ rejected: true, status });
  // What was being heard is not lost by it.
  expect(await openListens()).toEqual([{ song_id: songs[0].id, started_at: baseTime }]);
});

test("too early by the clock Spotify is not asked", async () => {
  const { song, viewer } = await listening();
  expect(await confirm(viewer, song, stubSpotify(), baseTime)).toMatchObject({ secondsLeft: 56 });
  expect(await confirm(viewer, song, stubSpotify(), unlock - 1)).toMatchObject({
    status: 409,
    secondsLeft: 1,
  });
  expect(await evidence()).toEqual([{ finished_at: null, evidence: null }]);
});

test("a listen that a check found silent, because Spotify tells nothing, is told so, however long it takes", async () => {
  const { song, viewer } = await listening();
  const silent = { observed_at: unlock - 30_000, recheck_at: unlock + 60_000 };
  await env.DB.prepare("UPDATE listens SET observed_at = ?, heard_ms = 0, recheck_at = ?")
    .bind(silent.observed_at, silent.recheck_at)
    .run();
  const unknown = stubSpotify({ playback: async () => null, track: catalogue(song).track });
  expect(await confirm(viewer, song, unknown, unlock)).toMatchObject({
    ...{ status: 409, error: expect.stringContaining("private session"), secondsLeft: 26 },
  });
  const told = stubSpotify({ playback: async () => "private", track: catalogue(song).track });
  // Before the time is over nothing tells of the check.
  expect(await confirm(viewer, song, told, unlock - 1)).toMatchObject({
    error: expect.not.stringContaining("private"),
  });
  expect(await confirm(viewer, song, told, unlock)).toMatchObject({
    error: expect.stringMatching(/^Your Spotify is in a private session/),
  });
});

/** What Spotify may say at the unlock that makes the song heard. */
const heard: [string, Partial<Playback>][] = [
  ["plays as far as the clock says", { progressMs: 56_000 }],
  ["lags by a second", { progressMs: 55_000 }],
  ["was paused after the unlock", { progressMs: 56_000, playing: false }],
  ["plays under another id, relinked from this one", { trackIds: ["relinked", "asked"] }],
  ["plays under another id as the same recording", { trackIds: ["another"] }],
];

test.each(heard)("a song that %s is heard", async (_, said) => {
  const { song, viewer } = await listening({ trackId: "asked" });
  expect(await confirm(viewer, song, playing(song, { progressMs: 56_000, ...said }))).toEqual({
    ok: true,
  });
  expect(await evidence()).toEqual([{ finished_at: unlock, evidence: "spotify" }]);
});

test("a song relinked without a recording's code is known by the id asked for", async () => {
  const { song, viewer } = await listening({ isrc: null, trackId: "asked" });
  const spotify = playing(song, { trackIds: ["relinked", "asked"] });
  expect(await confirm(viewer, song, spotify)).toEqual({ ok: true });
});

/** What Spotify may say at the unlock that does not, and how long it then takes, in seconds. */
const unheard: [string, Partial<Playback>, number][] = [
  ["was paused on the way", { progressMs: 20_000, playing: false }, 36],
  ["was begun again", { progressMs: 20_000 }, 36],
  ["lags by more than a second", { progressMs: 54_999 }, 2],
  ["stands at its beginning before its end", { progressMs: 0, playing: false }, 56],
  ["is another one", { trackIds: ["another"], isrc: "ZZFVF1600002" }, 56],
  ["is another one without a recording's code", { trackIds: ["another"], isrc: null }, 56],
];

test.each(unheard)("a song that %s is not heard", async (_, said, secondsLeft) => {
  const { song, viewer } = await listening();
  const answer = await confirm(viewer, song, playing(song, { progressMs: 56_000, ...said }));
  expect(answer).toMatchObject({ rejected: true, status: 409, secondsLeft });
  expect(await evidence()).toEqual([{ finished_at: null, evidence: null }]);
});

test("two songs that both have no recording's code are not the same", async () => {
  const { song, viewer } = await listening({ isrc: null });
  const other = playing(song, { trackIds: ["another"], isrc: null });
  expect(await confirm(viewer, song, other)).toMatchObject({ status: 409, secondsLeft: 56 });
});

const nothing = stubSpotify({ playback: async () => null });

test("a song of which Spotify does not tell whether it plays is neither heard nor doubted", async () => {
  const { song, viewer } = await listening();
  expect(await confirm(viewer, song, nothing)).toMatchObject({ status: 409, secondsLeft: 1 });
  expect(await evidence()).toEqual([{ finished_at: null, evidence: null }]);
  const later = playing(song, { progressMs: 57_000 });
  expect(await confirm(viewer, song, later, unlock + 1000)).toEqual({ ok: true });
});

test("a song at an unknown position is heard by the clock, unless Spotify has contradicted it", async () => {
  const { song, viewer } = await listening();
  const placeless = playing(song, { progressMs: null });
  await confirm(viewer, song, playing(song, { trackIds: ["another"], isrc: null }));
  expect(await confirm(viewer, song, placeless)).toMatchObject({ status: 503 });
  expect(await evidence()).toEqual([{ finished_at: null, evidence: null }]);
  const fresh = await listening();
  expect(
    await confirm(fresh.viewer, fresh.song, playing(fresh.song, { progressMs: null })),
  ).toEqual({
    ok: true,
  });
});

test("a song of a minute that a crossfade has ended is heard", async () => {
  const { song, viewer } = await listening({ durationMs: 60_000 });
  const next = (progressMs: number) =>
    playing(song, { progressMs, trackIds: ["next"], isrc: null });
  expect(await confirm(viewer, song, next(30_000))).toMatchObject({ status: 409 });
  expect(await confirm(viewer, song, next(8_000))).toEqual({ ok: true });
  expect(await evidence()).toEqual([{ finished_at: unlock, evidence: "clock" }]);
});

test("a short song that has ended, a second early at most, and stands at its beginning is heard", async () => {
  const { song, viewer } = await listening({ durationMs: 6_000 }, 3);
  const stopped = playing(song, { progressMs: 0, playing: false });
  expect(await confirm(viewer, song, stopped, baseTime + 4_999)).toMatchObject({ status: 409 });
  expect(await confirm(viewer, song, stopped, baseTime + 5_000)).toEqual({ ok: true });
  expect(await evidence()).toEqual([{ finished_at: baseTime + 5_000, evidence: "spotify" }]);
});

test.each([
  ["has just begun after it", 4_500 + 2_000, 1_900, { ok: true }],
  ["was begun before it ended", 4_500 + 2_000, 2_100, { status: 409 }],
  ["began long after it ended", 4_500 + 3_001, 100, { status: 409 }],
])("where the next song %s: %#", async (_, elapsed, progressMs, expected) => {
  const { song, viewer } = await listening({ durationMs: 4_500 }, 3);
  const next = playing(song, { progressMs, trackIds: ["next"], isrc: null });
  expect(await confirm(viewer, song, next, baseTime + elapsed)).toMatchObject(expected);
});

test.each([0, 500, 503])("Spotify's %i leaves the clock alone to decide", async (status) => {
  const { song, viewer } = await listening();
  const down = stubSpotify({ playback: () => Promise.reject(new SpotifyError(status, "down")) });
  expect(await confirm(viewer, song, down, unlock - 1)).toMatchObject({ status: 409 });
  expect(await confirm(viewer, song, down)).toEqual({ ok: true });
  expect(await evidence()).toEqual([{ finished_at: unlock, evidence: "clock" }]);
});

test.each([
  [401, 401],
  [403, 502],
])("Spotify's %i is a refusal and not a listen", async (status, answered) => {
  const { song, viewer } = await listening();
  const refusing = stubSpotify({ playback: () => Promise.reject(new SpotifyError(status, "no")) });
  expect(await confirm(viewer, song, refusing)).toMatchObject({ rejected: true, status: answered });
  expect(await evidence()).toEqual([{ finished_at: null, evidence: null }]);
});

test("once Spotify has contradicted a listen, its silence is no word for it", async () => {
  const { song, viewer } = await listening();
  const down = stubSpotify({ playback: () => Promise.reject(new SpotifyError(503, "down")) });
  await confirm(viewer, song, playing(song, { trackIds: ["another"], isrc: null }));
  expect(await confirm(viewer, song, down)).toMatchObject({ rejected: true, status: 503 });
  expect(await evidence()).toEqual([{ finished_at: null, evidence: null }]);
  // Its word still is.
  expect(await confirm(viewer, song, playing(song))).toEqual({ ok: true });
});

test("a song left for another one while Spotify is asked is not heard", async () => {
  const { songs, viewer } = await atCarousel();
  await start(viewer, songs[0]);
  const spotify = stubSpotify({
    async playback() {
      await start(viewer, songs[1], unlock);
      return playing(songs[0]).playback();
    },
  });
  expect(await confirm(viewer, songs[0], spotify)).toMatchObject({ rejected: true, status: 409 });
  expect(await rowsOf("SELECT id FROM listens WHERE finished_at IS NOT NULL")).toEqual([]);
});

test("a listen confirmed twice stays as it was first confirmed", async () => {
  const { song, viewer } = await listening();
  await Promise.all([1, 2].map(() => confirm(viewer, song, playing(song))));
  const before = await contents("listens");
  // Recorded already: Spotify is not asked again.
  expect(await confirm(viewer, song, stubSpotify(), unlock + 5000)).toEqual({ ok: true });
  expect(await contents("listens")).toEqual(before);
  expect(before.listens).toMatchObject([{ finished_at: unlock, evidence: "spotify" }]);
});

test("a listen finishes once, and not after it was left for another one", async () => {
  const { song, listener, listenId } = await listening();
  const left = await makeListen(await makeUser(), song, { closedAt: baseTime + 10_000 });
  const db = createDatabase(env.DB);
  await finishListen(db, { listenId, observedAt: null, evidence: "spotify", at: unlock });
  await finishListen(db, { listenId, observedAt: null, evidence: "clock", at: unlock + 5000 });
  await finishListen(db, { listenId: left, observedAt: null, evidence: "clock", at: unlock });
  expect(
    await rowsOf("SELECT user_id = ? AS listener, finished_at, evidence FROM listens", listener.id),
  ).toEqual([
    { listener: 1, finished_at: unlock, evidence: "spotify" },
    { listener: 0, finished_at: null, evidence: null },
  ]);
});

test("nobody confirms an own song, one that is not there, or one not played", async () => {
  const { song, listener, viewer } = await listening();
  const own = await makeSong(listener);
  const unplayed = await makeSong(await makeUser());
  // Having heard another song is no hearing of this one.
  expect(await confirm(viewer, song, playing(song))).toEqual({ ok: true });
  expect(await confirm(viewer, own, stubSpotify())).toMatchObject({ status: 403 });
  expect(await confirm(viewer, { ...song, id: "nowhere" }, stubSpotify())).toMatchObject({
    status: 404,
  });
  expect(await confirm(viewer, unplayed, stubSpotify())).toMatchObject({ status: 409 });
});
