import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { type Carousel, loadCarousel } from "~/exchange/carousel/carousel.server";
import { replacePackage } from "~/exchange/carousel/package.server";
import type { Viewer } from "~/members/viewer.server";
import { readConfig } from "~/platform/env";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  freePrice,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { makeMember, makeSession, makeViewer } from "../../support/login";
import { dataOf, request } from "../../support/request";

const { sessionSecret: secret } = readConfig(env);
/** Draws the songs of a slice in its own order. */
const inOrder = () => 0;
/** Draws them from the slice's end. */
const backwards = () => 0.999;

async function load(
  viewer: Viewer,
  { random = inOrder, now = baseTime, rated = null as string | null } = {},
): Promise<Carousel> {
  const request = { sessionId: viewer.session.id, ratedSongId: rated };
  const carousel = await loadCarousel(createDatabase(env.DB), request, {
    now,
    random,
    secret,
    isActivity: true,
    isSpotifyOpen: true,
  });
  if (!carousel) throw new Error("no carousel");
  return carousel;
}

async function songIds(viewer: Viewer, options: Parameters<typeof load>[1] = {}) {
  return (await load(viewer, options)).view.songs.map((song) => song.songId);
}

function ids(songs: TestSong[]): string[] {
  return songs.map((song) => song.id);
}

/** Songs of as many musicians, the first promised first. */
async function makeSongs(count: number): Promise<TestSong[]> {
  const songs: TestSong[] = [];
  for (let n = 0; n < count; n += 1) {
    songs.push(await makeSong(await makeUser(), { submittedAt: [baseTime + n] }));
  }
  return songs;
}

async function rateAll(user: TestUser, songs: TestSong[]): Promise<void> {
  for (const song of songs) await makeRating(user, song);
}

test("the pool holds what others are still owed and the viewer has not rated", async () => {
  const user = await makeUser();
  const [owner, second] = [await makeUser(), await makeUser()];
  const own = await makeSong(user);
  await makeSong(owner, { received: 5 });
  await makeSong(second, { trackId: own.trackId });
  await makeRating(user, await makeSong(owner));
  const wanted = await makeSong(second);
  expect(await songIds(await makeViewer(user))).toEqual([wanted.id]);
});

test("the oldest promise comes first, not the oldest song", async () => {
  const user = await makeUser();
  const renewed = await makeSong(await makeUser(), {
    submittedAt: [baseTime, baseTime + 900],
    received: 5,
  });
  const later = await makeSong(await makeUser(), { submittedAt: [baseTime + 800] });
  const earlier = await makeSong(await makeUser(), { submittedAt: [baseTime + 100] });
  expect(await songIds(await makeViewer(user))).toEqual([earlier.id, later.id, renewed.id]);
});

test("a package holds a track once and two songs of a musician", async () => {
  const user = await makeUser();
  const prolific = await makeUser();
  const first = await makeSong(prolific, { submittedAt: [baseTime] });
  const second = await makeSong(prolific, { submittedAt: [baseTime + 1] });
  await makeSong(prolific, { submittedAt: [baseTime + 2] });
  await makeSong(await makeUser(), { submittedAt: [baseTime + 3], trackId: first.trackId });
  expect(await songIds(await makeViewer(user))).toEqual(ids([first, second]));
});

test.each([
  ["free", 5],
  ["premium", 4],
  ["past_due", 4],
] as const)("a %s viewer gets a package of %i songs", async (tier, size) => {
  const songs = await makeSongs(7);
  const viewer = await makeViewer(await makeUser({ tier }));
  expect(await songIds(viewer)).toEqual(ids(songs.slice(0, size)));
});

test.each([
  [1, 0],
  [2, 10],
  [3, 20],
])("on visit %i of 30 songs the package begins at the one numbered %i", async (visit, from) => {
  const songs = await makeSongs(30);
  const viewer = await makeViewer(await makeUser(), { visit });
  expect(await songIds(viewer)).toEqual(ids(songs.slice(from, from + 5)));
});

test("after half an hour away the next third is drawn from, and the visit written down", async () => {
  const songs = await makeSongs(30);
  const viewer = await makeViewer(await makeUser());
  const now = baseTime + 1_800_000;
  expect(await songIds(viewer, { now })).toEqual(ids(songs.slice(10, 15)));
  expect(
    await rowsOf("SELECT visit, last_active_at FROM users WHERE id = ?", viewer.userId),
  ).toEqual([{ visit: 2, last_active_at: now }]);
});

