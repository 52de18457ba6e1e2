/** Songs that are files of their owners': submitted, known by their bytes, heard by what was delivered. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { confirmListen, startListen } from "~/exchange/listening/listening.server";
import { passSong } from "~/exchange/pass/pass.server";
import { selectPool, toPool } from "~/exchange/pool/pool.server";
import { rateSong } from "~/exchange/rating/rate.server";
import { returnSong, withdrawSong } from "~/exchange/rotation/withdraw-and-return.server";
import { submitSong } from "~/exchange/submission/submit.server";
import { readMailFacts } from "~/letters/facts.server";
import type { Viewer } from "~/members/viewer.server";
import { readConfig } from "~/platform/env";
import { addToPlaylist } from "~/sources/spotify/library/add.server";
import { favoriteSong, savedSongs } from "~/sources/spotify/library/favorite.server";
import { lookAtOldSongs } from "~/sources/spotify/track-refresh.server";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  giveRatings,
  insert,
  makeListen,
  makeOwnRecording,
  makeOwnSong,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type OwnTestSong,
  type TestRecording,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { makeMember, makeViewer, viewerOf } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { stubSpotify } from "../../support/spotify/stub";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const now = baseTime + 3 * 86_400_000;
const unlock = baseTime + 56_000;
const byMail = { way: "email" } as const;

let mailQueue = noteQueued();
beforeEach(() => {
  mailQueue = noteQueued();
});

function submit(
  viewer: Viewer,
  { id }: { id: string },
  {
    mixOf = null,
    key = unique("form"),
    at = now,
  }: { mixOf?: string | null; key?: string; at?: number } = {},
) {
  return submitSong(servicesAt(at, { mailQueue }), viewer, {
    recordingId: id,
    songId: mixOf,
    requestKey: key,
  });
}

/** A member without Spotify who may submit a song, and their draft. */
async function atDraft(options: Parameters<typeof makeOwnRecording>[1] = {}) {
  const owner = await makeUser();
  await giveRatings(owner, 6);
  return {
    owner,
    viewer: await makeViewer(owner, byMail),
    draft: await makeOwnRecording(owner, { title: "Night Bus", artist: "Ada", ...options }),
  };
}

function songsOf({ id }: TestUser) {
  return rowsOf(
    `SELECT title, artists, track_id, spotify_url, own_recording_id AS file, recording, entitled, owed
     FROM songs WHERE owner_id = ? ORDER BY created_at, id`,
    id,
  );
}

async function poolOf(user: TestUser): Promise<string[]> {
  const viewer = await makeViewer(user, byMail);
  const pool = toPool(await selectPool(db, user.id, { hears: false }), viewer, { now });
  return pool.eligible.map(({ songId }) => songId);
}

test("a draft becomes a song, known by its bytes, and is asked of nobody at Spotify", async () => {
  const { owner, viewer, draft } = await atDraft();
  expect(await submit(viewer, draft)).toMatchObject({ title: "Night Bus", limited: false });
  expect(await songsOf(owner)).toEqual([
    {
      ...{ title: "Night Bus", artists: '["Ada"]', track_id: null, spotify_url: null },
      ...{ file: draft.id, recording: draft.hash, entitled: 5, owed: 5 },
    },
  ]);
  expect(await rowsOf("SELECT state FROM recordings")).toEqual([{ state: "submitted" }]);
  expect(await rowsOf("SELECT own_recording_id AS file FROM submissions")).toEqual([
    { file: draft.id },
  ]);
  const [mail] = await rowsOf("SELECT id FROM outbox");
  const { id: mailId } = mail as { id: string };
  const facts = (await readMailFacts(db, [mailId], { secret, now })).get(mailId);
  expect(facts?.addedSong).toMatchObject({ title: "Night Bus", spotifyUrl: null });
  expect(await poolOf(await makeUser())).toHaveLength(1);
});

test("a form sent twice, at once or later, submits once", async () => {
  const { owner, draft, viewer } = await atDraft();
  const key = unique("form");
  const [one, other] = await Promise.all([
    submit(viewer, draft, { key }),
    submit(viewer, draft, { key }),
  ]);
  expect(one).toEqual(other);
  expect(await submit(await viewerOf(viewer.session.id), draft, { key })).toEqual(one);
  expect(await songsOf(owner)).toHaveLength(1);
  expect(await rowsOf("SELECT id FROM submissions")).toHaveLength(1);
});

