/** What somebody without Spotify Premium is offered: own recordings alone, by every count. */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { loadCarousel } from "~/exchange/carousel/carousel.server";
import { mailSongsAgain } from "~/exchange/carousel/empty-pool/songs-again.server";
import { passSong } from "~/exchange/pass/pass.server";
import { keepWindow, selectPool, toPool } from "~/exchange/pool/pool.server";
import { selectReach } from "~/exchange/submission/limits.server";
import { hearsSpotify } from "~/members/hearing";
import type { Viewer } from "~/members/viewer.server";
import { readConfig } from "~/platform/env";
import { passTime } from "../../support/clock";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  giveRatings,
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
import { makeViewer } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { servicesAt } from "../../support/services";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const now = baseTime + 3_600_000;
const byMail = { way: "email" } as const;

async function carousel({ session }: Viewer, at = now) {
  const services = { now: at, random: () => 0, secret, isActivity: true, isSpotifyOpen: true };
  const loaded = await loadCarousel(db, { sessionId: session.id, ratedSongId: null }, services);
  if (!loaded) throw new Error("no carousel");
  return loaded.view;
}

async function offered(viewer: Viewer, at = now): Promise<string[]> {
  return (await carousel(viewer, at)).songs.map(({ songId }) => songId);
}

async function poolOf(viewer: Viewer, hears = hearsSpotify(viewer)) {
  return toPool(await selectPool(db, viewer.userId, { hears }), viewer, { now });
}

function idsOf(songs: { id: string }[]): string[] {
  return songs.map(({ id }) => id);
}

/** By turns a track and an own recording, of as many musicians, the first promised first. */
async function makeBoth(pairs: number, from = 0) {
  const tracks: TestSong[] = [];
  const own: OwnTestSong[] = [];
  for (let n = from; n < from + pairs; n += 1) {
    tracks.push(await makeSong(await makeUser(), { submittedAt: [baseTime + 2 * n] }));
    own.push(await makeOwnSong(await makeUser(), { submittedAt: [baseTime + 2 * n + 1] }));
  }
  return { tracks, own };
}

test.each([
  ["by e-mail", byMail, false],
  ["by Spotify without Premium", { hasPremium: false }, false],
  ["by Spotify with Premium", { hasPremium: true }, true],
  ["by Spotify that does not tell", { hasPremium: null }, true],
] as const)(
  "who is in %s is offered what they can hear, and counts no more",
  async (_way, session, hears) => {
    const { tracks, own } = await makeBoth(2);
    const viewer = await makeViewer(await makeUser(), session);
    const heard = tracks.flatMap((track, place) =>
      hears ? [track, own[place]] : own[place],
    ) as TestSong[];
    expect(await offered(viewer)).toEqual(idsOf(heard));
    const { eligibility } = await carousel(viewer);
    expect(eligibility.remaining).toBe(heard.length);
    expect(await poolOf(viewer)).toMatchObject({ available: heard.length, toRate: heard.length });
  },
);

test("with tracks alone, there is nothing to rate for them", async () => {
  await makeSong(await makeUser());
  const viewer = await makeViewer(await makeUser(), byMail);
  expect(await carousel(viewer)).toMatchObject({ state: "empty", songs: [] });
  expect(await rowsOf("SELECT id FROM packages")).toEqual([]);
});

test("a song passed on counts for the price only where it could be heard", async () => {
  const { tracks, own } = await makeBoth(1);
  const user = await makeUser();
  const viewer = await makeViewer(user);
  await makePackage(user, [...tracks, ...own], now);
  for (const { id } of [...tracks, ...own]) {
    const request = { songId: id, reason: "taste", words: "" } as const;
    expect(await passSong({ ...servicesAt(now), random: () => 0 }, viewer, request)).toEqual({
      ok: true,
    });
  }
  expect(await poolOf(viewer)).toMatchObject({ available: 2, staying: 2 });
  const quiet = await makeViewer(user, byMail);
  expect(await poolOf(quiet)).toMatchObject({ available: 1, staying: 1 });
});

test("a pass draws what they can hear in its place", async () => {
  const { own } = await makeBoth(2);
  const user = await makeUser();
  const viewer = await makeViewer(user, byMail);
  await makePackage(user, own.slice(0, 1), now);
  const request = { songId: own[0]?.id ?? "", reason: "taste", words: "" } as const;
  await passSong({ ...servicesAt(now), random: () => 0.999 }, viewer, request);
  expect(await offered(viewer)).toEqual(idsOf(own.slice(1)));
});

