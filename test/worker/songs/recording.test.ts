/** One recording under several ids: whoever submits it, a listener hears and rates it once. */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { deleteAccount } from "~/account/delete.server";
import { createDatabase } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { loadCarousel } from "~/exchange/carousel/carousel.server";
import { refreshCommunity } from "~/exchange/community/community.server";
import { passSong } from "~/exchange/pass/pass.server";
import { selectPool, toPool } from "~/exchange/pool/pool.server";
import { rateSong } from "~/exchange/rating/rate.server";
import { loadAddSong } from "~/exchange/submission/add-song.server";
import { eligibility } from "~/exchange/submission/eligibility";
import { isReachedByAll } from "~/exchange/submission/limits.server";
import { submitSong } from "~/exchange/submission/submit.server";
import { recogniseAccount } from "~/members/what-outlives.server";
import { readConfig } from "~/platform/env";
import { isRejection } from "~/platform/rejection";
import * as index from "~/routes/_index/route";
import { freshenSong } from "~/sources/spotify/freshen.server";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import { countingDatabase } from "../../support/database/counting-database";
import {
  baseTime,
  insert,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { putInRotation, putOwnersSongs, rateSongs } from "../../support/database/rotation";
import { makeSession, makeViewer, viewerOf } from "../../support/login";
import { measure } from "../../support/measure";
import { servicesAt } from "../../support/services";
import { catalogue, openCatalogue } from "../../support/spotify/stub";
import { stubBilling } from "../../support/stripe/billing-stub";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const now = baseTime + 3_600_000;
const code = "ZZFVF1600001";
const single = { ...trackOf("mara-lind", 3), isrc: code, title: "Night Bus", album: "Night Bus" };
const onAlbum = { ...single, trackId: "1".repeat(22), album: "Lines" };

/** Songs of different owners that are one recording. */
async function makeTwins(count: number, isrc: string | null = code): Promise<TestSong[]> {
  const twins: TestSong[] = [];
  for (let n = 0; n < count; n += 1) {
    twins.push(await makeSong(await makeUser(), { isrc, submittedAt: [baseTime + n] }));
  }
  return twins;
}

async function poolOf({ id }: TestUser) {
  return toPool(
    await selectPool(db, id, { hears: true }),
    await makeViewer({ id, displayName: "" }),
    { now },
  );
}

async function offeredTo(user: TestUser): Promise<string[]> {
  const { session } = await makeViewer(user);
  const asked = { sessionId: session.id, ratedSongId: null };
  const services = { now, random: () => 0, secret, isActivity: false, isSpotifyOpen: true };
  return ((await loadCarousel(db, asked, services))?.view.songs ?? []).map(({ songId }) => songId);
}

async function rate(user: TestUser, song: TestSong) {
  await makeListen(user, song, { finishedAt: now - 1, closedAt: now - 1 });
  return rateSong(servicesAt(now), await makeViewer(user), { songId: song.id, score: 3 });
}

async function pass(user: TestUser, { id }: TestSong) {
  const request = { songId: id, reason: "taste", words: "" } as const;
  return passSong({ ...servicesAt(now), random: () => 0 }, await makeViewer(user), request);
}

function first<T>(items: T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error("nothing");
  return item;
}

test("it is offered and counted once, and once rated, never again, whatever is asked for", async () => {
  const user = await makeUser();
  const [one, other, third] = (await makeTwins(3)) as [TestSong, TestSong, TestSong];
  const another = await makeSong(await makeUser(), { submittedAt: [baseTime + 9] });
  expect(await offeredTo(user)).toEqual([one.id, another.id]);
  expect(await poolOf(user)).toMatchObject({ available: 2, toRate: 2 });
  expect(await rate(user, one)).toEqual({ ok: true });
  expect(await offeredTo(user)).toEqual([one.id, another.id]);
  expect(await poolOf(user)).toMatchObject({ available: 1, toRate: 1 });
  await makePackage(user, [other], now);
  expect(await offeredTo(user)).toEqual([another.id]);
  for (const twin of [other, third]) {
    const listen = await makeListen(user, twin, { finishedAt: now - 1, closedAt: now - 1 });
    const answer = await rateSong(servicesAt(now), await makeViewer(user), {
      ...{ songId: twin.id, score: 4 },
    });
    expect(answer).toMatchObject({ status: 409, error: expect.stringContaining("already rated") });
    const row = { rater_id: user.id, listen_id: listen, song_id: twin.id, owner_id: twin.ownerId };
    const forced = insert("ratings", {
      ...{ id: unique("forced"), ...row, score: 4, owes_mail: 0, created_at: now },
    });
    await expect(forced.run()).rejects.toThrow("UNIQUE");
  }
  expect(await rowsOf("SELECT song_id FROM ratings")).toEqual([{ song_id: one.id }]);
  // Somebody else hears it from whoever waits longest.
  expect(await offeredTo(await makeUser())).toEqual([one.id, another.id]);
});

test("an owner's third song does not take another owner's place with the same recording", async () => {
  const [owner, other] = [await makeUser(), await makeUser()];
  for (const n of [0, 1]) await makeSong(owner, { submittedAt: [baseTime + n] });
  await makeSong(owner, { isrc: code, submittedAt: [baseTime + 2] });
  const theirs = await makeSong(other, { isrc: code, submittedAt: [baseTime + 3] });
  const pool = await poolOf(await makeUser());
  expect(pool.eligible.map(({ songId }) => songId)).toContain(theirs.id);
  expect(pool).toMatchObject({ available: 3, toRate: 3 });
});

test("passed on under one id, it comes under no other, and makes a submission no cheaper", async () => {
  const user = await makeUser();
  await makeSong(user);
  const [one, other] = (await makeTwins(2)) as [TestSong, TestSong];
  const drawn = await makeSong(await makeUser(), { submittedAt: [baseTime + 8] });
  const rest = await makeSong(await makeUser(), { submittedAt: [baseTime + 9] });
  const price = async () =>
    eligibility({ credits: 0, submittedCount: 1, ...(await poolOf(user)) }, 6, now).cost;
  expect(await price()).toBe(3);
  // The other one stands before the one in the package.
  await makePackage(user, [other, drawn], now);
  expect(await pass(user, other)).toEqual({ ok: true });
  expect(await offeredTo(user)).toEqual([rest.id, drawn.id]);
  expect(await price()).toBe(3);
  expect(await rate(user, one)).toMatchObject({ status: 409 });
  await expect(makeRating(user, one)).rejects.toThrow("passed on the recording");
  // It counts as long as one of its songs is in the rotation.
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), other);
  expect(await price()).toBe(3);
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), one);
  expect(await price()).toBe(2);
});