test("a package stays until it is rated through, then the next is drawn", async () => {
  const user = await makeUser();
  const viewer = await makeViewer(user);
  const songs = await makeSongs(5);
  const first = await songIds(viewer);
  expect(first).toEqual(ids(songs));
  const later = await makeSongs(2);
  await rateAll(user, songs.slice(0, 4));
  const { view } = await load(viewer, { random: backwards });
  expect(view.songs.map((song) => song.songId)).toEqual(first);
  expect(view.songs.map((song) => song.rated)).toEqual([3, 3, 3, 3, null]);
  await rateAll(user, songs.slice(4));
  expect(await songIds(viewer)).toEqual(ids(later));
});

test("two first loads at once show one package", async () => {
  await makeSongs(9);
  const viewer = await makeViewer(await makeUser());
  const [one, other] = await Promise.all([
    songIds(viewer, { random: inOrder }),
    songIds(viewer, { random: backwards }),
  ]);
  expect(one).toHaveLength(5);
  expect(other).toEqual(one);
  expect(await songIds(viewer)).toEqual(one);
  expect(await rowsOf("SELECT number FROM packages")).toEqual([{ number: 1 }]);
});

test("two loads at once after a package was rated through show one new one", async () => {
  const user = await makeUser();
  const viewer = await makeViewer(user);
  const done = await makeSongs(5);
  await makePackage(user, done);
  await rateAll(user, done);
  const next = await makeSongs(8);
  const [one, other] = await Promise.all([
    songIds(viewer, { random: inOrder }),
    songIds(viewer, { random: backwards }),
  ]);
  expect(ids(next)).toEqual(expect.arrayContaining(one));
  expect(other).toEqual(one);
  expect(await rowsOf("SELECT number FROM packages")).toEqual([{ number: 2 }]);
});

test("a draw that knew only an older package changes nothing, nor does one of somebody else", async () => {
  const db = createDatabase(env.DB);
  const [user, other] = [await makeUser(), await makeUser()];
  const [current, late] = await makeSongs(2);
  if (!current || !late) throw new Error("no songs");
  const draw = async ({ id }: TestUser, lastNumber: number, song: TestSong) => {
    const drawn = [{ songId: song.id }];
    const place = { userId: id, lastNumber, drawn, drawnAt: baseTime, hears: true };
    const { standing } = await runBatch(db, replacePackage(db, place));
    return standing.map(({ number, songId }) => ({ number, songId }));
  };
  const standing = { number: 2, songId: current.id };
  expect(await draw(user, 1, current)).toEqual([standing]);
  expect(await draw(user, 0, late)).toEqual([standing]);
  expect(await draw(other, 0, late)).toEqual([{ number: 1, songId: late.id }]);
  await draw(user, 2, late);
  expect(await rowsOf("SELECT user_id, number FROM packages ORDER BY number")).toEqual([
    { user_id: other.id, number: 1 },
    { user_id: user.id, number: 3 },
  ]);
});

test("a song that others filled leaves the package, unless the viewer listens to it", async () => {
  const user = await makeUser();
  const [filled, heard] = [
    await makeSong(await makeUser(), { received: 5 }),
    await makeSong(await makeUser(), { received: 5 }),
  ];
  const owed = await makeSong(await makeUser());
  await makePackage(user, [filled, owed, heard]);
  await makeListen(user, heard);
  const { view } = await load(await makeViewer(user));
  expect(view.songs.map((song) => song.songId)).toEqual([owed.id, heard.id]);
  expect(view.listen).toEqual({
    listenId: expect.any(String),
    songId: heard.id,
    unlocksAt: baseTime + 56_000,
    finished: false,
    positionMs: 0,
  });
});

test("each song tells whether it was heard, whatever listen is open, and then stays", async () => {
  const [user, stranger] = [await makeUser(), await makeUser()];
  const heard = await makeSong(await makeUser(), { received: 5 });
  const [listening, other] = [await makeSong(await makeUser()), await makeSong(await makeUser())];
  await makePackage(user, [heard, listening, other]);
  const unlock = baseTime + 56_000;
  await makeListen(user, heard, { finishedAt: unlock, closedAt: unlock });
  await makeListen(user, listening, { startedAt: unlock });
  await makeListen(stranger, other, { finishedAt: unlock });
  const viewer = await makeViewer(user);
  for (const now of [unlock, baseTime + 86_400_000]) {
    const { view } = await load(viewer, { now });
    expect(view.songs.map((song) => [song.songId, song.heard])).toEqual([
      [heard.id, true],
      [listening.id, false],
      [other.id, false],
    ]);
  }
});

