import fc from "fast-check";
import { describe, expect, test } from "vitest";
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

describe("somebody who has not submitted before", () => {
  test.each([
    { threshold: free, credits: 0, remaining: 6 },
    { threshold: free, credits: 5, remaining: 1 },
    { threshold: free, credits: 6, remaining: 0 },
    { threshold: free, credits: 9, remaining: 0 },
    { threshold: premium, credits: 3, remaining: 1 },
    { threshold: premium, credits: 4, remaining: 0 },
  ])("with $credits of $threshold has $remaining to go", ({ threshold, credits, remaining }) => {
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
  });

  test("pays the whole threshold, or nothing once all that is left is rated", () => {
    const standing = { credits: 2, submittedCount: 0, available: 3 };
    expect(termsOf(standing, free)).toMatchObject({ eligible: false, remaining: 3, cost: 6 });
    const last = { credits: 0, submittedCount: 0, available: 2 };
    expect(termsOf(last, free)).toMatchObject({ remaining: 2, wait: null });
    const rated = { credits: 5, submittedCount: 0, available: 0 };
    expect(termsOf(rated, free)).toMatchObject({ eligible: true, cost: 0, limited: true });
  });

  test("pays the threshold if they have it, even if the pool is empty", () => {
    const standing = { credits: 6, submittedCount: 0, available: 0 };
    expect(termsOf(standing, free)).toMatchObject({ eligible: true, cost: 6, limited: false });
  });
});

describe("somebody who has submitted before", () => {
  test.each([
    { threshold: free, available: 6, cost: 6, remaining: 3, limited: false },
    { threshold: free, available: 5, cost: 5, remaining: 3, limited: true },
    { threshold: free, available: 3, cost: 3, remaining: 2, limited: true },
    { threshold: free, available: 1, cost: 1, remaining: 1, limited: true },
    { threshold: free, available: 0, cost: 0, remaining: 0, limited: true },
    { threshold: premium, available: 4, cost: 4, remaining: 2, limited: false },
    { threshold: premium, available: 3, cost: 3, remaining: 2, limited: true },
    { threshold: premium, available: 0, cost: 0, remaining: 0, limited: true },
  ])(
    "pays $cost of $threshold if $available songs are left, and has $remaining to go",
    ({ threshold, available, cost, remaining, limited }) => {
      const standing = { credits: 0, submittedCount: 1, available };
      const terms = { eligible: cost === 0, remaining, cost, limited, wait: null };
      expect(termsOf(standing, threshold)).toMatchObject(terms);
      const paid = termsOf({ ...standing, credits: cost }, threshold);
      expect(paid).toMatchObject({ eligible: true, remaining: 0, cost });
    },
  );
});

describe("somebody who has used today's free submission", () => {
  const tomorrow = now - 1 + freeIntervalMs;

  test.each([
    { submittedCount: 1, credits: 0, wait: tomorrow },
    { submittedCount: 1, credits: 6, wait: null },
    { submittedCount: 0, credits: 2, wait: tomorrow },
  ])("pays the whole threshold with nothing to rate, or waits", ({ wait, ...user }) => {
    const terms = termsOf({ ...user, available: 0, freeUsed: true }, free);
    expect(terms).toMatchObject({ eligible: wait === null, cost: 6, remaining: 0, wait });
  });

  test("still pays the number of songs to rate if there are any, but not the last one", () => {
    const user = { submittedCount: 1, credits: 0, freeUsed: true };
    expect(termsOf({ ...user, available: 2 }, free)).toMatchObject({ cost: 2, remaining: 1 });
    const last = termsOf({ ...user, available: 1 }, free);
    expect(last).toMatchObject({ cost: 1, remaining: 1, wait: tomorrow });
  });
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

describe("what is announced, if one rates on and nothing else happens", () => {
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

  test("is exactly what it takes, where every owner has two songs at most", () => {
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

  test("is never too little, and falls with each rating, whoever has how many", () => {
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
});