test("two passes at once do not bring the same recording into a package twice", async () => {
  const user = await makeUser();
  const [one, two] = [await makeSong(await makeUser()), await makeSong(await makeUser())];
  const twins = await makeTwins(2);
  await makePackage(user, [one, two, first(twins)], now);
  await Promise.all([pass(user, one), pass(user, two)]);
  expect(await offeredTo(user)).toEqual([first(twins).id]);
});

test("who submits it oneself does not rate it, not even from an open package", async () => {
  const user = await makeUser();
  const [bandmates] = await makeTwins(1);
  const another = await makeSong(await makeUser());
  const song = bandmates as TestSong;
  await makePackage(user, [song], now);
  expect(await offeredTo(user)).toEqual([song.id]);
  await makeSong(user, { isrc: code });
  expect(await offeredTo(user)).toEqual([another.id]);
  expect(await rate(user, song)).toMatchObject({ status: 403 });
  await expect(makeRating(user, song)).rejects.toThrow("has submitted the recording");
});

test("rated with an account deleted since, it is not rated again under another id", async () => {
  const user = await makeUser();
  const [one, other] = (await makeTwins(2)) as [TestSong, TestSong];
  await rate(user, one);
  await deleteAccount({ db, billing: stubBilling(), secret, now: () => now }, user.id);
  const again = await makeUser();
  const [{ id }] = (await rowsOf("SELECT id FROM departures")) as [{ id: string }];
  await runBatch(db, recogniseAccount(db, id, sql`${again.id}`));
  await env.DB.prepare("UPDATE departures SET left_at = ?")
    .bind(now - 86_400_000)
    .run();
  expect((await poolOf(again)).found).toBe(0);
  expect(await rate(again, other)).toMatchObject({ status: 409 });
});

