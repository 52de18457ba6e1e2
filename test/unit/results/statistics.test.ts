import fc from "fast-check";
import { expect, test } from "vitest";
import {
  betaQuantile,
  comparedWithAverage,
  compareSubmissions,
  jeffreysInterval,
  probabilityOfRise,
  rangeOfHundred,
} from "~/results/statistics";
import { listen, seededRandom } from "./seeded";

const counts = fc.record({ liked: fc.nat(60), others: fc.nat(60) });
const swapped = ({ liked, others }: { liked: number; others: number }) => ({
  liked: others,
  others: liked,
});

/**
 * k liked among n, and the 5 % and 95 % quantiles of Beta(k + ½, n − k + ½). Made with
 * quantile(p, k + 0.5, n - k + 0.5) of @stdlib/stats-base-dists-beta-quantile 0.2.3.
 */
const table = [
  [0, 1, 0.001543, 0.77148],
  [1, 1, 0.22852, 0.998457],
  [0, 5, 0.000374, 0.305746],
  [1, 5, 0.036447, 0.562845],
  [2, 5, 0.127776, 0.739366],
  [3, 5, 0.260634, 0.872224],
  [4, 5, 0.437155, 0.963553],
  [5, 5, 0.694254, 0.999626],
  [0, 10, 0.000192, 0.170773],
  [3, 10, 0.117329, 0.558127],
  [7, 10, 0.441873, 0.882671],
  [12, 20, 0.417554, 0.762361],
  [19, 20, 0.820445, 0.991131],
  [20, 40, 0.372906, 0.627094],
  [33, 40, 0.710689, 0.905716],
  [90, 100, 0.842225, 0.940924],
  [250, 500, 0.463288, 0.536712],
  [3, 1000, 0.001084, 0.007018],
] as const;

test.each(table)("the interval of %i of %i is that of the library", (k, n, low, high) => {
  const interval = jeffreysInterval({ liked: k, others: n - k });
  expect(interval.low).toBeCloseTo(low, 5);
  expect(interval.high).toBeCloseTo(high, 5);
});

test("quantiles grow with the probability, and mirror each other", () => {
  fc.assert(
    fc.property(counts, fc.double({ min: 0.01, max: 0.98, noNaN: true }), (seen, p) => {
      expect(betaQuantile(seen, p + 0.01)).toBeGreaterThan(betaQuantile(seen, p) - 1e-6);
      expect(betaQuantile(seen, p)).toBeCloseTo(1 - betaQuantile(swapped(seen), 1 - p), 5);
    }),
  );
});

test("the interval holds the share that was seen, and narrows with every five more alike", () => {
  fc.assert(
    fc.property(counts, ({ liked, others }) => {
      fc.pre(liked + others > 0);
      const { low, high } = jeffreysInterval({ liked, others });
      const share = liked / (liked + others);
      expect(low).toBeLessThanOrEqual(share + 0.01);
      expect(high).toBeGreaterThanOrEqual(share - 0.01);
      const more = jeffreysInterval({ liked: liked * 6, others: others * 6 });
      expect(more.high - more.low).toBeLessThan(high - low);
    }),
  );
});

test("the range is shown from five ratings on, in fives, and is never empty", () => {
  fc.assert(
    fc.property(counts, (seen) => {
      const range = rangeOfHundred(seen);
      expect(range === null).toBe(seen.liked + seen.others < 5);
      const { low, high } = range ?? { low: 0, high: 5 };
      expect([low % 5, high % 5]).toEqual([0, 0]);
      expect(0 <= low && low < high && high <= 100).toBe(true);
    }),
  );
});

test("more liked ones never lower the range", () => {
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 60 }), fc.nat(59), (n, k) => {
      fc.pre(k < n);
      const [less, more] = [k, k + 1].map((liked) => rangeOfHundred({ liked, others: n - liked }));
      expect(more?.low).toBeGreaterThanOrEqual(less?.low ?? 0);
      expect(more?.high).toBeGreaterThanOrEqual(less?.high ?? 0);
    }),
  );
});

