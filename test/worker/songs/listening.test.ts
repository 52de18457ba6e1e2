import { expect, test } from "vitest";
import { finishListen } from "~/exchange/listening/listens.server";
import type { Playback } from "~/sources/listen";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { baseTime, makeListen, makePackage, makeRating } from "../../support/database/factories";
import { change, db, row, rows, untouched } from "../../support/database/rows";
import { type Cast, fill, type Someone, someone, song, unlock } from "../../support/people";
import { catalogue, playing, stubSpotify } from "../../support/spotify/stub";

type Song = Cast<typeof song>;

const ok = { ok: true };
const open = { finishedAt: null, evidence: null };
const heard = { finishedAt: unlock, evidence: "spotify" };
const fails = (error: SpotifyError) => () => Promise.reject(error);
const answers = (status: number) => ({ playback: fails(new SpotifyError(status, "no")) });
const another = { trackIds: ["another"], isrc: null };

function start(by: Someone, it: Song, at = baseTime, playback?: () => Promise<void>) {
  return by.at(at).starts(it, playback, catalogue(it));
}

/** Spotify plays the song on request, whatever it says is playing. */
function confirm(by: Someone, it: Song, spotify: Partial<Spotify> = {}, at = unlock) {
  return by.at(at).confirms(it, { ...spotify, track: catalogue(it).track });
}

/** What Spotify says where the song plays as far as the clock says, but for this. */
const says = (it: Song, changes: Partial<Playback> = {}) =>
  playing(it, { progressMs: 56_000, ...changes });

async function openListens() {
  const found = await rows("listens", { closedAt: null });
  return found.map(({ songId, startedAt }) => [songId, startedAt]);
}

/** A listener with two songs to rate. */
async function atCarousel() {
  const [it, other] = [await song(), await song()];
  return { it, other, listener: await someone({ offered: [it, other] }) };
}

/** A listener whose open listen of a song of 3 minutes began at `baseTime`. */
async function listening(options: Parameters<typeof song>[0] = {}) {
  const it = await song({ isrc: "ZZFVF1600001", ...options });
  return { it, listener: await someone({ listensTo: it }) };
}

test("PLAY SONG opens a listen that says when it unlocks", async () => {
  const { it, listener } = await atCarousel();
  const opened = { listenId: expect.any(String), requiredSeconds: 55, unlocksAt: unlock };
  expect(await start(listener, it)).toEqual(opened);
  expect(await openListens()).toEqual([[it.id, baseTime]]);
});

test("a new listen takes the place of one that was not finished, of the same song too", async () => {
  const { it, other, listener } = await atCarousel();
  await start(listener, it);
  for (const at of [baseTime + 10_000, baseTime + 20_000]) {
    await start(listener, other, at);
    expect(await openListens()).toEqual([[other.id, at]]);
  }
  expect(await rows("listens")).toHaveLength(1);
  expect(await confirm(listener, it, {}, baseTime + 90_000)).toMatchObject({ status: 409 });
});

test("a new listen closes a finished one, which still counts", async () => {
  const { it, other, listener } = await atCarousel();
  await makeListen(listener, it, { finishedAt: unlock });
  await start(listener, other, unlock + 10_000);
  expect(await row("listens", { songId: it.id })).toMatchObject({ closedAt: unlock + 10_000 });
  expect(await openListens()).toEqual([[other.id, unlock + 10_000]]);
  expect(await confirm(listener, it, {}, unlock + 20_000)).toEqual(ok);
});

test("a song that was heard only plays, whatever plays in between, and though others have filled it", async () => {
  const { it, other, listener } = await atCarousel();
  const listenId = await makeListen(listener, it, { finishedAt: unlock });
  const again = { listenId, requiredSeconds: 55, unlocksAt: unlock, heard: true };
  await untouched(async () => {
    expect(await start(listener, it, unlock + 10_000)).toEqual(again);
    const notStarted = await start(listener, it, unlock, fails(new SpotifyError(503, "down")));
    expect(notStarted).toMatchObject({ rejected: true, status: 503 });
  });
  await start(listener, other, unlock + 10_000);
  expect(await start(listener, it, unlock + 20_000)).toEqual(again);
  // What was not heard is no longer being listened to.
  expect(await rows("listens")).toMatchObject([{ id: listenId, finishedAt: unlock }]);
  expect(await confirm(listener, it, {}, unlock + 30_000)).toEqual(ok);
  await fill(it);
  expect(await start(listener, it, unlock + 40_000)).toEqual(again);
});