test("songs of one track are one, and learn their code together, also those rated before", async () => {
  const [user, both] = [await makeUser(), await makeUser()];
  const track = { trackId: "2".repeat(22) };
  const known = await makeSong(await makeUser(), track);
  const [twin] = await makeTwins(1);
  for (const song of [known, twin as TestSong]) await makeRating(both, song);
  await makeRating(user, known);
  expect((await poolOf(user)).found).toBe(1);
  // Spotify gives the code with the next owner's submission.
  const later = await makeSong(await makeUser(), { ...track, isrc: code });
  expect(await rowsOf("SELECT DISTINCT recording FROM songs")).toEqual([{ recording: code }]);
  expect((await poolOf(user)).found).toBe(0);
  expect(await rowsOf("SELECT id FROM ratings WHERE rater_id = ?", both.id)).toHaveLength(2);
  // A listener's or an owner's answer changes no code that is known; the app's own look does, for all.
  await makeSong(await makeUser(), { ...track, isrc: "ZZFVF1600009" });
  expect(await rowsOf("SELECT DISTINCT recording FROM songs")).toEqual([{ recording: code }]);
  const answer = { changed: { isrc: "ZZFVF1600002" }, asker: "app", at: now } as const;
  await runBatch(db, freshenSong(db, { songId: later.id, ...answer }));
  expect(await rowsOf("SELECT recording, count(*) AS songs FROM songs GROUP BY 1")).toEqual([
    { recording: code, songs: 1 },
    { recording: "ZZFVF1600002", songs: 3 },
  ]);
  expect((await poolOf(user)).eligible.map(({ songId }) => songId)).toEqual([twin?.id]);
});

/** Has Spotify give a song another code, as the app's own look finds it. */
async function recode({ id }: TestSong, isrc: string) {
  const changed = { changed: { isrc }, asker: "app", at: now } as const;
  await env.DB.prepare("UPDATE songs SET fetched_at = 1").run();
  await runBatch(db, freshenSong(db, { songId: id, ...changed }));
}

test("what somebody has rated stays closed to them, whatever codes it is given, and nothing else does", async () => {
  const user = await makeUser();
  const [one, other, third] = (await makeTwins(3, null)) as [TestSong, TestSong, TestSong];
  const codes = ["ZZFVF1600001", "ZZFVF1600002"];
  const orders = fc.array(fc.tuple(fc.nat(2), fc.nat(1)), { maxLength: 8 });
  for (const song of [one, other]) await makeRating(user, song);
  const samples = fc.sample(orders, { numRuns: 30, seed: 1 });
  for (const [place, which] of samples.flat()) {
    await recode([one, other, third][place] as TestSong, codes[which] as string);
    const rows = (await rowsOf("SELECT id, recording FROM songs")) as Record<string, string>[];
    const of = new Map(rows.map(({ id, recording }) => [id, recording]));
    const isRated = [one, other].some(({ id }) => of.get(id) === of.get(third.id));
    const offered = (await poolOf(user)).eligible.map(({ songId }) => songId);
    expect(offered).toEqual(isRated ? [] : [third.id]);
  }
});

test("a song that turns out to be another recording is found by those who had passed it", async () => {
  const user = await makeUser();
  const [rated, twin] = (await makeTwins(2)) as [TestSong, TestSong];
  await makeRating(user, rated);
  const window = {
    user_id: user.id,
    hears_spotify: 1,
    seen_to: now,
    waiting: "[]",
    updated_at: now,
  };
  await insert("pool_windows", window).run();
  expect((await poolOf(user)).found).toBe(0);
  await recode(twin, "ZZFVF1600002");
  expect((await poolOf(user)).eligible.map(({ songId }) => songId)).toEqual([twin.id]);
});

test("the community counts a recording that was rated this week once", async () => {
  for (const twin of await makeTwins(2)) await makeRating(await makeUser(), twin, { at: now });
  await refreshCommunity(db, now + 1);
  expect(
    await rowsOf("SELECT songs_rated_this_week AS songs FROM community_figures ORDER BY id"),
  ).toEqual([{ songs: 1 }, { songs: 0 }]);
});