test("where others filled all that was left the next package is drawn", async () => {
  const user = await makeUser();
  const rated = await makeSong(await makeUser());
  const filled = await makeSong(await makeUser(), { received: 5 });
  await makePackage(user, [rated, filled]);
  await makeRating(user, rated);
  const next = await makeSong(await makeUser());
  expect(await songIds(await makeViewer(user))).toEqual([next.id]);
});

test("where all of a package was deleted with its owners the next one is drawn", async () => {
  const user = await makeUser();
  const owner = await makeUser();
  await makePackage(user, [await makeSong(owner), await makeSong(owner)]);
  await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(owner.id).run();
  const viewer = await makeViewer(user);
  expect(await songIds(viewer)).toEqual([]);
  const next = await makeSong(await makeUser());
  expect(await songIds(viewer)).toEqual([next.id]);
});

test("a package that was being drawn goes without a song that was deleted with its owner", async () => {
  const user = await makeUser();
  const owner = await makeUser();
  const [gone, other] = [await makeSong(owner), await makeSong(await makeUser())];
  await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(owner.id).run();
  const drawn = [{ songId: gone.id }, { songId: other.id }];
  const place = { userId: user.id, lastNumber: 0, drawn, drawnAt: baseTime, hears: true };
  const { standing } = await runBatch(
    createDatabase(env.DB),
    replacePackage(createDatabase(env.DB), place),
  );
  expect(standing.map(({ songId }) => songId)).toEqual([other.id]);
});

test("a package a day old gives way to a new one, unless one of its songs is being heard", async () => {
  const [first, second] = await makeSongs(2);
  if (!first || !second) throw new Error("no songs");
  const [idle, listening] = [await makeUser(), await makeUser()];
  for (const user of [idle, listening]) await makePackage(user, [second], baseTime);
  await makeListen(listening, second);
  const viewers = [await makeViewer(idle), await makeViewer(listening)] as const;
  const day = baseTime + 86_400_000;
  expect(await songIds(viewers[0], { now: day - 1 })).toEqual([second.id]);
  expect(await songIds(viewers[0], { now: day })).toEqual([first.id, second.id]);
  expect(await songIds(viewers[1], { now: day })).toEqual([second.id]);
});

test("with nothing to rate it is empty for a newcomer and exhausted for a rater", async () => {
  const newcomer = await makeUser();
  const rater = await makeUser();
  await makeSong(newcomer);
  const { view: empty } = await load(await makeViewer(newcomer));
  expect(empty).toMatchObject({ state: "empty", songs: [] });
  const song = await makeSong(rater);
  await makeRating(newcomer, song);
  const { view: exhausted } = await load(await makeViewer(newcomer));
  expect(exhausted).toMatchObject({ state: "exhausted", songs: [] });
  expect(await rowsOf("SELECT id FROM packages")).toEqual([]);
});

test("the last song of all rated, the carousel is exhausted", async () => {
  const user = await makeUser();
  const songs = await makeSongs(2);
  const viewer = await makeViewer(user);
  expect((await load(viewer)).view.state).toBe("songs");
  await rateAll(user, songs);
  expect((await load(viewer)).view).toMatchObject({ state: "exhausted", songs: [] });
});

test("the view says what is left until a submission", async () => {
  await makeSongs(9);
  const viewer = await makeViewer(await makeUser({ credits: freePrice - 2 }));
  expect((await load(viewer)).view.eligibility).toEqual({
    eligible: false,
    remaining: 2,
    here: 2,
    wait: null,
    credits: freePrice - 2,
    cost: freePrice,
    limited: false,
    freeLost: false,
  });
});

test("a free submission of today makes the last song and the wait the goal, and then the wait", async () => {
  const user = await makeUser();
  await makeSong(user, { submittedAt: [baseTime - 3_600_000] });
  const [last] = await makeSongs(1);
  const viewer = await makeViewer(user);
  const wait = baseTime + 23 * 3_600_000;
  for (const drawn of [false, true]) {
    const { songs, eligibility } = (await load(viewer)).view;
    expect({ drawn, songs: songs.length }).toEqual({ drawn, songs: 1 });
    expect(eligibility).toMatchObject({ eligible: false, remaining: 1, wait });
  }
  await rateAll(user, last ? [last] : []);
  const { state, eligibility } = (await load(viewer)).view;
  expect(state).toBe("exhausted");
  expect(eligibility).toMatchObject({ eligible: false, remaining: 0, wait });
});

test("nobody reads both that there are no songs to rate, and how many to rate", async () => {
  const { user, cookie } = await makeMember();
  await makeSong(user, { submittedAt: [Date.now() - 3_600_000 + 30_000] });
  const page = (await (await request("/", { cookie })).text()).replaceAll("<!-- -->", "");
  expect(page).toContain("No songs available to rate");
  expect(page).toContain("You can submit your next song in 24 hours.");
  expect(page).not.toContain("to rate before");
});

