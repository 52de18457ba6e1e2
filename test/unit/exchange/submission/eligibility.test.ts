import fc from "fast-check";
import { expect, test } from "vitest";
import { toPool } from "~/exchange/pool/pool.server";
import { eligibility, freeIntervalMs } from "~/exchange/submission/eligibility";

const free = 6;
const premium = 4;
const now = 100 * freeIntervalMs;

/** The terms of somebody with so many songs to rate, no two of one owner. */
function termsOf(
  user: { credits: number; submittedCount: number; available: number; freeUsed?: boolean },
  threshold: number,
) {
  const lastFree = user.freeUsed ? now - 1 : null;
  const standing = { ...user, toRate: user.available, staying: 0, lastFree };
  return eligibility(standing, threshold, now);
}

test.each([
  { agreedCost: 2, credits: 2, terms: { eligible: true, cost: 2 } },
  { agreedCost: 2, credits: 1, terms: { eligible: false, remaining: 1, cost: 2 } },
  { agreedCost: 9, credits: 6, terms: { eligible: true, cost: 6 } },
  { agreedCost: 0, credits: 0, terms: { eligible: true, cost: 0, freeLost: false } },
  {
    ...{ agreedCost: 0, credits: 0, lastFree: now - 1 },
    terms: { eligible: false, remaining: 6, cost: 6, freeLost: true },
  },
  {
    agreedCost: 0,
    credits: 7,
    lastFree: now - 1,
    terms: { eligible: true, cost: 6, freeLost: true },
  },
  { agreedCost: 2, credits: 2, lastFree: now - 1, terms: { eligible: true, cost: 2 } },
])(
  "a draft agreed at $agreedCost costs no more than that, but for a second free one a day",
  ({ agreedCost, credits, lastFree = null, terms }) => {
    const songs = { available: 30, toRate: 30, staying: 0 };
    const standing = { ...songs, credits, submittedCount: 3, lastFree, agreedCost };
    expect(eligibility(standing, free, now)).toMatchObject(terms);
  },
);

test.each([
  [0, free, 6],
  [5, free, 1],
  [6, free, 0],
  [9, free, 0],
  [3, premium, 1],
  [4, premium, 0],
])(
  "somebody who has not submitted before with %j of %j has %j to go",
  (credits, threshold, remaining) => {
    const standing = { credits, submittedCount: 0, available: 30 };
    expect(termsOf(standing, threshold)).toEqual({
      eligible: remaining === 0,
      remaining,
      here: remaining,
      wait: null,
      credits,
      cost: threshold,
      limited: false,
      freeLost: false,
    });
  },
);

test.each([
  [6, free, 6, 3, false],
  [5, free, 5, 3, true],
  [3, free, 3, 2, true],
  [1, free, 1, 1, true],
  [0, free, 0, 0, true],
  [4, premium, 4, 2, false],
  [3, premium, 3, 2, true],
  [0, premium, 0, 0, true],
])(
  "somebody who has submitted before pays %j of %j if %j songs are left, and has %j to go",
  (cost, threshold, available, remaining, limited) => {
    const standing = { credits: 0, submittedCount: 1, available };
    const terms = { eligible: cost === 0, remaining, cost, limited, wait: null };
    expect(termsOf(standing, threshold)).toMatchObject(terms);
    const paid = termsOf({ ...standing, credits: cost }, threshold);
    expect(paid).toMatchObject({ eligible: true, remaining: 0, cost });
  },
);

const tomorrow = now - 1 + freeIntervalMs;
const before = { submittedCount: 1 };
const never = { submittedCount: 0 };
const freeUsed = true;

test.each([
  [
    "a newcomer pays the whole threshold",
    { ...never, credits: 2, available: 3 },
    { eligible: false, remaining: 3, cost: 6 },
  ],
  [
    "a newcomer has the last songs to rate first",
    { ...never, credits: 0, available: 2 },
    { remaining: 2, wait: null },
  ],
  [
    "a newcomer who has rated all that is left pays nothing",
    { ...never, credits: 5, available: 0 },
    { eligible: true, cost: 0, limited: true },
  ],
  [
    "a newcomer pays the threshold if they have it, even if the pool is empty",
    { ...never, credits: 6, available: 0 },
    { eligible: true, cost: 6, limited: false },
  ],
  [
    "after today's free one, who has nothing to rate waits",
    { ...before, credits: 0, available: 0, freeUsed },
    { eligible: false, cost: 6, remaining: 0, wait: tomorrow },
  ],
  [
    "after today's free one, who has nothing to rate pays the whole threshold",
    { ...before, credits: 6, available: 0, freeUsed },
    { eligible: true, cost: 6, remaining: 0, wait: null },
  ],
  [
    "a newcomer of an earlier account waits, too",
    { ...never, credits: 2, available: 0, freeUsed },
    { eligible: false, cost: 6, remaining: 0, wait: tomorrow },
  ],
  [
    "after today's free one, the number of songs to rate is still the price",
    { ...before, credits: 0, available: 2, freeUsed },
    { cost: 2, remaining: 1 },
  ],
  [
    "after today's free one, the last song to rate is none that helps",
    { ...before, credits: 0, available: 1, freeUsed },
    { cost: 1, remaining: 1, wait: tomorrow },
  ],
])("%s", (_title, user, terms) => {
  expect(termsOf(user, free)).toMatchObject(terms);
});