/** What its owner does with a recording under another release. */
async function ownerOf(options: Parameters<typeof makeSong>[1] = {}) {
  const user = await makeUser({ tier: "premium", credits: 12 });
  const song = await makeSong(user, { ...single, ...options });
  const { session } = await makeViewer(user);
  const submit = async ({ trackId }: typeof single, at = now) =>
    submitSong(
      servicesAt(at, { spotify: catalogue(single, onAlbum) }),
      await viewerOf(session.id),
      { trackId, requestKey: unique("form") },
    );
  const look = (asked: { trackId: string | null; found?: (typeof single)[]; from?: D1Database }) =>
    loadAddSong(
      {
        ...{
          isActivity: false,
          isSpotifyOpen: true,
          now: () => now,
        },
        db: createDatabase(asked.from ?? env.DB),
        lookUp: openCatalogue({
          ...catalogue(single, onAlbum),
          searchTracks: async () => ({
            items: (asked.found ?? []).map((one) => ({ ...one, albumId: null, artistIds: [] })),
            more: false,
          }),
        }),
      },
      {
        ...{ sessionId: session.id, term: "Night Bus", trackId: asked.trackId },
        place: { albumId: null, artistId: null, page: 1 },
      },
    );
  return { user, song, session, submit, look };
}

test("a submission under a release that is here already leaves that one's code as it is", async () => {
  const { song, submit } = await ownerOf();
  const known = { trackId: onAlbum.trackId, isrc: "ZZFVF1600009" };
  const theirs = await makeSong(await makeUser(), known);
  const rater = await makeUser();
  for (const one of [song, theirs]) await makeRating(rater, one);
  expect(await submit(onAlbum)).toHaveProperty("submissionId");
  expect((await poolOf(rater)).found).toBe(0);
  expect(await rowsOf("SELECT DISTINCT track_id, isrc, recording FROM songs")).toEqual([
    { track_id: known.trackId, isrc: known.isrc, recording: known.isrc },
  ]);
});

test("a submission may show that two songs that somebody has rated are one recording", async () => {
  const { song, submit } = await ownerOf({ trackId: onAlbum.trackId, isrc: null });
  const [rater, other] = [await makeUser(), await makeUser()];
  const [twin] = (await makeTwins(1)) as [TestSong];
  for (const one of [song, twin]) await makeRating(rater, one);
  await makeRating(other, song);
  expect(await submit(onAlbum)).toHaveProperty("submissionId");
  expect(await rowsOf("SELECT DISTINCT recording FROM songs")).toEqual([{ recording: code }]);
  expect(await rowsOf("SELECT id FROM ratings")).toHaveLength(3);
  for (const one of [rater, other]) expect((await poolOf(one)).found).toBe(0);
});

test("submitted under another release, it is its owner's same song, which is said before", async () => {
  const { song, submit, look } = await ownerOf({ received: 5 });
  const listed = await look({ trackId: null, found: [onAlbum] });
  expect(listed?.results).toMatchObject([{ submitted: expect.stringContaining("all of its 5") }]);
  const { question } = (await look({ trackId: onAlbum.trackId })) ?? {};
  expect(question?.gain).toContain("“Night Bus” on “Night Bus”. It is the same song here.");
  expect(question?.gain).toContain("This is its second submission");
  const sent = await submit(onAlbum);
  expect(sent).toHaveProperty("submissionId");
  expect(
    await rowsOf("SELECT id, track_id, album, entitled, received, recording FROM songs"),
  ).toEqual([
    {
      ...{ id: song.id, track_id: onAlbum.trackId, album: "Lines" },
      ...{ entitled: 10, received: 5, recording: code },
    },
  ]);
  expect(await rowsOf("SELECT song_id, number FROM submissions ORDER BY number")).toEqual([
    { song_id: song.id, number: 1 },
    { song_id: song.id, number: 2 },
  ]);
  // Back to the first release.
  expect(await submit(single, now + 1)).toHaveProperty("submissionId");
  expect(await rowsOf("SELECT track_id, entitled FROM songs")).toEqual([
    { track_id: single.trackId, entitled: 15 },
  ]);
});

