/** Songs that are files of their owners': submitted, known by their bytes, heard by what was delivered. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { readMailFacts } from "~/letters/facts.server";
import { dayMs } from "~/platform/dates";
import { readConfig } from "~/platform/env";
import { addToPlaylist } from "~/sources/spotify/library/add.server";
import { favoriteSong, savedSongs } from "~/sources/spotify/library/favorite.server";
import { lookAtOldSongs } from "~/sources/spotify/track-refresh.server";
import {
  baseTime,
  giveRatings,
  insert,
  makeListen,
  makeOwnRecording,
  makeRating,
  unique,
} from "../../support/database/factories";
import { change, db, row, rows, untouched } from "../../support/database/rows";
import { fill, ownSong, type Someone, someone, song, unlock } from "../../support/people";
import { request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { stubSpotify } from "../../support/spotify/stub";

const { sessionSecret: secret } = readConfig(env);
const now = baseTime + 3 * dayMs;
const ok = { ok: true };

/** A member without Spotify. */
async function member(options: Parameters<typeof someone>[0] = {}) {
  return (await someone({ way: "email", ...options })).at(now);
}

/** A member without Spotify who may submit a song, and their draft. */
async function atDraft(options: Parameters<typeof makeOwnRecording>[1] = {}) {
  const owner = await member({ credits: 6 });
  const names = { title: "Night Bus", artist: "Ada" };
  const draft = await makeOwnRecording(owner, { ...names, ...options });
  return { owner, draft, submit: submitting(owner) };
}

/** A form about a file, as a mix of that song if one is named. */
function submitting(owner: Someone) {
  return ({ id: recordingId }: { id: string }, songId: string | null = null, key?: string) =>
    owner.submits({ recordingId, songId }, key ? { key } : {});
}

const saying = (text: string) => expect.stringContaining(text);

test("a draft becomes a song, known by its bytes, and is asked of nobody at Spotify", async () => {
  const { draft, submit } = await atDraft();
  expect(await submit(draft)).toMatchObject({ title: "Night Bus", limited: false });
  expect(await row("songs")).toMatchObject({
    ...{ title: "Night Bus", artists: ["Ada"], trackId: null, spotifyUrl: null },
    ...{ ownRecordingId: draft.id, recording: draft.hash, entitled: 5, owed: 5 },
  });
  expect(await row("recordings")).toMatchObject({ state: "submitted" });
  expect(await row("submissions")).toMatchObject({ ownRecordingId: draft.id });
  const { id } = await row("outbox");
  const facts = (await readMailFacts(db, [id], { secret, now })).get(id);
  expect(facts?.submittedSong).toMatchObject({ title: "Night Bus", spotifyUrl: null });
  expect(await (await member()).pooled()).toHaveLength(1);
});

test("a form sent twice, at once or later, submits once", async () => {
  const { owner, draft, submit } = await atDraft();
  await owner.viewer();
  const key = unique("form");
  const [one, other] = await Promise.all([submit(draft, null, key), submit(draft, null, key)]);
  expect(one).toEqual(other);
  expect(await submit(draft, null, key)).toEqual(one);
  expect([await rows("songs"), await rows("submissions")]).toMatchObject([[{}], [{}]]);
});

test.each<[string, number, (owner: Someone) => Promise<{ id: string }>]>([
  ["somebody else's draft", 404, async () => makeOwnRecording(await someone())],
  ["one that is nowhere", 404, async () => ({ id: "nowhere" })],
  ["one that still arrives", 409, (owner) => makeOwnRecording(owner, { state: "arriving" })],
  ["one whose file is gone", 409, (owner) => makeOwnRecording(owner, { fileEndedAt: 1 })],
  ["one of three seconds", 422, (owner) => makeOwnRecording(owner, { durationMs: 3_000 })],
])("%s is refused, and nothing changes", async (_which, status, make) => {
  const { owner, submit } = await atDraft();
  const file = await make(owner);
  await untouched(async () => expect(await submit(file)).toMatchObject({ status }));
});