test("tracks of a package wait unseen for a login that hears them, and cost no pass", async () => {
  const { tracks, own } = await makeBoth(2);
  const user = await makeUser();
  const [loud, quiet] = [await makeViewer(user), await makeViewer(user, byMail)];
  const [first, second] = own as [(typeof own)[0], (typeof own)[0]];
  await makePackage(user, [...tracks, first], now);
  expect(await offered(quiet)).toEqual([first.id]);
  expect(await offered(loud)).toEqual(idsOf([...tracks, first]));
  // Rated through there, the next package has another own recording, and keeps the tracks.
  await makeRating(user, first, { at: now });
  expect(await offered(quiet, now + 1)).toEqual([second.id]);
  expect(await offered(loud, now + 1)).toEqual(idsOf([second, ...tracks]));
  expect(await rowsOf("SELECT id FROM passes")).toEqual([]);
});

test("nobody is rid of the songs drawn for them by logging in without Spotify", async () => {
  const { tracks, own } = await makeBoth(6);
  const user = await makeUser();
  const [loud, quiet] = [await makeViewer(user), await makeViewer(user, byMail)];
  await makePackage(user, tracks.slice(0, 5), now);
  const drawn = await offered(quiet);
  expect(drawn).toHaveLength(5);
  for (const song of own.filter(({ id }) => drawn.includes(id))) await makeRating(user, song);
  await offered(quiet, now + 1);
  expect((await offered(loud, now + 1)).toSorted()).toEqual(
    expect.arrayContaining(idsOf(tracks.slice(0, 5))),
  );
  expect(
    await rowsOf("SELECT song_id FROM package_songs WHERE song_id = ?", tracks[5]?.id ?? ""),
  ).toEqual([]);
});

test("a track that is being heard in another login stays there", async () => {
  const { tracks, own } = await makeBoth(1);
  const user = await makeUser();
  const [loud, quiet] = [await makeViewer(user), await makeViewer(user, byMail)];
  const [track] = tracks as [(typeof tracks)[0]];
  await makePackage(user, [track], now);
  await makeListen(user, track, { startedAt: now });
  expect(await offered(quiet)).toEqual(idsOf(own));
  expect((await carousel(loud)).listen).toMatchObject({ songId: track.id });
  expect(await offered(loud)).toContain(track.id);
});

test("a track that was heard can be rated in a login that does not hear it", async () => {
  const user = await makeUser();
  const song = await makeSong(await makeUser());
  await makePackage(user, [song], now);
  await makeListen(user, song, { finishedAt: now - 1, closedAt: now });
  expect(await offered(await makeViewer(user, byMail))).toEqual([song.id]);
});

test("two draws without Spotify at once keep the same package", async () => {
  const { tracks } = await makeBoth(7);
  const user = await makeUser();
  const quiet = await makeViewer(user, byMail);
  await makePackage(user, tracks.slice(0, 3), now);
  const [one, other] = await Promise.all([offered(quiet), offered(quiet)]);
  expect(one).toEqual(other);
  expect(await rowsOf("SELECT song_id FROM package_songs")).toHaveLength(8);
});

test("a window of own recordings passes no track, nor the other way round", async () => {
  const user = await makeUser();
  const { tracks, own } = await makeBoth(3);
  await giveRatings(user, 200);
  const [loud, quiet] = [await makeViewer(user), await makeViewer(user, byMail)];
  // A song at the line's end lets the window reach over the others.
  const last = await makeOwnSong(await makeUser(), { submittedAt: [now] });
  for (const song of own) await makeRating(user, song, { at: now });
  const keep = async (viewer: Viewer) => {
    await keepWindow(db, await poolOf(viewer), now);
  };
  await keep(quiet);
  expect(await rowsOf("SELECT hears_spotify, waiting FROM pool_windows")).toEqual([
    { hears_spotify: 0, waiting: "[]" },
  ]);
  expect((await poolOf(loud)).eligible.map(({ songId }) => songId)).toEqual(
    idsOf([...tracks, last]),
  );
  await keep(loud);
  expect(await rowsOf("SELECT hears_spotify FROM pool_windows ORDER BY 1")).toEqual([
    { hears_spotify: 0 },
    { hears_spotify: 1 },
  ]);
  for (const viewer of [loud, quiet]) await keep(viewer);
  expect((await poolOf(loud)).eligible).toHaveLength(4);
  expect((await poolOf(quiet)).eligible.map(({ songId }) => songId)).toEqual([last.id]);
});