test("a song that is confirmed while PLAY SONG is pressed once more only plays", async () => {
  const { it, listener } = await atCarousel();
  const first = await start(listener, it);
  const again = await start(listener, it, unlock, async () => {
    await confirm(listener, it, says(it));
  });
  expect(again).toMatchObject({ ...first, unlocksAt: unlock, heard: true });
  expect(await rows("listens")).toMatchObject([heard]);
});

test("two listens at once leave one open", async () => {
  const { it, other, listener } = await atCarousel();
  await listener.viewer();
  await Promise.all([it, other, it, other].map((one) => start(listener, one)));
  expect(await openListens()).toHaveLength(1);
});

test("only a song of the package can be played", async () => {
  const { it, other, listener } = await atCarousel();
  const [own, elsewhere] = [await song({ owner: listener }), await song()];
  await makeRating(listener, other);
  // A song in somebody else's package is not in this one.
  await makePackage(await someone(), [elsewhere]);
  for (const [one, status] of [
    [elsewhere, 409],
    [own, 403],
    [other, 409],
    [{ ...own, id: "nowhere" }, 404],
  ] as const) {
    expect(await start(listener, one)).toMatchObject({ rejected: true, status });
  }
  expect(await openListens()).toEqual([]);
  expect(await start(listener, it)).toMatchObject({ requiredSeconds: 55 });
});

test("a song that others filled meanwhile is played on only by who is listening to it", async () => {
  const { it, listener } = await atCarousel();
  await fill(it);
  expect(await start(listener, it)).toMatchObject({ rejected: true, status: 409 });
  await makeListen(listener, it);
  expect(await start(listener, it, baseTime + 5000)).toMatchObject({ requiredSeconds: 55 });
});

test.each([
  ["free", 180_000, 55],
  ["premium", 180_000, 34],
  ["past_due", 180_000, 34],
  ["free", 5_200, 4],
] as const)(
  "a %s listener of a song of %i ms must hear %i s",
  async (tier, durationMs, seconds) => {
    const it = await song({ durationMs });
    const listener = await someone({ tier, offered: [it] });
    const unlocksAt = baseTime + (seconds + 1) * 1000;
    expect(await start(listener, it)).toMatchObject({ requiredSeconds: seconds, unlocksAt });
  },
);

test.each([
  // Spotify tells no more of it; an outage is one.
  [new SpotifyError(403, "Restriction violated"), 409, "I can't rate this"],
  [new SpotifyError(502, "Bad gateway"), 503, ""],
  [new SpotifyError(404, "", { reason: "NO_ACTIVE_DEVICE" }), 409, "private session"],
])("an explicit song that does not start with %s is told with %i", async (error, status, told) => {
  const it = await song({ explicit: true });
  const answer = await start(await someone({ offered: [it] }), it, baseTime, fails(error));
  expect(answer).toMatchObject({ status, error: expect.stringContaining(told) });
});

test("a listen counts from when the playback has started", async () => {
  const { it, listener } = await atCarousel();
  const played: string[] = [];
  const started = await listener.at(baseTime).starts(it, async (trackId) => {
    played.push(trackId);
    listener.waits(2_500);
  });
  expect(started).toMatchObject({ unlocksAt: unlock + 2_500 });
  expect(played).toEqual([it.trackId]);
});