test.each([
  ["somebody else's draft", 404, async () => makeOwnRecording(await makeUser())],
  ["one that is nowhere", 404, async () => ({ id: "nowhere" })],
  [
    "one that still arrives",
    409,
    (owner: TestUser) => makeOwnRecording(owner, { state: "arriving" }),
  ],
  ["one whose file is gone", 409, (owner: TestUser) => makeOwnRecording(owner, { fileEndedAt: 1 })],
  [
    "one of three seconds",
    422,
    (owner: TestUser) => makeOwnRecording(owner, { durationMs: 3_000 }),
  ],
] as const)("%s is refused, and nothing changes", async (_which, status, make) => {
  const { owner, viewer } = await atDraft();
  expect(await submit(viewer, await make(owner))).toMatchObject({ status });
  expect(await rowsOf("SELECT id FROM submissions")).toEqual([]);
  expect(await rowsOf("SELECT credits FROM users WHERE id = ?", owner.id)).toEqual([
    { credits: 6 },
  ]);
});

test("the database keeps a song to its owner's files, and to one kind", async () => {
  const [owner, other] = [await makeUser(), await makeUser()];
  const song = await makeOwnSong(owner);
  const theirs = await makeOwnRecording(other);
  const change = (set: string) =>
    env.DB.prepare(`UPDATE songs SET ${set} WHERE id = ?`).bind(song.id).run();
  await env.DB.prepare("UPDATE songs SET received = 5, owed = 0, owed_since = NULL").run();
  await expect(change(`own_recording_id = '${theirs.id}'`)).rejects.toThrow("FOREIGN KEY");
  await expect(change("track_id = 'x'")).rejects.toThrow("songs_kind");
  await expect(change("own_recording_id = NULL")).rejects.toThrow("songs_kind");
  await expect(change("spotify_url = 'https://open.spotify.com/'")).rejects.toThrow("songs_kind");
  await expect(
    env.DB.prepare("DELETE FROM recordings WHERE id = ?").bind(song.recording.id).run(),
  ).rejects.toThrow("FOREIGN KEY");
  await env.DB.prepare("UPDATE songs SET received = 0, owed = 5, owed_since = created_at").run();
});

test("the same bytes are one recording, whoever uploads them", async () => {
  const [one, other] = [await makeUser(), await makeUser()];
  const first = await makeOwnSong(one, { hash: "same", submittedAt: [baseTime] });
  const second = await makeOwnSong(other, { hash: "same", submittedAt: [baseTime + 1] });
  const listener = await makeUser();
  expect(await poolOf(listener)).toEqual([first.id]);
  expect(await poolOf(one)).toEqual([]);
  expect(await poolOf(other)).toEqual([]);
  await makeRating(listener, first);
  expect(await poolOf(listener)).toEqual([]);
  await makeListen(listener, second, { finishedAt: now - 1, deliveredMs: 55_000, closedAt: now });
  const viewer = await makeViewer(listener, byMail);
  expect(await rateSong(servicesAt(now), viewer, { songId: second.id, score: 3 })).toMatchObject({
    status: 409,
  });
});

test("an owner's same bytes, uploaded again, are the same song", async () => {
  const { owner, viewer, draft } = await atDraft({ hash: "same" });
  await submit(viewer, draft);
  await giveRatings(owner, 6);
  const again = await makeOwnRecording(owner, { hash: "same", title: "Night Bus (again)" });
  expect(await submit(await viewerOf(viewer.session.id), again)).toMatchObject({
    title: "Night Bus (again)",
  });
  expect(await songsOf(owner)).toMatchObject([
    { title: "Night Bus (again)", file: again.id, recording: "same", entitled: 10, owed: 10 },
  ]);
});

/** A song with its five ratings, and a new mix of it. */
async function atNewMix() {
  const { owner, viewer, draft } = await atDraft({ hash: "first mix" });
  await submit(viewer, draft);
  const [{ id }] = (await rowsOf("SELECT id FROM songs")) as [{ id: string }];
  const song: OwnTestSong = { id, ownerId: owner.id, recording: draft };
  await giveRatings(owner, 6);
  const mix = await makeOwnRecording(owner, { hash: "second mix", title: "Night Bus II" });
  const renewed = () => viewerOf(viewer.session.id);
  return { owner, song, mix, renewed };
}

