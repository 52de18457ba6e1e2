import { expect, test } from "vitest";
import { runBatch } from "~/db/gated";
import { loadCarousel } from "~/exchange/carousel/carousel.server";
import { replacePackage } from "~/exchange/carousel/package.server";
import { dayMs, hourMs, minuteMs } from "~/platform/dates";
import {
  baseTime,
  freePrice,
  makeListen,
  makePackage,
  makeRating,
  type TestUser,
} from "../../support/database/factories";
import { change, db, row, rows } from "../../support/database/rows";
import {
  type Cast,
  idsOf,
  ownSong,
  type Someone,
  someone,
  song,
  songs,
  unlock,
} from "../../support/people";
import { dataOf } from "../../support/request";

type Song = Cast<typeof song>;

/** Draws the songs of a slice in its own order, and from its end. */
const draws = [() => 0, () => 0.999];

async function member(options: Parameters<typeof someone>[0] = {}): Promise<Someone> {
  return (await someone(options)).at(baseTime);
}

async function view(by: Someone) {
  return (await by.carousel()).view;
}

async function rateAll(user: TestUser, made: Song[]): Promise<void> {
  for (const one of made) await makeRating(user, one);
}

test("the pool holds what others are still owed and the viewer has not rated", async () => {
  const user = await member();
  const [owner, second] = [await someone(), await someone()];
  const own = await song({ owner: user });
  await song({ owner, received: 5 });
  await song({ owner: second, trackId: own.trackId });
  await makeRating(user, await song({ owner }));
  const wanted = await song({ owner: second });
  expect(await user.offered()).toEqual([wanted.id]);
});

test("the oldest promise comes first, not the oldest song", async () => {
  const renewed = await song({ submittedAt: [baseTime, baseTime + 900], received: 5 });
  const later = await song({ submittedAt: [baseTime + 800] });
  const earlier = await song({ submittedAt: [baseTime + 100] });
  expect(await (await member()).offered()).toEqual([earlier.id, later.id, renewed.id]);
});

test("a package holds a track once and two songs of a musician", async () => {
  const owner = await someone();
  const [first, second] = await songs(3, { owner });
  await song({ trackId: first?.trackId ?? "" });
  expect(await (await member()).offered()).toEqual([first?.id, second?.id]);
});

test.each([
  ["free", 5],
  ["premium", 4],
  ["past_due", 4],
] as const)("a %s viewer gets a package of %i songs", async (tier, size) => {
  const made = await songs(7);
  expect(await (await member({ tier })).offered()).toEqual(idsOf(made.slice(0, size)));
});

test.each([
  [1, 0],
  [2, 10],
  [3, 20],
])("on visit %i of 30 songs the package begins at the one numbered %i", async (visit, from) => {
  const made = await songs(30);
  expect(await (await member({ visit })).offered()).toEqual(idsOf(made.slice(from, from + 5)));
});

test("after half an hour away the next third is drawn from, and the visit written down", async () => {
  const made = await songs(30);
  const user = await member();
  const seen = await user.waits(30 * minuteMs).carousel({ isActivity: true });
  expect(seen.view.songs.map(({ songId }) => songId)).toEqual(idsOf(made.slice(10, 15)));
  expect(await user.now()).toMatchObject({ visit: 2, lastActiveAt: baseTime + 30 * minuteMs });
});

test("a package stays until it is rated through, then the next is drawn", async () => {
  const user = await member();
  const made = await songs(5);
  expect(await user.offered()).toEqual(idsOf(made));
  const later = await songs(2);
  await rateAll(user, made.slice(0, 4));
  const again = await view(await member({ user, random: () => 0.999 }));
  const rated = made.map(({ id }, n) => [id, n < 4 ? 3 : null]);
  expect(again.songs.map((one) => [one.songId, one.rated])).toEqual(rated);
  await rateAll(user, made.slice(4));
  expect(await user.offered()).toEqual(idsOf(later));
});

test.each([
  ["at first", 0],
  ["after a package was rated through", 5],
])("two loads at once %s show one package", async (_when, done) => {
  const user = await member();
  const rated = await songs(done);
  if (done > 0) await makePackage(user, rated);
  await rateAll(user, rated);
  const next = await songs(8);
  const both = await Promise.all(draws.map((random) => member({ user, random })));
  const [one, other] = await Promise.all(both.map((by) => by.offered()));
  expect(one).toHaveLength(5);
  expect(idsOf(next)).toEqual(expect.arrayContaining(one ?? []));
  expect(other).toEqual(one);
  expect(await user.offered()).toEqual(one);
  expect(await row("packages")).toMatchObject({ number: done > 0 ? 2 : 1 });
});

