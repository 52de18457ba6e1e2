/** What somebody without Spotify Premium is offered: own recordings alone, by every count. */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mailSongsAgain } from "~/exchange/carousel/empty-pool/songs-again.server";
import { keepWindow, selectPool } from "~/exchange/pool/pool.server";
import { selectReach } from "~/exchange/submission/limits.server";
import { hearsSpotify } from "~/members/hearing";
import { dayMs, hourMs } from "~/platform/dates";
import { passTime } from "../../support/clock";
import {
  baseTime,
  giveRatings,
  insert,
  makeListen,
  makeOwnSong,
  makePackage,
  makeRating,
  makeSong,
  type TestUser,
} from "../../support/database/factories";
import { change, db, rows } from "../../support/database/rows";
import { makeViewer } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { type Cast, idsOf, ownSong, type Someone, someone, song } from "../../support/people";

type Track = Cast<typeof song>;
type Own = Cast<typeof ownSong>;

const now = baseTime + hourMs;
const byMail = { way: "email" } as const;

async function member(options: Parameters<typeof someone>[0] = {}): Promise<Someone> {
  return (await someone({ random: () => 0, ...options })).at(now);
}

/** Two logins of somebody: one that hears Spotify, and one that does not. */
async function twoLogins() {
  const loud = await member();
  return { loud, quiet: await member({ ...byMail, user: loud.user }) };
}

/** By turns a track and an own recording, of as many musicians, the first promised first. */
async function makeBoth(pairs: number) {
  const tracks: Track[] = [];
  const own: Own[] = [];
  for (let n = 0; n < pairs; n += 1) {
    tracks.push(await song({ submittedAt: [baseTime + 2 * n] }));
    own.push(await ownSong({ submittedAt: [baseTime + 2 * n + 1] }));
  }
  return { tracks: tracks as [Track, ...Track[]], own: own as [Own, Own, ...Own[]] };
}

async function keepWindowOf(by: Someone): Promise<void> {
  await keepWindow(db, await by.pool(), now);
}

test.each([
  ["by e-mail", byMail, false],
  ["by Spotify without Premium", { hasPremium: false }, false],
  ["by Spotify with Premium", { hasPremium: true }, true],
  ["by Spotify that does not tell", { hasPremium: null }, true],
] as const)(
  "who is in %s is offered what they can hear, and counts no more",
  async (_way, login, hears) => {
    const { tracks, own } = await makeBoth(2);
    const user = await member(login);
    const both = [tracks[0], own[0], ...tracks.slice(1), own[1]];
    const heard = idsOf(hears ? both : own);
    expect(await user.offered()).toEqual(heard);
    expect((await user.carousel()).view.eligibility.remaining).toBe(heard.length);
    const counts = { available: heard.length, toRate: heard.length };
    expect(await user.pool()).toMatchObject(counts);
  },
);

test("with tracks alone, there is nothing to rate for them", async () => {
  await song();
  const user = await member(byMail);
  expect((await user.carousel()).view).toMatchObject({ state: "empty", songs: [] });
  expect(await rows("packages")).toEqual([]);
});

test("a song passed on counts for the price only where it could be heard", async () => {
  const { tracks, own } = await makeBoth(1);
  const { loud, quiet } = await twoLogins();
  await makePackage(loud, [...tracks, ...own], now);
  for (const one of [...tracks, ...own]) expect(await loud.passes(one)).toEqual({ ok: true });
  expect(await loud.pool()).toMatchObject({ available: 2, staying: 2 });
  expect(await quiet.pool()).toMatchObject({ available: 1, staying: 1 });
});

test("a pass draws what they can hear in its place", async () => {
  const { own } = await makeBoth(2);
  const user = await member({ ...byMail, random: () => 0.999 });
  await makePackage(user, [own[0]], now);
  await user.passes(own[0]);
  expect(await user.offered()).toEqual([own[1].id]);
});