test("the database keeps a song to its owner's files, and to one kind", async () => {
  const { id, recording } = await ownSong({});
  const theirs = await makeOwnRecording(await someone());
  await change("songs", {}, { received: 5, owed: 0, owedSince: null });
  for (const [values, why] of [
    [{ ownRecordingId: theirs.id }, "FOREIGN KEY"],
    [{ trackId: "x" }, "songs_kind"],
    [{ ownRecordingId: null }, "songs_kind"],
    [{ spotifyUrl: "https://open.spotify.com/" }, "songs_kind"],
  ] as const) {
    const cause = { message: saying(why) };
    await expect(change("songs", { id }, values)).rejects.toMatchObject({ cause });
  }
  const removal = env.DB.prepare("DELETE FROM recordings WHERE id = ?").bind(recording.id);
  await expect(removal.run()).rejects.toThrow("FOREIGN KEY");
  await change("songs", {}, { received: 0, owed: 5, owedSince: baseTime });
});

test("the same bytes are one recording, whoever uploads them", async () => {
  const [first, second] = [await ownSong({ hash: "same" }), await ownSong({ hash: "same" })];
  const listener = await member();
  expect(await listener.pooled()).toEqual([first.id]);
  expect([await first.owner.pooled(), await second.owner.pooled()]).toEqual([[], []]);
  await makeRating(listener, first);
  expect(await listener.pooled()).toEqual([]);
  await makeListen(listener, second, { finishedAt: now - 1, deliveredMs: 55_000, closedAt: now });
  expect(await listener.rates(second)).toMatchObject({ status: 409 });
});

test("an owner's same bytes, uploaded again, are the same song", async () => {
  const { owner, draft, submit } = await atDraft({ hash: "same" });
  await submit(draft);
  await giveRatings(owner, 6);
  const title = "Night Bus (again)";
  const again = await makeOwnRecording(owner, { hash: "same", title });
  expect(await submit(again)).toMatchObject({ title });
  expect(await row("songs")).toMatchObject({
    ...{ title, ownRecordingId: again.id, recording: "same", entitled: 10, owed: 10 },
  });
});

/** A song, and a new mix of it. */
async function atNewMix() {
  const { owner, draft, submit } = await atDraft({ hash: "first mix" });
  await submit(draft);
  const { id } = await row("songs");
  await giveRatings(owner, 6);
  const mix = await makeOwnRecording(owner, { hash: "second mix", title: "Night Bus II" });
  return { owner, it: { id, ownerId: owner.id, recording: draft }, mix, submit };
}

const mixed = { title: "Night Bus II" };

test("a new mix of a song gets five ratings by other ears", async () => {
  const { it, mix, submit } = await atNewMix();
  const raters = await fill(it, { at: now });
  expect(await submit(mix, it.id)).toMatchObject(mixed);
  expect(await row("songs")).toMatchObject({
    ...{ ...mixed, ownRecordingId: mix.id, recording: "second mix", entitled: 10, owed: 5 },
  });
  expect(await rows("submissions")).toMatchObject([
    { number: 1, ownRecordingId: it.recording.id },
    { number: 2, ownRecordingId: mix.id },
  ]);
  for (const rater of raters) expect(await rater.pooled()).toEqual([]);
  expect(await (await member()).pooled()).toEqual([it.id]);
});

test("whose copy of the first mix was another's song hears the new mix", async () => {
  const { owner, it, mix, submit } = await atNewMix();
  const twin = await ownSong({ hash: "first mix", submittedAt: [now] });
  const listener = await member();
  await fill(it, { at: now });
  await makeRating(listener, twin, { at: now });
  const window = { user_id: listener.id, hears_spotify: 0, waiting: "[]", updated_at: now };
  await insert("pool_windows", { ...window, seen_to: now + 9 }).run();
  expect(await listener.pooled()).toEqual([]);
  // Enough people who can still rate it.
  for (let n = 0; n < 9; n += 1) await (await member()).viewer();
  owner.waits(5);
  expect(await submit(mix, it.id)).toMatchObject(mixed);
  expect(await listener.pooled()).toEqual([it.id]);
});