/** A draw by who knew the package with that number. @returns the package that then stands. */
async function draw({ id: userId }: TestUser, lastNumber: number, ...made: Song[]) {
  const drawn = made.map(({ id }) => ({ songId: id }));
  const place = { userId, lastNumber, drawn, drawnAt: baseTime, hears: true, place: null };
  const { standing } = await runBatch(db, replacePackage(db, place));
  return standing.map(({ number, songId }) => [number, songId]);
}

test("a draw that knew only an older package changes nothing, nor does one of somebody else", async () => {
  const [user, other] = [await member(), await member()];
  const [current, late] = [await song(), await song()];
  expect(await draw(user, 1, current)).toEqual([[2, current.id]]);
  expect(await draw(user, 0, late)).toEqual([[2, current.id]]);
  expect(await draw(other, 0, late)).toEqual([[1, late.id]]);
  await draw(user, 2, late);
  expect(await row("packages", { userId: user.id })).toMatchObject({ number: 3 });
  expect(await row("packages", { userId: other.id })).toMatchObject({ number: 1 });
});

test("a package that was being drawn goes without a song that was deleted with its owner", async () => {
  const [gone, other] = [await song(), await song()];
  await gone.owner.leaves();
  expect(await draw(await member(), 0, gone, other)).toEqual([[1, other.id]]);
});

test("a song that others filled leaves the package, unless the viewer listens to it", async () => {
  const [filled, heard] = [await song({ received: 5 }), await song({ received: 5 })];
  const owed = await song();
  const user = await member({ offered: [filled, owed, heard], listensTo: heard });
  const { songs: shown, listen } = await view(user);
  expect(shown.map(({ songId }) => songId)).toEqual([owed.id, heard.id]);
  expect(listen).toEqual({
    ...{ listenId: expect.any(String), songId: heard.id, unlocksAt: unlock },
    ...{ finished: false, positionMs: 0 },
  });
});

test("an own recording goes on where it was delivered to, less what was ahead of its listener", async () => {
  const it = await ownSong();
  const user = await member({ offered: [it], listensTo: it });
  await change("listens", {}, { deliveredMs: 43_000 });
  expect((await view(user)).listen).toMatchObject({ songId: it.id, positionMs: 30_000 });
});

test("each song tells whether it was heard, whatever listen is open, and then stays", async () => {
  const heard = await song({ received: 5 });
  const [listening, other] = [await song(), await song()];
  const user = await member({ offered: [heard, listening, other], heard, listensTo: listening });
  await someone({ heard: other });
  for (const now of [unlock, baseTime + dayMs]) {
    const { songs: shown } = await view(user.at(now));
    expect(shown.map((one) => [one.songId, one.heard])).toEqual([
      [heard.id, true],
      [listening.id, false],
      [other.id, false],
    ]);
  }
});

test("where others filled all that was left of a package, the next one is drawn", async () => {
  const [rated, filled] = [await song(), await song({ received: 5 })];
  const user = await member({ offered: [rated, filled] });
  await makeRating(user, rated);
  const next = await song();
  expect(await user.offered()).toEqual([next.id]);
});

test("where all of a package was deleted with its owners, the next one is drawn", async () => {
  const owner = await someone();
  const user = await member({ offered: await songs(2, { owner }) });
  await owner.leaves();
  expect(await user.offered()).toEqual([]);
  const next = await song();
  expect(await user.offered()).toEqual([next.id]);
});

test("a package a day old gives way to a new one, unless one of its songs is being heard", async () => {
  const [first, second] = [await song(), await song()];
  const [idle, listening] = [await member(), await member({ listensTo: second })];
  for (const user of [idle, listening]) await makePackage(user, [second], baseTime);
  expect(await idle.waits(dayMs - 1).offered()).toEqual([second.id]);
  expect(await idle.waits(1).offered()).toEqual([first.id, second.id]);
  expect(await listening.waits(dayMs).offered()).toEqual([second.id]);
});

test("with nothing to rate it is empty for a newcomer and exhausted for a rater", async () => {
  const user = await member();
  await song({ owner: user });
  expect(await view(user)).toMatchObject({ state: "empty", songs: [] });
  await makeRating(user, await song());
  const exhausted = { state: "exhausted", songs: [] };
  expect(await view(user)).toMatchObject(exhausted);
  expect(await rows("packages")).toEqual([]);
  const last = await song();
  expect(await view(user)).toMatchObject({ state: "songs" });
  await makeRating(user, last);
  expect(await view(user)).toMatchObject(exhausted);
});

test("the view says what is left until a submission", async () => {
  await songs(9);
  const credits = freePrice - 2;
  expect((await view(await member({ credits }))).eligibility).toEqual({
    ...{ eligible: false, remaining: 2, here: 2, wait: null, credits, cost: freePrice },
    ...{ limited: false, freeLost: false },
  });
});