test("tracks of a package wait unseen for a login that hears them, and cost no pass", async () => {
  const { tracks, own } = await makeBoth(2);
  const { loud, quiet } = await twoLogins();
  const [first, second] = own;
  await makePackage(loud, [...tracks, first], now);
  expect(await quiet.offered()).toEqual([first.id]);
  expect(await loud.offered()).toEqual(idsOf([...tracks, first]));
  // Rated through there, the next package has another own recording, and keeps the tracks.
  await makeRating(loud, first, { at: now });
  expect(await quiet.waits(1).offered()).toEqual([second.id]);
  expect(await loud.waits(1).offered()).toEqual(idsOf([second, ...tracks]));
  expect(await rows("passes")).toEqual([]);
});

test("nobody is rid of the songs drawn for them by logging in without Spotify", async () => {
  const { tracks, own } = await makeBoth(6);
  const { loud, quiet } = await twoLogins();
  await makePackage(loud, tracks.slice(0, 5), now);
  const drawn = await quiet.offered();
  expect(drawn).toHaveLength(5);
  for (const one of own.filter(({ id }) => drawn.includes(id))) await makeRating(loud, one);
  await quiet.waits(1).offered();
  const offered = await loud.waits(1).offered();
  expect(offered).toEqual(expect.arrayContaining(idsOf(tracks.slice(0, 5))));
  expect(await loud.packaged()).not.toContain(tracks[5]?.id);
});

test("a track that is being heard in another login stays there", async () => {
  const { tracks, own } = await makeBoth(1);
  const { loud, quiet } = await twoLogins();
  const [track] = tracks;
  await makePackage(loud, [track], now);
  await makeListen(loud, track, { startedAt: now });
  expect(await quiet.offered()).toEqual(idsOf(own));
  expect((await loud.carousel()).view.listen).toMatchObject({ songId: track.id });
  expect(await loud.offered()).toContain(track.id);
});

test("a track that was heard can be rated in a login that does not hear it", async () => {
  const it = await song();
  const user = await member({ ...byMail, offered: [it], heard: it });
  expect(await user.offered()).toEqual([it.id]);
});

test("two draws without Spotify at once keep the same package", async () => {
  const { tracks } = await makeBoth(7);
  const user = await member(byMail);
  await makePackage(user, tracks.slice(0, 3), now);
  await user.viewer();
  const [one, other] = await Promise.all([user.offered(), user.offered()]);
  expect(one).toEqual(other);
  expect(await rows("packageSongs")).toHaveLength(8);
});

test("a window of own recordings passes no track, nor the other way round", async () => {
  const { tracks, own } = await makeBoth(3);
  const { loud, quiet } = await twoLogins();
  await giveRatings(loud, 200);
  // A song at the line's end lets the window reach over the others.
  const last = await ownSong({ submittedAt: [now] });
  for (const one of own) await makeRating(loud, one, { at: now });
  await keepWindowOf(quiet);
  expect(await rows("poolWindows")).toMatchObject([{ hearsSpotify: false, waiting: [] }]);
  expect(await loud.pooled()).toEqual(idsOf([...tracks, last]));
  await keepWindowOf(loud);
  expect(await rows("poolWindows", { hearsSpotify: true })).toHaveLength(1);
  for (const by of [loud, quiet]) await keepWindowOf(by);
  expect(await rows("poolWindows")).toHaveLength(2);
  expect(await loud.pooled()).toHaveLength(4);
  expect(await quiet.pooled()).toEqual([last.id]);
});

/** All songs that a login may be offered, however many are looked at. */
async function ratable(by: Someone): Promise<Set<string>> {
  const { toRate } = await by.pool();
  const hears = hearsSpotify(await by.viewer());
  const [read] = await selectPool(db, by.id, { hears, place: null });
  const ids = new Set(
    [...(read?.waiting ?? []), ...(read?.found ?? [])].map(({ songId }) => songId),
  );
  expect(ids.size).toBe(toRate);
  return ids;
}