test("a new mix waits until the song has its ratings, in the database too", async () => {
  const { it, mix, submit } = await atNewMix();
  const error =
    "A new mix can follow once this one has all its ratings, so that you can compare the two.";
  expect(await submit(mix, it.id)).toMatchObject({ status: 409, error });
  const cause = { message: saying("still owed ratings") };
  const forced = change("songs", { id: it.id }, { ownRecordingId: mix.id });
  await expect(forced).rejects.toMatchObject({ cause });
  expect(await row("songs")).toMatchObject({ ownRecordingId: it.recording.id, owed: 5 });
});

test("an earlier mix of a song is that song, and never another one", async () => {
  const { owner, it, mix, submit } = await atNewMix();
  const raters = await fill(it, { at: now });
  await submit(mix, it.id);
  await fill(it, { at: now });
  await giveRatings(owner, 12);
  const again = await makeOwnRecording(owner, { hash: "first mix" });
  expect(await submit(again)).toMatchObject({ limited: true });
  expect(await row("songs")).toMatchObject({ ownRecordingId: again.id, recording: "first mix" });
  for (const rater of raters) expect(await rater.pooled()).toEqual([]);
});

test.each<[string, (owner: Someone) => Promise<{ id: string }>]>([
  ["a song of somebody else", () => ownSong()],
  ["a track", (owner) => song({ owner })],
  ["no song", async () => ({ id: "nowhere" })],
])("a new mix of %s is refused", async (_which, songOf) => {
  const { owner, draft, submit } = await atDraft();
  const { id } = await songOf(owner);
  await untouched(async () => expect(await submit(draft, id)).toMatchObject({ status: 404 }));
});

test("a file of one song is no new mix of another", async () => {
  const { owner, it, submit } = await atNewMix();
  const hash = "another song";
  const other = await ownSong({ owner, hash });
  await fill(it, { at: now });
  const copy = await makeOwnRecording(owner, { hash });
  const refused = { status: 409, error: saying("another song of yours") };
  expect(await submit(copy, it.id)).toMatchObject(refused);
  expect(await row("songs", { recording: hash })).toMatchObject({ id: other.id });
});

/** A listener without Spotify who hears an own recording of three minutes since `baseTime`. */
async function listening(deliveredMs = 0) {
  const it = await ownSong();
  const spotChecks: unknown[] = [];
  const enqueue = (message: unknown) => void spotChecks.push(message);
  const listener = await member({ offered: [it], spotChecks: { enqueue } });
  const started = await listener.at(baseTime).starts(it, async () => {
    throw new Error("nothing plays at Spotify");
  });
  await change("listens", {}, { deliveredMs });
  return { it, listener, started, spotChecks };
}

test("a listen of it asks Spotify nothing, and queues no spot check", async () => {
  const { started, spotChecks } = await listening();
  expect(started).toMatchObject({ requiredSeconds: 55, unlocksAt: unlock });
  expect(spotChecks).toEqual([]);
});

test.each([
  ["neither time nor delivery", 40_000, 54_000, 16],
  ["no time", 55_999, 180_000, 1],
  ["no delivery", 300_000, 54_999, 1],
  ["nothing delivered", 300_000, 0, 55],
])("with %s it is not heard, whatever the page says", async (_case, passed, delivered, left) => {
  const { it, listener } = await listening(delivered);
  listener.waits(passed);
  const refused = { status: 409, error: "You have not listened long enough yet." };
  expect(await listener.rates(it)).toMatchObject({ ...refused, secondsLeft: left });
  expect(await listener.confirms(it)).toMatchObject({ ...refused, secondsLeft: left });
  expect(await row("listens")).toMatchObject({ finishedAt: null });
});

test("once both have come that far, it is heard and can be rated, and says nothing of Premium", async () => {
  const { it, listener } = await listening(55_000);
  expect(await listener.at(unlock).confirms(it)).toEqual(ok);
  expect(await row("listens")).toMatchObject({ finishedAt: unlock, evidence: "delivery" });
  expect(await row("sessions")).toMatchObject({ hasSpotifyPremium: null });
  expect(await listener.rates(it)).toEqual(ok);
});

test("the database finishes no listen of a file that was not delivered", async () => {
  await listening(54_999);
  const finish = (finishedAt: number) =>
    change("listens", {}, { finishedAt, evidence: "delivery" });
  const cause = { message: saying("the file delivered") };
  await expect(finish(unlock + 60_000)).rejects.toMatchObject({ cause });
  await change("listens", {}, { deliveredMs: 55_000 });
  await finish(unlock);
});