async function rateFive(song: OwnTestSong): Promise<TestUser[]> {
  const raters: TestUser[] = [];
  for (let n = 0; n < 5; n += 1) {
    const rater = await makeUser();
    await makeRating(rater, song, { at: now + n });
    raters.push(rater);
  }
  return raters;
}

test("a new mix of a song gets five ratings by other ears", async () => {
  const { owner, song, mix, renewed } = await atNewMix();
  const raters = await rateFive(song);
  expect(await submit(await renewed(), mix, { mixOf: song.id })).toMatchObject({
    title: "Night Bus II",
  });
  expect(await songsOf(owner)).toMatchObject([
    { title: "Night Bus II", file: mix.id, recording: "second mix", entitled: 10, owed: 5 },
  ]);
  expect(
    await rowsOf("SELECT number, own_recording_id AS file FROM submissions ORDER BY number"),
  ).toEqual([
    { number: 1, file: song.recording.id },
    { number: 2, file: mix.id },
  ]);
  for (const rater of raters) expect(await poolOf(rater)).toEqual([]);
  expect(await poolOf(await makeUser())).toEqual([song.id]);
});

test("whose copy of the first mix was another's song hears the new mix", async () => {
  const { song, mix, renewed } = await atNewMix();
  const twin = await makeOwnSong(await makeUser(), { hash: "first mix", submittedAt: [now] });
  const listener = await makeUser();
  await rateFive(song);
  await makeRating(listener, twin, { at: now });
  const window = { user_id: listener.id, hears_spotify: 0, waiting: "[]", updated_at: now };
  await insert("pool_windows", { ...window, seen_to: now + 9 }).run();
  expect(await poolOf(listener)).toEqual([]);
  // Enough people who can still rate it.
  for (let n = 0; n < 9; n += 1) await makeViewer(await makeUser(), byMail);
  expect(await submit(await renewed(), mix, { mixOf: song.id, at: now + 5 })).toMatchObject({
    title: "Night Bus II",
  });
  expect(await poolOf(listener)).toEqual([song.id]);
});

test("a new mix waits until the song has its ratings, in the database too", async () => {
  const { owner, song, mix, renewed } = await atNewMix();
  expect(await submit(await renewed(), mix, { mixOf: song.id })).toMatchObject({
    status: 409,
    error:
      "A new mix can follow once this one has all its ratings, so that you can compare the two.",
  });
  const forced = env.DB.prepare("UPDATE songs SET own_recording_id = ? WHERE id = ?");
  await expect(forced.bind(mix.id, song.id).run()).rejects.toThrow("still owed ratings");
  expect(await songsOf(owner)).toMatchObject([{ file: song.recording.id, owed: 5 }]);
});

test("an earlier mix of a song is that song, and never another one", async () => {
  const { owner, song, mix, renewed } = await atNewMix();
  const raters = await rateFive(song);
  await submit(await renewed(), mix, { mixOf: song.id });
  await rateFive({ ...song, recording: mix });
  await giveRatings(owner, 12);
  const again = await makeOwnRecording(owner, { hash: "first mix" });
  expect(await submit(await renewed(), again)).toMatchObject({ limited: true });
  expect(await songsOf(owner)).toMatchObject([{ file: again.id, recording: "first mix" }]);
  for (const rater of raters) expect(await poolOf(rater)).toEqual([]);
});

test.each([
  ["a song of somebody else", 404, async () => (await makeOwnSong(await makeUser())).id],
  ["a track", 404, async (owner: TestUser) => (await makeSong(owner)).id],
  ["no song", 404, async () => "nowhere"],
] as const)("a new mix of %s is refused", async (_which, status, songOf) => {
  const { owner, viewer, draft } = await atDraft();
  const songId = await songOf(owner);
  const before = await rowsOf("SELECT id FROM submissions");
  expect(await submit(await viewerOf(viewer.session.id), draft, { mixOf: songId })).toMatchObject({
    status,
  });
  expect(await rowsOf("SELECT id FROM submissions")).toEqual(before);
});

test("a file of one song is no new mix of another", async () => {
  const { owner, song, renewed } = await atNewMix();
  const other = await makeOwnSong(owner, { hash: "another song" });
  await rateFive(song);
  const copy = await makeOwnRecording(owner, { hash: "another song" });
  expect(await submit(await renewed(), copy, { mixOf: song.id })).toMatchObject({
    status: 409,
    error: expect.stringContaining("another song of yours"),
  });
  expect(await rowsOf("SELECT id FROM songs WHERE recording = 'another song'")).toEqual([
    { id: other.id },
  ]);
});