test("without Spotify one is offered exactly the own recordings of what one is offered with it", async () => {
  const { loud, quiet } = await twoLogins();
  const owners: TestUser[] = [await someone(), await someone(), await someone()];
  const act = fc.record({
    what: fc.constantFrom("track", "own", "rate", "rest", "keep"),
    which: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
      for (const table of ["songs", "pool_windows", "recordings"]) {
        await env.DB.prepare(`DELETE FROM ${table}`).run();
      }
      const none = { submittedCount: 0, ratedCount: 0, ratedWithdrawn: 0, credits: 0 };
      await change("users", {}, none);
      await giveRatings(loud, 200);
      const songs: { id: string; ownerId: string }[] = [];
      for (const [turn, { what, which }] of acts.entries()) {
        const owner = owners[which % owners.length] as TestUser;
        const at = { submittedAt: [baseTime + turn * 90_000] };
        const one = songs[which % (songs.length || 1)];
        if (what === "track") songs.push(await makeSong(owner, at));
        else if (what === "own") songs.push(await makeOwnSong(owner, at));
        else if (what === "keep") await keepWindowOf(which % 2 ? loud : quiet);
        else if (one && what === "rest") {
          const rests = (await rows("songs", { id: one.id, restingSince: null })).length === 0;
          const values = { withdrawn: !rests, restingSince: rests ? null : now };
          await change("songs", { id: one.id }, values);
        } else if (one && what === "rate") {
          const rated = await rows("ratings", { songId: one.id });
          if (rated.length === 0) await makeRating(loud, one, { at: now });
        }
      }
      const own = new Set(idsOf(await rows("songs", { trackId: null })));
      const ownAmong = [...(await ratable(loud))].filter((id) => own.has(id));
      expect(await ratable(quiet)).toEqual(new Set(ownAmong));
    }),
    { numRuns: 25 },
  );
});

test.each([
  ["who hears Spotify in one login", [byMail, {}], true],
  ["who hears it in none", [byMail], false],
  ["whose logins are over, and who has Spotify", [], true],
] as const)("%s is told of songs that they can hear", async (_who, logins, hears) => {
  await song();
  const user = await someone();
  for (const login of logins) await makeViewer(user, login);
  await insert("song_wishes", { id: "wish", user_id: user.id, asked_at: 1, looked_at: 1 }).run();
  const mails = async (later: number) => {
    const services = { db, mailQueue: noteQueued(), now: Date.now() + later };
    return (await mailSongsAgain(services)).mails;
  };
  expect([await mails(0), await mails(dayMs)]).toEqual([0, hears ? 1 : 0]);
  await ownSong();
  if (!hears) expect([await mails(dayMs), await mails(2 * dayMs)]).toEqual([0, 1]);
});

/** Those who may still rate a song, of those who are here. */
async function reachOf({ id }: { id: string }) {
  return (await selectReach(db, sql`${id}`, Date.now()))[0];
}

test("a track reaches those who hear Spotify, an own recording everybody", async () => {
  const owner = await someone();
  const [track, own] = [await song({ owner }), await ownSong({ owner })];
  for (const login of [byMail, byMail, { hasPremium: false }, {}, {}]) {
    await makeViewer(await someone(), login);
  }
  const twice = await someone();
  for (const login of [byMail, {}]) await makeViewer(twice, login);
  expect(await reachOf(track)).toEqual({ owed: 5, here: 3, left: 3 });
  expect(await reachOf(own)).toEqual({ owed: 5, here: 6, left: 6 });
});

test("a hundred logins that do not hear a track do not hide those that do", async () => {
  const owner = await someone();
  const [track, own] = [await song({ owner }), await ownSong({ owner })];
  await makeViewer(await someone(), {});
  passTime(1000);
  const hundred = Array.from({ length: 100 }, async () => makeViewer(await someone(), byMail));
  await Promise.all(hundred);
  expect(await reachOf(track)).toEqual({ owed: 5, here: 1, left: 1 });
  expect(await reachOf(own)).toEqual({ owed: 5, here: 100, left: 100 });
});