test("a track is not played to a login without Spotify", async () => {
  const it = await song();
  const listener = await member({ offered: [it] });
  expect(await listener.starts(it)).toMatchObject({ status: 409 });
  expect(await rows("listens")).toEqual([]);
});

test("its owner withdraws it and brings it back without Spotify, while its file is there", async () => {
  const it = await ownSong();
  const listener = await member();
  it.owner.at(now);
  expect(await it.owner.withdraws(it)).toEqual(ok);
  expect(await it.owner.resumes(it)).toEqual(ok);
  expect(await listener.pooled()).toEqual([it.id]);
  await it.owner.withdraws(it);
  await change("recordings", {}, { fileEndedAt: 1 });
  const refused = { status: 409, error: saying("Upload it again") };
  expect(await it.owner.resumes(it)).toMatchObject(refused);
  expect(await listener.pooled()).toEqual([]);
});

test("the monthly look at Spotify leaves it alone", async () => {
  await ownSong();
  const services = servicesAt(now + 365 * dayMs);
  const catalogue = () => stubSpotify();
  const looked = await lookAtOldSongs({
    ...{ ...services, clientIds: ["a"], catalogue, letRest: () => null },
  });
  expect(looked).toEqual({ looked: 0, changed: 0, gone: 0 });
});

test("favorites and playlists at Spotify refuse it in a sentence, and ask Spotify nothing", async () => {
  const it = await ownSong();
  const songId = it.id;
  const rater = await someone();
  await makeRating(rater, it, { score: 4 });
  const viewer = await rater.viewer();
  const refused = { status: 409, error: saying("own recording") };
  const services = servicesAt(now);
  expect(await favoriteSong(services, viewer, { songId, saved: true })).toMatchObject(refused);
  const asked = { songId, playlist: "p".repeat(22), name: "Mine" };
  expect(await addToPlaylist(services, viewer, asked)).toMatchObject(refused);
  expect(await savedSongs(services, viewer, [songId])).toEqual([]);
});

test("its pages lead nowhere at Spotify: results, songs rated, a share, the CSV", async () => {
  const owner = await someone({ tier: "premium" });
  const it = await ownSong({ owner, title: "Night Bus" });
  const [rater] = await fill(it, { at: baseTime + 1 });
  await owner.sends(`/songs/${it.id}/share`);
  const { token } = await row("shares");
  const cookies = [await owner.login(), (await rater?.login()) ?? ""] as const;
  for (const [page, cookie] of [
    [`/ratings-of-my-songs/${it.id}`, cookies[0]],
    ["/ratings-of-my-songs", cookies[0]],
    [`/ratings-of-my-songs/${it.id}.csv`, cookies[0]],
    ["/rated", cookies[1]],
    [`/r/${token}`, ""],
  ] as const) {
    const answer = await request(page, { cookie });
    const text = (await answer.text()).replaceAll(/<script.*?<\/script>/gs, "");
    expect([page, answer.status]).toEqual([page, 200]);
    expect(text).toContain("Night Bus");
    expect(text).not.toMatch(/open\.spotify\.com\/track|undefined|\bnull\b/);
  }
});

test("an account with own recordings can be deleted", async () => {
  const { owner, recording } = await ownSong();
  const files = [recording, await makeOwnRecording(owner)];
  await owner.leaves();
  expect([await rows("songs"), await rows("recordings")]).toEqual([[], []]);
  const keys = JSON.stringify(await rows("fileDeletions"));
  for (const { id } of files) expect(keys).toContain(id);
});

test.each([
  ["where it was, by what was delivered", {}, "45.454"],
  ["after what was heard, once it can be rated", { finishedAt: now - 60_000 }, "55"],
])("a page without scripts goes on with the song %s", async (_, heard, seconds) => {
  const it = await ownSong();
  const listener = await someone({ offered: [it] });
  await makeListen(listener, it, { startedAt: now - 120_000, deliveredMs: 60_000, ...heard });
  expect(await listener.reads("/")).toContain(`#t=${seconds}"`);
});