test("songs that were passed on cannot be rated, and only new ones help", () => {
  const passed = { available: 2, toRate: 0, staying: 2, lastFree: null };
  expect(eligibility({ ...passed, credits: 0, submittedCount: 0 }, free, now)).toMatchObject({
    eligible: false,
    remaining: 0,
    wait: "songs",
  });
});

const standing = fc.record({
  credits: fc.nat(20),
  submittedCount: fc.nat(3),
  available: fc.nat(20),
});

test("a submission never costs more than the threshold or than the user has", () => {
  fc.assert(
    fc.property(standing, fc.constantFrom(free, premium), (user, threshold) => {
      const { eligible, cost } = termsOf(user, threshold);
      expect(cost).toBeLessThanOrEqual(threshold);
      expect(eligible).toBe(user.credits >= cost);
    }),
  );
});

/** Of each owner, whether the songs were passed on. */
const owners = (most: number) =>
  fc.array(fc.array(fc.boolean(), { maxLength: most }), { maxLength: 8 });
const user = fc.record({
  credits: fc.nat(7),
  submittedCount: fc.nat(1),
  freeUsed: fc.boolean(),
  threshold: fc.constantFrom(free, premium),
});

/** The pool from the rows that the database would give. */
function poolOf(songs: { id: number; owner: number; passed: boolean }[]) {
  const rows = (passed: boolean) =>
    songs
      .filter((song) => song.passed === passed)
      .map(({ id, owner }) => ({
        songId: `song-${id}`,
        ownerId: `owner-${owner}`,
        recording: `track-${id}`,
        since: passed ? now : id,
        artists: ["An artist"],
        artistIds: [],
        isFull: false,
      }));
  const viewer = { ratedCount: 0, passedCount: 0, submittedCount: 0, displayName: "Me" };
  const row = {
    ...{ ...viewer, ownArtists: {}, leftAt: null, lastFree: null },
    ...{
      hearsSpotify: true,
      seenTo: null,
      lastLineSince: null,
      waiting: [],
      found: rows(false),
      passed: rows(true),
    },
  };
  return toPool([row], { userId: "me" }, { now });
}

type Who = typeof user extends fc.Arbitrary<infer It> ? It : never;

/** Rates songs at random until a submission is possible or nothing is left. */
function rateOn(
  all: boolean[][],
  { threshold, freeUsed, credits, submittedCount }: Who,
  random: () => number,
) {
  let songs = all
    .flatMap((own, owner) => own.map((passed) => ({ passed, owner })))
    .map((song, id) => ({ ...song, id }));
  const announced: ReturnType<typeof eligibility>[] = [];
  for (let ratings = 0; ; ratings += 1) {
    const pool = poolOf(songs);
    const lastFree = freeUsed ? now - 1 : null;
    const standing = { ...pool, credits: credits + ratings, submittedCount, lastFree };
    announced.push(eligibility(standing, threshold, now));
    const { eligible } = pool;
    const rated = eligible[random() % eligible.length];
    if (announced.at(-1)?.eligible || !rated) return announced;
    songs = songs.filter(({ id }) => `song-${id}` !== rated.songId);
  }
}

test("what is announced, if one rates on and nothing else happens, is exactly what it takes, where every owner has two songs at most", () => {
  fc.assert(
    fc.property(owners(2), user, fc.infiniteStream(fc.nat()), (all, who, random) => {
      const announced = rateOn(all, who, () => random.next().value);
      const counts = announced.map(({ remaining }) => remaining);
      expect(counts).toEqual(counts.map((_count, place) => counts.length - 1 - place));
      const isReached = announced.at(-1)?.eligible ?? false;
      expect(announced.map(({ wait }) => wait === null)).toEqual(counts.map(() => isReached));
    }),
  );
});

test("what is announced, if one rates on and nothing else happens, is never too little, and falls with each rating, whoever has how many", () => {
  fc.assert(
    fc.property(owners(6), user, fc.infiniteStream(fc.nat()), (all, who, random) => {
      const announced = rateOn(all, who, () => random.next().value);
      const counts = announced.map(({ remaining }) => remaining);
      expect(counts.at(-1)).toBe(0);
      for (const [place, count] of counts.entries()) {
        if (place > 0) expect(count).toBeLessThan(counts[place - 1] ?? 0);
      }
      const last = announced.at(-1);
      if (announced[0]?.wait === null) expect(last?.eligible).toBe(true);
    }),
  );
});