/** A listener without Spotify who hears an own recording of three minutes since `baseTime`. */
async function listening(deliveredMs = 0) {
  const song = await makeOwnSong(await makeUser());
  const listener = await makeUser();
  await makePackage(listener, [song]);
  const viewer = await makeViewer(listener, byMail);
  const spotChecks: unknown[] = [];
  const services = servicesAt(baseTime, {
    spotChecks: { enqueue: (message: unknown) => void spotChecks.push(message) },
  });
  const startPlayback = async () => {
    throw new Error("nothing plays at Spotify");
  };
  const started = await startListen(services, viewer, { songId: song.id, startPlayback });
  await env.DB.prepare("UPDATE listens SET delivered_ms = ?").bind(deliveredMs).run();
  return { song, listener, viewer, started, spotChecks };
}

test("a listen of it asks Spotify nothing, and queues no spot check", async () => {
  const { started, spotChecks } = await listening();
  expect(started).toMatchObject({ requiredSeconds: 55, unlocksAt: unlock });
  expect(spotChecks).toEqual([]);
});

test.each([
  ["neither time nor delivery", 40_000, 54_000, 15],
  ["no time", 55_999, 180_000, 1],
  ["no delivery", 300_000, 54_999, 1],
  ["nothing delivered", 300_000, 0, 55],
])("with %s it is not heard, whatever the page says", async (_case, passed, delivered, left) => {
  const { song, viewer } = await listening(delivered);
  for (const hear of [
    () => confirmListen(servicesAt(baseTime + passed), viewer, song.id),
    () => rateSong(servicesAt(baseTime + passed), viewer, { songId: song.id, score: 4 }),
  ]) {
    const refused = { status: 409, error: "You have not listened long enough yet." };
    expect(await hear()).toMatchObject({ ...refused, secondsLeft: expect.any(Number) });
  }
  expect(await confirmListen(servicesAt(baseTime + passed), viewer, song.id)).toMatchObject({
    secondsLeft: left + (passed === 40_000 ? 1 : 0),
  });
  expect(await rowsOf("SELECT finished_at FROM listens")).toEqual([{ finished_at: null }]);
});

test("once both have come that far, it is heard and can be rated, and says nothing of Premium", async () => {
  const { song, viewer } = await listening(55_000);
  expect(await confirmListen(servicesAt(unlock), viewer, song.id)).toEqual({ ok: true });
  expect(await rowsOf("SELECT finished_at, evidence FROM listens")).toEqual([
    { finished_at: unlock, evidence: "delivery" },
  ]);
  expect(
    await rowsOf("SELECT has_spotify_premium FROM sessions WHERE id = ?", viewer.session.id),
  ).toEqual([{ has_spotify_premium: null }]);
  expect(await rateSong(servicesAt(unlock), viewer, { songId: song.id, score: 4 })).toEqual({
    ok: true,
  });
});

test("the database finishes no listen of a file that was not delivered", async () => {
  await listening(54_999);
  const finish = env.DB.prepare("UPDATE listens SET finished_at = ?, evidence = 'delivery'");
  await expect(finish.bind(unlock + 60_000).run()).rejects.toThrow("the file delivered");
  await env.DB.prepare("UPDATE listens SET delivered_ms = 55000").run();
  await finish.bind(unlock).run();
});

test("a track is not played to a login without Spotify", async () => {
  const song = await makeSong(await makeUser());
  const listener = await makeUser();
  await makePackage(listener, [song]);
  const viewer = await makeViewer(listener, byMail);
  const asked = { songId: song.id, startPlayback: null };
  expect(await startListen(servicesAt(baseTime), viewer, asked)).toMatchObject({ status: 409 });
  expect(await rowsOf("SELECT id FROM listens")).toEqual([]);
});

test("a pass because it does not play asks Spotify nothing, and is no report of Spotify's", async () => {
  const { song, viewer } = await listening();
  const request = { songId: song.id, reason: "unplayable", words: "" } as const;
  expect(await passSong(servicesAt(baseTime), viewer, request)).toEqual({ ok: true });
  expect(await rowsOf("SELECT song_id FROM unplayable_reports")).toEqual([]);
});