test.each([
  { left: 3, cost: 3, remaining: 2 },
  { left: freePrice + 1, cost: freePrice, remaining: 4 },
])(
  "beside an open package, $left songs behind twenty that do not count make the price $cost",
  async ({ left, cost, remaining }) => {
    const user = await makeUser();
    await makeSong(user);
    for (let n = 0; n < 20; n += 1) {
      const artists = [user.displayName];
      await makeSong(await makeUser(), { artists, submittedAt: [baseTime + n] });
    }
    for (let n = 0; n < left; n += 1) {
      await makeSong(await makeUser(), { submittedAt: [baseTime + 100 + n] });
    }
    const viewer = await makeViewer(user);
    const drawn = (await load(viewer)).view;
    const { songs, eligibility } = (await load(viewer)).view;
    expect(songs).toEqual(drawn.songs);
    expect(eligibility).toEqual(drawn.eligibility);
    expect(eligibility).toMatchObject({ cost, remaining });
  },
);

test("a rating just given is told of, one of somebody else's is not", async () => {
  const user = await makeUser();
  const [mine, theirs] = await makeSongs(2);
  if (!mine || !theirs) throw new Error("no songs");
  await makeRating(user, mine, { score: 2 });
  await makeRating(await makeUser(), theirs);
  const viewer = await makeViewer(user);
  expect((await load(viewer, { rated: mine.id })).justRated).toMatchObject({
    songId: mine.id,
    score: 2,
    reasons: { liked: [], improve: [] },
  });
  expect((await load(viewer, { rated: theirs.id })).justRated).toBeNull();
});

test("the newest rating comes back for as long as something can be said about it, until the next song is begun", async () => {
  const user = await makeUser();
  const [first, second, next] = await makeSongs(3);
  if (!first || !second || !next) throw new Error("no songs");
  await makeRating(user, first, { at: baseTime });
  await makeRating(user, second, { score: 2, at: baseTime + 1000 });
  const viewer = await makeViewer(user);
  const told = async (now: number) => (await load(viewer, { now })).justRated;
  const changeableMs = 60_000 - 9_000;
  expect(await told(baseTime + 10_000)).toMatchObject({
    songId: second.id,
    score: 2,
    changeableMs,
  });
  const windowMs = 15 * 60_000;
  expect(await told(baseTime + windowMs)).toMatchObject({ songId: second.id, changeableMs: 0 });
  expect(await told(baseTime + 1000 + windowMs)).toBeNull();

  const closed = { startedAt: baseTime + 500, closedAt: baseTime + 900 };
  await makeListen(user, second, closed);
  expect(await told(baseTime + 10_000)).not.toBeNull();
  await makeListen(user, next, { startedAt: baseTime + 5000 });
  expect(await told(baseTime + 10_000)).toBeNull();
  expect((await load(viewer, { rated: second.id })).justRated).toMatchObject({ songId: second.id });
});

test("what was passed on is told of, not what was rated before", async () => {
  const user = await makeUser();
  await makeRating(user, await makeSong(await makeUser()), { at: Date.now() });
  const { cookie } = await makeSession(user);
  const page = await (await request("/", { cookie })).text();
  expect(page).toContain("Song successfully rated with");
  const after = await (await request("/?passed=song", { cookie })).text();
  expect(after).toContain("The song is off your list.");
  expect(after).not.toContain("Song successfully rated with");
});

test("without a login there is no carousel", async () => {
  const request = { sessionId: "of nobody", ratedSongId: null };
  expect(
    await loadCarousel(createDatabase(env.DB), request, {
      now: baseTime,
      random: inOrder,
      secret,
      isActivity: true,
      isSpotifyOpen: true,
    }),
  ).toBeNull();
});

test("nothing that leaves the server tells whose a song is", async () => {
  const owner = await makeUser({ displayName: "Olga Owner", email: "olga@musicians.example" });
  const user = await makeUser();
  const song = await makeSong(owner);
  const { cookie } = await makeSession(user);
  const page = await (await request("/", { cookie })).text();
  const data = await (await request(dataOf("/"), { cookie })).text();
  const rows = await rowsOf("SELECT spotify_id FROM users WHERE id = ?", owner.id);
  const secrets = [owner.id, user.id, "Olga", "olga@", "ownerId", "owner_id"].concat(
    rows.flatMap((row) => Object.values(row as { spotify_id: string })),
  );
  expect(secrets).toHaveLength(7);
  for (const text of [page, data]) {
    expect(text.includes(song.title)).toBe(true);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
});