test.each([
  [new SpotifyError(404, "No active device", { reason: "NO_ACTIVE_DEVICE" }), 409],
  [new SpotifyError(403, "Premium required", { reason: "PREMIUM_REQUIRED" }), 409],
  [new SpotifyError(401, "The access token expired"), 401],
  [new SpotifyError(403, "Forbidden"), 502],
  [new SpotifyError(429, "API rate limit exceeded"), 503],
  [new SpotifyError(0, "Spotify could not be reached"), 503],
])("where the playback fails with %s it is a %i and no listen", async (error, status) => {
  const { it, other, listener } = await atCarousel();
  await start(listener, it);
  const answer = await start(listener, other, baseTime + 1000, fails(error));
  expect(answer).toMatchObject({ rejected: true, status });
  // What was being heard is not lost by it.
  expect(await openListens()).toEqual([[it.id, baseTime]]);
});

test("too early by the clock Spotify is not asked", async () => {
  const { it, listener } = await listening();
  expect(await confirm(listener, it, {}, baseTime)).toMatchObject({ secondsLeft: 56 });
  const early = { status: 409, secondsLeft: 1 };
  expect(await confirm(listener, it, {}, unlock - 1)).toMatchObject(early);
  expect(await row("listens")).toMatchObject(open);
});

test("a listen that a check found silent, because Spotify tells nothing, is told so, however long it takes", async () => {
  const { it, listener } = await listening();
  const silent = { observedAt: unlock - 30_000, heardMs: 0, recheckAt: unlock + 60_000 };
  await change("listens", {}, silent);
  const unknown = await confirm(listener, it, { playback: async () => null });
  const told = expect.stringContaining("private session");
  expect(unknown).toMatchObject({ status: 409, error: told, secondsLeft: 26 });
  const hidden = { playback: async () => "private" as const };
  // Before the time is over nothing tells of the check.
  const early = await confirm(listener, it, hidden, unlock - 1);
  expect(early).toMatchObject({ error: expect.not.stringContaining("private") });
  const late = await confirm(listener, it, hidden);
  expect(late).toMatchObject({ error: expect.stringMatching(/^Your Spotify is in a private/) });
});

test.each<[string, Partial<Playback>]>([
  ["plays as far as the clock says", {}],
  ["plays relinked, by the id asked for", { trackIds: ["relinked", "asked"], isrc: null }],
  ["plays under another id as the same recording", { trackIds: ["another"] }],
])("a song that %s is heard", async (_, said) => {
  const { it, listener } = await listening({ trackId: "asked" });
  expect(await confirm(listener, it, says(it, said))).toEqual(ok);
  expect(await row("listens")).toMatchObject(heard);
});

test.each<[string, Partial<Playback>, number]>([
  ["was paused on the way", { progressMs: 20_000, playing: false }, 36],
  ["is another recording", { trackIds: ["another"], isrc: "ZZFVF1600002" }, 56],
  ["is another, where both have no recording's code", another, 56],
])("a song that %s is not heard", async (_, said, secondsLeft) => {
  const { it, listener } = await listening(said === another ? { isrc: null } : {});
  const answer = await confirm(listener, it, says(it, said));
  expect(answer).toMatchObject({ rejected: true, status: 409, secondsLeft });
  expect(await row("listens")).toMatchObject(open);
});

test("a song of which Spotify does not tell whether it plays is neither heard nor doubted", async () => {
  const { it, listener } = await listening();
  const unknown = await confirm(listener, it, { playback: async () => null });
  expect(unknown).toMatchObject({ status: 409, secondsLeft: 1 });
  expect(await row("listens")).toMatchObject({ ...open, doubtedAt: null });
  const later = says(it, { progressMs: 57_000 });
  expect(await confirm(listener, it, later, unlock + 1000)).toEqual(ok);
});

test("a song of a minute that a crossfade has ended is heard", async () => {
  const { it, listener } = await listening({ durationMs: 60_000 });
  const next = (progressMs: number) => says(it, { ...another, progressMs });
  expect(await confirm(listener, it, next(30_000))).toMatchObject({ status: 409 });
  expect(await confirm(listener, it, next(8_000))).toEqual(ok);
  expect(await row("listens")).toMatchObject({ finishedAt: unlock, evidence: "clock" });
});