test("its owner withdraws it and brings it back without Spotify, while its file is there", async () => {
  const owner = await makeUser();
  const song = await makeOwnSong(owner);
  const viewer = await makeViewer(owner, byMail);
  expect(await withdrawSong(servicesAt(now), viewer, song.id)).toEqual({ ok: true });
  expect(await returnSong(servicesAt(now), viewer, song.id)).toEqual({ ok: true });
  expect(await poolOf(await makeUser())).toEqual([song.id]);
  await withdrawSong(servicesAt(now), viewer, song.id);
  await env.DB.prepare("UPDATE recordings SET file_ended_at = 1").run();
  expect(await returnSong(servicesAt(now), viewer, song.id)).toMatchObject({
    status: 409,
    error: expect.stringContaining("Upload it again"),
  });
  expect(await poolOf(await makeUser())).toEqual([]);
});

test("the monthly look at Spotify leaves it alone", async () => {
  await makeOwnSong(await makeUser());
  const services = {
    ...servicesAt(now + 365 * 86_400_000),
    clientIds: ["a"],
    catalogue: () => stubSpotify(),
    letRest: () => null,
  };
  expect(await lookAtOldSongs(services)).toEqual({ looked: 0, changed: 0, gone: 0 });
});

test("favorites and playlists at Spotify refuse it in a sentence, and ask Spotify nothing", async () => {
  const song = await makeOwnSong(await makeUser());
  const rater = await makeUser();
  await makeRating(rater, song, { score: 4 });
  const viewer = await makeViewer(rater);
  const refused = { status: 409, error: expect.stringContaining("own recording") };
  const services = servicesAt(now);
  expect(await favoriteSong(services, viewer, { songId: song.id, saved: true })).toMatchObject(
    refused,
  );
  const asked = { songId: song.id, playlist: "p".repeat(22), name: "Mine" };
  expect(await addToPlaylist(services, viewer, asked)).toMatchObject(refused);
  expect(await savedSongs(services, viewer, [song.id])).toEqual([]);
});

test("its pages lead nowhere at Spotify: results, songs rated, a share, the CSV", async () => {
  const owner = await makeMember({ tier: "premium" });
  const song = await makeOwnSong(owner.user, { title: "Night Bus" });
  const rater = await makeMember();
  await makeRating(rater.user, song, { at: baseTime + 1 });
  for (let n = 0; n < 4; n += 1) await makeRating(await makeUser(), song, { at: baseTime + 2 });
  await request(`/songs/${song.id}/share`, { cookie: owner.cookie, json: {} });
  const [share] = (await rowsOf("SELECT token FROM shares")) as { token: string }[];
  for (const [page, cookie] of [
    [`/ratings-of-my-songs/${song.id}`, owner.cookie],
    ["/ratings-of-my-songs", owner.cookie],
    [`/ratings-of-my-songs/${song.id}.csv`, owner.cookie],
    ["/rated", rater.cookie],
    [`/r/${share?.token}`, undefined],
  ] as const) {
    const answer = await request(page, cookie === undefined ? {} : { cookie });
    const text = (await answer.text()).replaceAll(/<script.*?<\/script>/gs, "");
    expect([page, answer.status]).toEqual([page, 200]);
    expect(text).toContain("Night Bus");
    expect(text).not.toMatch(/open\.spotify\.com\/track|undefined|\bnull\b/);
  }
});

test("an account with own recordings can be deleted", async () => {
  const owner = await makeUser();
  const song = await makeOwnSong(owner);
  const draft: TestRecording = await makeOwnRecording(owner);
  await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(owner.id).run();
  expect(await rowsOf("SELECT id FROM songs UNION SELECT id FROM recordings")).toEqual([]);
  const keys = await rowsOf("SELECT key FROM file_deletions ORDER BY key");
  expect(JSON.stringify(keys)).toContain(draft.id);
  expect(JSON.stringify(keys)).toContain(song.recording.id);
});

test.each([
  ["where it was, by what was delivered", null, "45.454"],
  ["after what was heard, once it can be rated", now - 60_000, "55"],
] as const)("a page without scripts goes on with the song %s", async (_, finishedAt, seconds) => {
  const song = await makeOwnSong(await makeUser());
  const { user, cookie } = await makeMember();
  await makePackage(user, [song]);
  const heard = finishedAt === null ? {} : { finishedAt };
  await makeListen(user, song, { startedAt: now - 120_000, deliveredMs: 60_000, ...heard });
  const page = await (await request("/", { cookie })).text();
  expect(page).toContain(`#t=${seconds}"`);
});