test.each([
  [{ liked: 10, others: 0 }, 0.5, "more"],
  [{ liked: 0, others: 10 }, 0.5, "less"],
  [{ liked: 6, others: 4 }, 0.5, null],
  // Nine ratings are too few, however clear.
  [{ liked: 9, others: 0 }, 0.2, null],
  [{ liked: 10, others: 0 }, null, null],
])("a song is compared with the average %j beside an average of %s: %s", (seen, average, said) => {
  expect(comparedWithAverage(seen, average)).toBe(said);
});

test("a song is compared with the average only where the range that is shown leaves it out", () => {
  fc.assert(
    fc.property(counts, fc.double({ min: 0, max: 1, noNaN: true }), (seen, average) => {
      const said = comparedWithAverage(seen, average);
      const { low = 0, high = 100 } = rangeOfHundred(seen) ?? {};
      if (said === "more") expect(average * 100).toBeLessThan(low);
      if (said === "less") expect(average * 100).toBeGreaterThan(high);
    }),
  );
});

test("the probability of a rise is even between equals, and mirrors itself", () => {
  fc.assert(
    fc.property(counts, counts, (one, other) => {
      expect(probabilityOfRise(one, one)).toBeCloseTo(0.5, 6);
      const sum = probabilityOfRise(one, other) + probabilityOfRise(other, one);
      expect(sum).toBeCloseTo(1, 6);
      const mirrored = probabilityOfRise(swapped(other), swapped(one));
      expect(mirrored).toBeCloseTo(probabilityOfRise(one, other), 6);
    }),
  );
});

test.each([
  [
    { liked: 1, others: 4 },
    { liked: 4, others: 1 },
  ],
  [
    { liked: 3, others: 2 },
    { liked: 2, others: 3 },
  ],
  [
    { liked: 0, others: 5 },
    { liked: 7, others: 3 },
  ],
])(
  "the probability of a rise from %j to %j is the share of pairs of their quantiles",
  (earlier, later) => {
    const probabilities = Array.from({ length: 200 }, (_, n) => (n + 0.5) / 200);
    const before = probabilities.map((p) => betaQuantile(earlier, p));
    const after = probabilities.map((p) => betaQuantile(later, p));
    const rises = after.map((high) => before.filter((low) => low < high).length / before.length);
    const share = rises.reduce((sum, part) => sum + part, 0) / after.length;
    expect(probabilityOfRise(earlier, later)).toBeCloseTo(share, 2);
  },
);

test.each([
  [{ liked: 0, others: 5 }, { liked: 5, others: 0 }, "more"],
  [{ liked: 5, others: 0 }, { liked: 0, others: 5 }, "less"],
  [{ liked: 2, others: 3 }, { liked: 4, others: 1 }, "unclear"],
  [{ liked: 0, others: 5 }, { liked: 4, others: 0 }, null],
])("the second listen of %j and then %j: %s", (earlier, later, change) => {
  expect(compareSubmissions(earlier, later)).toBe(change);
});

const songs = 1000;
/** Appeals from hardly any listener to nearly all of them. */
const appeals = Array.from({ length: songs }, (_, song) => (song + 0.5) / songs);

test.each([5, 10, 20])(
  "of a thousand songs with known appeal the range of %i ratings holds the truth for 86 to 94 %%",
  (n) => {
    const random = seededRandom(n);
    const held = appeals.filter((appeal) => {
      const { low = 1, high = 0 } = rangeOfHundred(listen(random, appeal, n)) ?? {};
      return low <= appeal * 100 && appeal * 100 <= high;
    });
    expect(held.length / songs).toBeGreaterThan(0.86);
    expect(held.length / songs).toBeLessThan(0.94);
  },
);

test.each([
  [5, 5],
  [10, 5],
  [5, 10],
])(
  "of a thousand songs with known appeal a change from %i to %i ratings is named for at most 10 %% where nothing changed",
  (n, m) => {
    const random = seededRandom(n * 100 + m);
    const named = appeals.filter((appeal) => {
      const change = compareSubmissions(listen(random, appeal, n), listen(random, appeal, m));
      return change !== "unclear";
    });
    expect(named.length / songs).toBeLessThanOrEqual(0.1);
  },
);