test("a short song that has ended, a second early at most, and stands at its beginning is heard", async () => {
  const it = await song({ durationMs: 6_000 });
  const listener = await someone();
  await makeListen(listener, it, { requiredSeconds: 3 });
  const stopped = says(it, { progressMs: 0, playing: false });
  const early = await confirm(listener, it, stopped, baseTime + 4_999);
  expect(early).toMatchObject({ status: 409 });
  expect(await confirm(listener, it, stopped, baseTime + 5_000)).toEqual(ok);
  expect(await row("listens")).toMatchObject({ ...heard, finishedAt: baseTime + 5_000 });
});

test.each([0, 500, 503])("Spotify's %i leaves the clock alone to decide", async (status) => {
  const { it, listener } = await listening();
  const early = await confirm(listener, it, answers(status), unlock - 1);
  expect(early).toMatchObject({ status: 409 });
  expect(await confirm(listener, it, answers(status))).toEqual(ok);
  expect(await row("listens")).toMatchObject({ finishedAt: unlock, evidence: "clock" });
});

test.each([
  [401, 401],
  [403, 502],
])("Spotify's %i is a refusal and not a listen", async (status, answered) => {
  const { it, listener } = await listening();
  const refused = await confirm(listener, it, answers(status));
  expect(refused).toMatchObject({ rejected: true, status: answered });
  expect(await row("listens")).toMatchObject(open);
});

test.each<[string, (it: Song) => Partial<Spotify>]>([
  ["Spotify does not answer", () => answers(503)],
  ["it stands at an unknown position", (it) => playing(it, { progressMs: null })],
])(
  "where %s, a song is heard by the clock, unless Spotify has contradicted it",
  async (_, clock) => {
    const { it, listener } = await listening();
    await confirm(listener, it, says(it, another));
    expect(await confirm(listener, it, clock(it))).toMatchObject({ rejected: true, status: 503 });
    expect(await row("listens")).toMatchObject(open);
    // Its word still counts.
    expect(await confirm(listener, it, playing(it))).toEqual(ok);
    expect(await confirm(await someone({ listensTo: it }), it, clock(it))).toEqual(ok);
  },
);

test("a song left for another one while Spotify is asked is not heard", async () => {
  const { it, other, listener } = await atCarousel();
  await start(listener, it);
  const answer = await confirm(listener, it, {
    async playback() {
      await start(listener, other, unlock);
      return playing(it).playback();
    },
  });
  expect(answer).toMatchObject({ rejected: true, status: 409 });
  expect(await rows("listens")).toMatchObject([{ songId: other.id, finishedAt: null }]);
});

test("a listen confirmed twice stays as it was first confirmed", async () => {
  const { it, listener } = await listening();
  await listener.viewer();
  await Promise.all([1, 2].map(() => confirm(listener, it, playing(it))));
  // Recorded already: Spotify is not asked again.
  await untouched(async () =>
    expect(await confirm(listener, it, stubSpotify(), unlock + 5000)).toEqual(ok),
  );
  expect(await row("listens")).toMatchObject(heard);
});

test("a listen finishes once, and not after it was left for another one", async () => {
  const { it, listener } = await listening();
  const left = await makeListen(await someone(), it, { closedAt: baseTime + 10_000 });
  const { id } = await row("listens", { userId: listener.id });
  for (const [listenId, evidence, at] of [
    [id, "spotify", unlock],
    [id, "clock", unlock + 5000],
    [left, "clock", unlock],
  ] as const) {
    await finishListen(db, { listenId, observedAt: null, evidence, at });
  }
  expect(await row("listens", { id })).toMatchObject(heard);
  expect(await row("listens", { id: left })).toMatchObject(open);
});

test("nobody confirms an own song, one that is not there, or one not played", async () => {
  const { it, listener } = await listening();
  // Having heard another song is no hearing of this one.
  expect(await confirm(listener, it, playing(it))).toEqual(ok);
  const own = await song({ owner: listener });
  for (const [one, status] of [
    [own, 403],
    [{ ...it, id: "nowhere" }, 404],
    [await song(), 409],
  ] as const) {
    expect(await confirm(listener, one)).toMatchObject({ status });
  }
});