test("of two presses for two releases at once, one counts, and for the same song", async () => {
  const { submit, song } = await ownerOf();
  const sent = await Promise.all([submit(onAlbum), submit(single)]);
  expect(sent.filter((one) => !isRejection(one))).toHaveLength(1);
  expect(await rowsOf("SELECT id, entitled FROM songs")).toEqual([{ id: song.id, entitled: 10 }]);
});

test("another release is no way around what the operator decided, or who is left to rate it", async () => {
  const { song, submit, look } = await ownerOf();
  const takenOut = "UPDATE songs SET taken_out = ?, resting_since = ?, decided_at = ? WHERE id = ?";
  await env.DB.prepare(takenOut).bind("Not music", now, now, song.id).run();
  expect(await submit(onAlbum)).toMatchObject({
    status: 409,
    error: expect.stringContaining("Not music"),
  });
  const asked = await look({ trackId: onAlbum.trackId });
  expect(asked?.question?.unratable).toContain("Not music");

  const rated = await ownerOf();
  for (let n = 0; n < 5; n += 1) {
    const rater = await makeUser();
    await makeViewer(rater);
    await makeRating(rater, rated.song);
  }
  const sessions =
    "DELETE FROM sessions WHERE user_id NOT IN (SELECT rater_id FROM ratings) AND id <> ?";
  await env.DB.prepare(sessions).bind(rated.session.id).run();
  const question = (await rated.look({ trackId: onAlbum.trackId }))?.question;
  expect(question?.unratable).toContain("too few are left");
  expect(await rated.submit(onAlbum)).toMatchObject({
    status: 409,
    error: expect.stringContaining("too few are left"),
  });
});

test("two owners of a recording each have their song, and ratings of their own", async () => {
  const [mine, theirs] = [await ownerOf(), await makeUser({ credits: 6 })];
  const viewer = await makeViewer(theirs);
  const spotify = catalogue(onAlbum);
  const sent = await submitSong(servicesAt(now, { spotify }), viewer, {
    ...{ trackId: onAlbum.trackId, requestKey: unique("form") },
  });
  expect(sent).toHaveProperty("submissionId");
  expect(await rowsOf("SELECT owner_id, track_id FROM songs ORDER BY created_at")).toEqual([
    { owner_id: mine.user.id, track_id: single.trackId },
    { owner_id: theirs.id, track_id: onAlbum.trackId },
  ]);
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
  const rows = await db.all(sql`SELECT ${isReachedByAll(told)} AS reached`);
  expect(rows).toEqual([{ reached: Number(reached) }]);
});

test("a rotation full of one recording costs no more to look through than any other", async () => {
  const user = await makeUser();
  const { cookie } = await makeSession(user, { musician: "indira-pallavan" });
  await putInRotation(1, 600);
  await env.DB.prepare("UPDATE songs SET isrc = ? WHERE id <= 'song-00000300'").bind(code).run();
  const rowsRead = async () => (await measure(index.loader, { path: "/", cookie })).rowsRead();
  const drawing = await rowsRead();
  await rateSongs(user, 1, 1);
  await env.DB.prepare("DELETE FROM packages").run();
  const walkingPast = await rowsRead();
  expect(drawing).toBeLessThan(1000);
  expect(walkingPast).toBeLessThan(1000);
});

test("an owner of a thousand songs is asked about a recording at the same cost", async () => {
  const { user, look } = await ownerOf();
  const rowsRead = async () => {
    const counting = countingDatabase(env.DB);
    const asked = { trackId: onAlbum.trackId, from: counting.binding };
    expect((await look(asked))?.question?.gain).toContain("It is the same song here.");
    return counting.rowsRead();
  };
  await putOwnersSongs(user, 9);
  const rest = () =>
    env.DB.prepare("UPDATE songs SET resting_since = 1 WHERE id LIKE 'own-%'").run();
  await rest();
  const few = await rowsRead();
  await env.DB.prepare("DELETE FROM songs WHERE id LIKE 'own-%'").run();
  await putOwnersSongs(user, 1000);
  await rest();
  expect(await rowsRead()).toBe(few);
});