test("a free submission of today makes the last song and the wait the goal, and then the wait", async () => {
  const user = await member();
  await song({ owner: user, submittedAt: [baseTime - hourMs] });
  const last = await song();
  const wait = { eligible: false, wait: baseTime + 23 * hourMs };
  for (const _drawn of ["before", "now"]) {
    const { songs: shown, eligibility } = await view(user);
    expect(shown).toHaveLength(1);
    expect(eligibility).toMatchObject({ ...wait, remaining: 1 });
  }
  await makeRating(user, last);
  const { state, eligibility } = await view(user);
  expect(state).toBe("exhausted");
  expect(eligibility).toMatchObject({ ...wait, remaining: 0 });
});

test("nobody reads both that there are no songs to rate, and how many to rate", async () => {
  const owner = await someone();
  await song({ owner, submittedAt: [Date.now() - hourMs + 30_000] });
  const page = await owner.reads("/");
  expect(page).toContain("No songs available to rate");
  expect(page).toContain("None more, then yours in 24 hours.");
  expect(page).not.toContain("to rate before");
});

test.each([
  { left: 3, cost: 3, remaining: 2 },
  { left: freePrice + 1, cost: freePrice, remaining: 4 },
])(
  "beside an open package, $left songs behind twenty that do not count make the price $cost",
  async ({ left, cost, remaining }) => {
    const user = await member();
    await song({ owner: user });
    await songs(20, { artists: [user.displayName] });
    await songs(left);
    const drawn = await view(user);
    const { songs: shown, eligibility } = await view(user);
    expect([shown, eligibility]).toEqual([drawn.songs, drawn.eligibility]);
    expect(eligibility).toMatchObject({ cost, remaining });
  },
);

test("a rating just given is told of, one of somebody else's is not", async () => {
  const user = await member();
  const [mine, theirs] = [await song(), await song()];
  await makeRating(user, mine, { score: 2 });
  await makeRating(await someone(), theirs);
  const told = async ({ id }: Song) => (await user.carousel({ ratedSongId: id })).justRated;
  const reasons = { liked: [], improve: [] };
  expect(await told(mine)).toMatchObject({ songId: mine.id, score: 2, reasons });
  expect(await told(theirs)).toBeNull();
});

test("the newest rating comes back for as long as something can be said about it, until the next song is begun", async () => {
  const user = await member();
  const [first, second, next] = [await song(), await song(), await song()];
  await makeRating(user, first, { at: baseTime });
  await makeRating(user, second, { score: 2, at: baseTime + 1000 });
  const told = async (later: number) => (await user.at(baseTime + later).carousel()).justRated;
  const changeableMs = minuteMs - 9_000;
  const shown = { songId: second.id, score: 2 };
  expect(await told(10_000)).toMatchObject({ ...shown, changeableMs });
  expect(await told(15 * minuteMs)).toMatchObject({ ...shown, changeableMs: 0 });
  expect(await told(1000 + 15 * minuteMs)).toBeNull();

  await makeListen(user, second, { startedAt: baseTime + 500, closedAt: baseTime + 900 });
  expect(await told(10_000)).not.toBeNull();
  await makeListen(user, next, { startedAt: baseTime + 5000 });
  expect(await told(10_000)).toBeNull();
  expect((await user.carousel({ ratedSongId: second.id })).justRated).toMatchObject(shown);
});

test("what was passed on is told of, not what was rated before", async () => {
  const user = await someone();
  await makeRating(user, await song(), { at: Date.now() });
  const rated = "Song successfully rated with";
  expect(await user.reads("/")).toContain(rated);
  const after = await user.reads("/?passed=song");
  expect(after).toContain("The song is off your list.");
  expect(after).not.toContain(rated);
});

test("without a login there is no carousel", async () => {
  const asked = { sessionId: "of nobody", ratedSongId: null };
  const given = { now: baseTime, random: () => 0, secret: "", isActivity: true };
  expect(await loadCarousel(db, asked, { ...given, isSpotifyOpen: true, place: null })).toBeNull();
});

test("nothing that leaves the server tells whose a song is", async () => {
  const owner = await someone({ displayName: "Olga Owner", email: "olga@musicians.example" });
  const user = await someone();
  const it = await song({ owner });
  const spotifyId = (await owner.now()).spotifyId ?? "no id";
  const secrets = [owner.id, user.id, spotifyId, "Olga", "olga@", "ownerId", "owner_id"];
  for (const path of ["/", dataOf("/")]) {
    const text = await user.reads(path);
    expect(text).toContain(it.title);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
});
