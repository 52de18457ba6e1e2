/** One recording under several ids: whoever submits it, a listener hears and rates it once. */
import { env } from "cloudflare:workers";
import { like, sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { songs } from "~/db/schema";
import { refreshCommunity } from "~/exchange/community/community.server";
import { eligibility } from "~/exchange/submission/eligibility";
import { isReachedByAll } from "~/exchange/submission/limits.server";
import { dayMs, hourMs } from "~/platform/dates";
import { isRejection } from "~/platform/rejection";
import * as index from "~/routes/_index/route";
import { freshenSong } from "~/sources/spotify/freshen.server";
import { trackOf } from "../../support/catalogue";
import { countingDatabase } from "../../support/database/counting-database";
import {
  baseTime,
  insert,
  makeListen,
  makePackage,
  makeRating,
  unique,
} from "../../support/database/factories";
import { putInRotation, putOwnersSongs, rateSongs } from "../../support/database/rotation";
import { change, db, row, rows } from "../../support/database/rows";
import { measure } from "../../support/measure";
import { type Cast, fill, recognise, type Someone, someone, song } from "../../support/people";
import { catalogue } from "../../support/spotify/stub";

type Song = Cast<typeof song>;

const now = baseTime + hourMs;
const code = "ZZFVF1600001";
const otherCode = "ZZFVF1600002";
const single = { ...trackOf("mara-lind", 3), isrc: code, title: "Night Bus", album: "Night Bus" };
const onAlbum = { ...single, trackId: "1".repeat(22), album: "Lines" };
const ok = { ok: true };
const submitted = { submissionId: expect.any(String) };

async function member(options: Parameters<typeof someone>[0] = {}) {
  return (await someone({ random: () => 0, ...options })).at(now);
}

/** Songs of different owners that are one recording. */
async function twins(isrc: string | null = code): Promise<[Song, Song, Song]> {
  return [await song({ isrc }), await song({ isrc }), await song({ isrc })];
}

async function rate(by: Someone, it: Song) {
  const listenId = await makeListen(by, it, { finishedAt: now - 1, closedAt: now - 1 });
  return { listenId, answer: await by.rates(it, 4, {}) };
}

async function recordings() {
  return [...new Set((await rows("songs")).map(({ recording }) => recording))];
}

/** Has Spotify give a song another code, as the app's own look finds it. */
async function recode({ id: songId }: Song, isrc: string) {
  await change("songs", {}, { fetchedAt: 1 });
  const changed = { changed: { isrc }, asker: "app", at: now } as const;
  await runBatch(db, freshenSong(db, { songId, ...changed }));
}

test("it is offered and counted once, and once rated, never again, whatever is asked for", async () => {
  const user = await member();
  const [one, other, third] = await twins();
  const another = await song();
  expect(await user.offered()).toEqual([one.id, another.id]);
  expect(await user.pool()).toMatchObject({ available: 2, toRate: 2 });
  expect((await rate(user, one)).answer).toEqual(ok);
  expect(await user.offered()).toEqual([one.id, another.id]);
  expect(await user.pool()).toMatchObject({ available: 1, toRate: 1 });
  await makePackage(user, [other], now);
  expect(await user.offered()).toEqual([another.id]);
  for (const twin of [other, third]) {
    const { listenId, answer } = await rate(user, twin);
    expect(answer).toMatchObject({ status: 409, error: expect.stringContaining("already rated") });
    const forced = insert("ratings", {
      ...{ id: unique("forced"), rater_id: user.id, listen_id: listenId, song_id: twin.id },
      ...{ owner_id: twin.ownerId, score: 4, owes_mail: 0, created_at: now },
    });
    await expect(forced.run()).rejects.toThrow("UNIQUE");
  }
  expect(await rows("ratings")).toMatchObject([{ songId: one.id }]);
  // Somebody else hears it from whoever waits longest.
  expect(await (await member()).offered()).toEqual([one.id, another.id]);
});

test("an owner's third song does not take another owner's place with the same recording", async () => {
  const owner = await someone();
  for (const isrc of [null, null, code]) await song({ owner, isrc });
  const theirs = await song({ isrc: code });
  const user = await member();
  expect(await user.pooled()).toContain(theirs.id);
  expect(await user.pool()).toMatchObject({ available: 3, toRate: 3 });
});

test("passed on under one id, it comes under no other, and makes a submission no cheaper", async () => {
  const user = await member();
  await song({ owner: user });
  const [one, other] = [await song({ isrc: code }), await song({ isrc: code })];
  const [drawn, rest] = [await song(), await song()];
  const price = async () =>
    eligibility({ credits: 0, submittedCount: 1, ...(await user.pool()) }, 6, now).cost;
  expect(await price()).toBe(3);
  // The other one stands before the one in the package.
  await makePackage(user, [other, drawn], now);
  expect(await user.passes(other)).toEqual(ok);
  expect(await user.offered()).toEqual([rest.id, drawn.id]);
  expect(await price()).toBe(3);
  expect((await rate(user, one)).answer).toMatchObject({ status: 409 });
  await expect(makeRating(user, one)).rejects.toThrow("passed on the recording");
  // It counts as long as one of its songs is in the rotation.
  for (const [full, cost] of [
    [other, 3],
    [one, 2],
  ] as const) {
    await fill(full);
    expect(await price()).toBe(cost);
  }
});

test("two passes at once do not bring the same recording into a package twice", async () => {
  const [one, two] = [await song(), await song()];
  const [first] = await twins();
  const user = await member({ offered: [one, two, first] });
  await Promise.all([user.passes(one), user.passes(two)]);
  expect(await user.offered()).toEqual([first.id]);
});

test("who submits it oneself does not rate it, not even from an open package", async () => {
  const [bandmates, another] = [await song({ isrc: code }), await song()];
  const user = await member({ offered: [bandmates] });
  expect(await user.offered()).toEqual([bandmates.id]);
  await song({ owner: user, isrc: code });
  expect(await user.offered()).toEqual([another.id]);
  expect((await rate(user, bandmates)).answer).toMatchObject({ status: 403 });
  await expect(makeRating(user, bandmates)).rejects.toThrow("has submitted the recording");
});

test("rated with an account deleted since, it is not rated again under another id", async () => {
  const [user, again] = [await member(), await member()];
  const [one, other] = await twins();
  await rate(user, one);
  await user.leaves();
  await recognise(again);
  await change("departures", {}, { leftAt: now - dayMs });
  expect(await again.pool()).toMatchObject({ found: 0 });
  expect((await rate(again, other)).answer).toMatchObject({ status: 409 });
});

test("songs of one track are one, and learn their code together, also those rated before", async () => {
  const [user, both] = [await member(), await member()];
  const track = { trackId: "2".repeat(22) };
  const [known, twin] = [await song(track), await song({ isrc: code })];
  for (const one of [known, twin]) await makeRating(both, one);
  await makeRating(user, known);
  expect(await user.pooled()).toEqual([twin.id]);
  // Spotify gives the code with the next owner's submission.
  const later = await song({ ...track, isrc: code });
  expect(await recordings()).toEqual([code]);
  expect(await user.pool()).toMatchObject({ found: 0 });
  expect(await rows("ratings", { raterId: both.id })).toHaveLength(2);
  // A listener's or an owner's answer changes no code that is known; the app's own look does, for all.
  await song({ ...track, isrc: "ZZFVF1600009" });
  expect(await recordings()).toEqual([code]);
  await recode(later, otherCode);
  expect(await rows("songs", { recording: otherCode })).toHaveLength(3);
  expect(await row("songs", { recording: code })).toMatchObject({ id: twin.id });
  expect(await user.pooled()).toEqual([twin.id]);
});

test("what somebody has rated stays closed to them, whatever codes it is given, and nothing else does", async () => {
  const user = await member();
  const made = await twins(null);
  const [one, other, third] = made;
  const orders = fc.array(fc.tuple(fc.nat(2), fc.constantFrom(code, otherCode)), { maxLength: 8 });
  for (const rated of [one, other]) await makeRating(user, rated);
  for (const [place, isrc] of fc.sample(orders, { numRuns: 30, seed: 1 }).flat()) {
    await recode(made[place] as Song, isrc);
    const { recording } = await third.now();
    const isRated = [await one.now(), await other.now()].some((it) => it.recording === recording);
    expect(await user.pooled()).toEqual(isRated ? [] : [third.id]);
  }
});

test("a song that turns out to be another recording is found by those who had passed it", async () => {
  const user = await member();
  const [rated, twin] = [await song({ isrc: code }), await song({ isrc: code })];
  await makeRating(user, rated);
  const window = { user_id: user.id, hears_spotify: 1, seen_to: now, waiting: "[]" };
  await insert("pool_windows", { ...window, updated_at: now }).run();
  expect(await user.pool()).toMatchObject({ found: 0 });
  await recode(twin, otherCode);
  expect(await user.pooled()).toEqual([twin.id]);
});

test("the community counts a recording that was rated this week once", async () => {
  const [one, other] = await twins();
  for (const it of [one, other]) await makeRating(await someone(), it, { at: now });
  await refreshCommunity(db, now + dayMs);
  const figures = await rows("communityFigures");
  expect(figures.map(({ songsRatedThisWeek }) => songsRatedThisWeek)).toEqual([1, 0]);
});

/** An owner who has submitted a recording, and may submit it under another release. */
async function owning(options: Parameters<typeof song>[0] = {}) {
  const owner = await member({ tier: "premium", credits: 12 });
  const it = await song({ ...single, ...options, owner });
  const spotify = catalogue(single, onAlbum);
  return {
    ...{ owner, it },
    submit: (track: typeof single) => owner.submits(track, { spotify }),
    ask: async (database = db) =>
      (await owner.addSong({ trackId: onAlbum.trackId }, spotify, database))?.question,
  };
}

test("a submission under a release that is here already leaves that one's code as it is", async () => {
  const { it, submit } = await owning();
  const known = { trackId: onAlbum.trackId, isrc: "ZZFVF1600009" };
  const theirs = await song(known);
  const rater = await member();
  for (const one of [it, theirs]) await makeRating(rater, one);
  expect(await submit(onAlbum)).toMatchObject(submitted);
  expect(await rater.pool()).toMatchObject({ found: 0 });
  const both = { ...known, recording: known.isrc };
  expect(await rows("songs")).toMatchObject([both, both]);
});

test("a submission may show that two songs that somebody has rated are one recording", async () => {
  const { it, submit } = await owning({ trackId: onAlbum.trackId, isrc: null });
  const [rater, other, twin] = [await member(), await member(), await song({ isrc: code })];
  for (const one of [it, twin]) await makeRating(rater, one);
  await makeRating(other, it);
  expect(await submit(onAlbum)).toMatchObject(submitted);
  expect([await recordings(), (await rows("ratings")).length]).toEqual([[code], 3]);
  for (const one of [rater, other]) expect(await one.pool()).toMatchObject({ found: 0 });
});

test("submitted under another release, it is its owner's same song, which is said before", async () => {
  const { owner, it, submit, ask } = await owning({ received: 5 });
  const items = [{ ...onAlbum, albumId: null, artistIds: [] }];
  const searchTracks = async () => ({ items, more: false });
  const listed = await owner.addSong({ term: "Night Bus" }, { searchTracks });
  expect(listed?.results).toMatchObject([{ submitted: expect.stringContaining("all of its 5") }]);
  const { gain } = (await ask()) ?? {};
  expect(gain).toContain("“Night Bus” on “Night Bus”. It is the same song here.");
  expect(gain).toContain("This is its second submission");
  expect(await submit(onAlbum)).toMatchObject(submitted);
  expect(await row("songs")).toMatchObject({
    ...{ id: it.id, trackId: onAlbum.trackId, album: "Lines" },
    ...{ entitled: 10, received: 5, recording: code },
  });
  expect(await rows("submissions")).toMatchObject([
    { songId: it.id, number: 1 },
    { songId: it.id, number: 2 },
  ]);
  // Back to the first release.
  owner.waits(1);
  expect(await submit(single)).toMatchObject(submitted);
  expect(await row("songs")).toMatchObject({ trackId: single.trackId, entitled: 15 });
});

test("of two presses for two releases at once, one counts, and for the same song", async () => {
  const { owner, submit, it } = await owning();
  await owner.viewer();
  const sent = await Promise.all([submit(onAlbum), submit(single)]);
  expect(sent.filter((one) => !isRejection(one))).toHaveLength(1);
  expect(await row("songs")).toMatchObject({ id: it.id, entitled: 10 });
});

test("another release is no way around what the operator decided", async () => {
  const { submit, ask } = await owning();
  await change("songs", {}, { takenOut: "Not music", restingSince: now, decidedAt: now });
  const refused = { status: 409, error: expect.stringContaining("Not music") };
  expect(await submit(onAlbum)).toMatchObject(refused);
  expect((await ask())?.unratable).toContain("Not music");
});

test("another release is no way around who is left to rate it", async () => {
  const { it, submit, ask } = await owning();
  for (const rater of await fill(it)) await rater.viewer();
  const tooFew = "too few are left";
  expect((await ask())?.unratable).toContain(tooFew);
  const refused = { status: 409, error: expect.stringContaining(tooFew) };
  expect(await submit(onAlbum)).toMatchObject(refused);
});

test("two owners of a recording each have their song, and ratings of their own", async () => {
  const { owner } = await owning();
  const other = await member({ credits: 6 });
  expect(await other.submits(onAlbum)).toMatchObject(submitted);
  expect(await row("songs", { ownerId: owner.id })).toMatchObject({ trackId: single.trackId });
  expect(await row("songs", { ownerId: other.id })).toMatchObject({ trackId: onAlbum.trackId });
});

test.each([
  { name: "a song that all but four have rated", owed: 0, here: 30, left: 4, reached: true },
  { name: "a song that five of thirty can still rate", owed: 0, here: 30, left: 5 },
  { name: "nine, five of them for the open promise", owed: 5, here: 30, left: 9, reached: true },
  { name: "a second promise in a circle of three", owed: 5, here: 2, left: 2 },
  { name: "a third promise in a circle of three", owed: 10, here: 2, left: 2, reached: true },
  { name: "a third promise where there are many", owed: 10, here: 60, left: 60 },
  { name: "two of six have rated it", owed: 3, here: 6, left: 4 },
  { name: "nobody else is here", owed: 10, here: 0, left: 0 },
])("whether a song has reached everybody: $name", async ({ reached = false, ...reach }) => {
  const { owed, here, left } = reach;
  const told = sql`SELECT ${owed} AS owed, ${here} AS others_here, ${left} AS others_left`;
  const found = await db.all(sql`SELECT ${isReachedByAll(told)} AS reached`);
  expect(found).toEqual([{ reached: Number(reached) }]);
});

test("a rotation full of one recording costs no more to look through than any other", async () => {
  const user = await someone({ musician: "indira-pallavan" });
  const cookie = await user.login();
  await putInRotation(1, 600);
  await db.update(songs).set({ isrc: code }).where(sql`id <= 'song-00000300'`);
  const rowsRead = async () => (await measure(index.loader, { path: "/", cookie })).rowsRead();
  expect(await rowsRead()).toBeLessThan(1000);
  await rateSongs(user, 1, 1);
  await env.DB.prepare("DELETE FROM packages").run();
  expect(await rowsRead()).toBeLessThan(1000);
});

test("an owner of a thousand songs is asked about a recording at the same cost", async () => {
  const { owner, ask } = await owning();
  const own = like(songs.id, "own-%");
  const rowsRead = async (count: number) => {
    await db.delete(songs).where(own);
    await putOwnersSongs(owner, count);
    await db.update(songs).set({ restingSince: 1 }).where(own);
    const counting = countingDatabase(env.DB);
    const question = await ask(createDatabase(counting.binding));
    expect(question?.gain).toContain("It is the same song here.");
    return counting.rowsRead();
  };
  expect(await rowsRead(1000)).toBe(await rowsRead(9));
});