test("without Spotify one is offered exactly the own recordings of what one is offered with it", async () => {
  const user = await makeUser();
  const [loud, quiet] = [await makeViewer(user), await makeViewer(user, byMail)];
  const owners: TestUser[] = [];
  for (let n = 0; n < 3; n += 1) owners.push(await makeUser());
  const act = fc.record({
    what: fc.constantFrom("track", "own", "rate", "rest", "keep"),
    which: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
      await env.DB.batch(
        ["songs", "pool_windows", "recordings"].map((table) =>
          env.DB.prepare(`DELETE FROM ${table}`),
        ),
      );
      await env.DB.prepare(
        `UPDATE users SET submitted_count = 0, rated_count = iif(id = ?1, 200, 0),
           rated_withdrawn = iif(id = ?1, 200, 0), credits = iif(id = ?1, 200, 0)`,
      )
        .bind(user.id)
        .run();
      const songs: { id: string; ownerId: string }[] = [];
      for (const [turn, { what, which }] of acts.entries()) {
        const owner = owners[which % owners.length] as TestUser;
        const at = { submittedAt: [baseTime + turn * 90_000] };
        const song = songs[which % (songs.length || 1)];
        if (what === "track") songs.push(await makeSong(owner, at));
        else if (what === "own") songs.push(await makeOwnSong(owner, at));
        else if (what === "keep") {
          const viewer = which % 2 ? loud : quiet;
          await keepWindow(db, await poolOf(viewer), now);
        } else if (song && what === "rest") {
          await env.DB.prepare(
            "UPDATE songs SET withdrawn = (resting_since IS NULL), resting_since = iif(resting_since IS NULL, ?, NULL) WHERE id = ?",
          )
            .bind(now, song.id)
            .run();
        } else if (song && what === "rate") {
          const rated = await rowsOf("SELECT id FROM ratings WHERE song_id = ?", song.id);
          if (rated.length === 0) await makeRating(user, song, { at: now });
        }
      }
      const own = new Set(
        (await rowsOf("SELECT id FROM songs WHERE track_id IS NULL")).map(
          (row) => (row as { id: string }).id,
        ),
      );
      const ratable = async (viewer: Viewer) => {
        const { toRate } = await poolOf(viewer);
        const rows = await selectPool(db, user.id, { hears: hearsSpotify(viewer) });
        const ids = [...(rows[0]?.waiting ?? []), ...(rows[0]?.found ?? [])].map(
          ({ songId }) => songId,
        );
        expect(new Set(ids).size).toBe(toRate);
        return new Set(ids);
      };
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
  await makeSong(await makeUser());
  const user = await makeUser();
  for (const login of logins) await makeViewer(user, login);
  await insert("song_wishes", { id: "wish", user_id: user.id, asked_at: 1, looked_at: 1 }).run();
  const look = (at: number) => mailSongsAgain({ db, mailQueue: noteQueued(), now: at });
  const day = 86_400_000;
  expect((await look(Date.now())).mails).toBe(0);
  expect((await look(Date.now() + day)).mails).toBe(hears ? 1 : 0);
  await makeOwnSong(await makeUser());
  if (hears) return;
  await look(Date.now() + day);
  expect((await look(Date.now() + 2 * day)).mails).toBe(1);
});

test("a track reaches those who hear Spotify, an own recording everybody", async () => {
  const owner = await makeUser();
  const [track, own] = [await makeSong(owner), await makeOwnSong(owner)];
  for (const login of [byMail, byMail, { hasPremium: false }, {}, {}]) {
    await makeViewer(await makeUser(), login);
  }
  const twice = await makeUser();
  for (const login of [byMail, {}]) await makeViewer(twice, login);
  const reachOf = async ({ id }: { id: string }) =>
    (await selectReach(db, sql`${id}`, Date.now()))[0];
  expect(await reachOf(track)).toEqual({ owed: 5, here: 3, left: 3 });
  expect(await reachOf(own)).toEqual({ owed: 5, here: 6, left: 6 });
});

test("a hundred logins that do not hear a track do not hide those that do", async () => {
  const owner = await makeUser();
  const [track, own] = [await makeSong(owner), await makeOwnSong(owner)];
  await makeViewer(await makeUser(), {});
  passTime(1000);
  const hundred = Array.from({ length: 100 }, async () => makeViewer(await makeUser(), byMail));
  await Promise.all(hundred);
  const reachOf = async ({ id }: { id: string }) =>
    (await selectReach(db, sql`${id}`, Date.now()))[0];
  expect(await reachOf(track)).toEqual({ owed: 5, here: 1, left: 1 });
  expect(await reachOf(own)).toEqual({ owed: 5, here: 100, left: 100 });
});
