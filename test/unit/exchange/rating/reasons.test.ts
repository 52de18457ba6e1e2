import fc from "fast-check";
import { expect, test } from "vitest";
import {
  areReasonsOpen,
  aspects,
  countReasons,
  reasonBits,
  reasonsOf,
  reasonsSentence,
  reasonsWindowMs,
} from "~/exchange/rating/reasons";

/** One to three different aspects, each on one of the sides. */
const given = fc
  .shuffledSubarray([...aspects], { minLength: 1, maxLength: 3 })
  .chain((named) =>
    fc.nat(named.length).map((at) => ({ liked: named.slice(0, at), improve: named.slice(at) })),
  );

function bits(liked: string[], improve: string[] = []): number {
  const made = reasonBits({ liked, improve });
  if (made === null) throw new Error("no reasons");
  return made;
}

test("reasons as a number read back, are what was given", () => {
  fc.assert(
    fc.property(given, ({ liked, improve }) => {
      const read = reasonsOf(bits(liked, improve));
      expect(new Set(read.liked)).toEqual(new Set(liked));
      expect(new Set(read.improve)).toEqual(new Set(improve));
    }),
  );
});

test.each([
  ["four", ["Vocals", "Melody"], ["Lyrics", "Groove"]],
  ["one on both sides", ["Vocals"], ["Vocals"]],
  ["no aspect", ["Volume"], []],
  ["an empty name", [""], []],
])("reasons as a number are refused: %s", (_what, liked, improve) => {
  expect(reasonBits({ liked, improve })).toBeNull();
});

test("reasons as a number can be none", () => {
  expect(reasonBits({ liked: [], improve: [] })).toBe(0);
});

test("reasons as a number count a name once, in either case", () => {
  expect(bits(["vocals", "Vocals"])).toBe(bits(["Vocals"]));
});

const minute = 60_000;

/** Somebody who has rated a song: so long after the one before, with reasons so long after that. */
interface Rater {
  waits: number;
  takes: number;
  /** What they say first, and what stays, in bits; null for nothing. */
  first: number | null;
  final: number | null;
}

const said = given.map(({ liked, improve }) => bits(liked, improve));
const raterWho = (final: fc.Arbitrary<number | null>): fc.Arbitrary<Rater> =>
  fc.record({
    waits: fc.nat(30 * minute),
    takes: fc.nat(reasonsWindowMs - 1),
    first: fc.option(said),
    final,
  });

/** What an owner reads who looks after everything that happens, and long after all of it. */
function readingsOf(raters: Rater[]) {
  let at = 0;
  const ratings = raters.map((rater) => {
    at += rater.waits;
    return { ...rater, at };
  });
  const moments = ratings.flatMap((one) => [
    one.at,
    one.at + one.takes,
    one.at + reasonsWindowMs,
    one.at + reasonsWindowMs + 3 * minute,
  ]);
  return [...moments, at + 100 * minute]
    .sort((a, b) => a - b)
    .map((now) => {
      const seen = ratings
        .filter((one) => one.at <= now)
        .map(({ takes, first, final, ...one }) => ({
          at: one.at,
          reasons: now >= one.at + takes ? final : first,
        }));
      return countReasons({ seen, received: seen.length, now });
    });
}

/** What an owner reads in the end. */
function readingOf(reasons: (number | null)[], { hidden = 0 } = {}) {
  const seen = reasons.map((one, place) => ({ at: place, reasons: one }));
  return countReasons({ seen, received: seen.length + hidden, now: 100 * minute });
}

const many = fc.array(fc.option(given), { maxLength: 40 });

test("counts are those of a plain model, of whole steps of three, and none is below three", () => {
  fc.assert(
    fc.property(many, (all) => {
      const counts = readingOf(all.map((one) => one && bits(one.liked, one.improve)));
      const carried = all.filter((one) => one !== null);
      const counted = carried.slice(0, 3 * Math.floor(carried.length / 3));
      const told = (side: "liked" | "improve", aspect: (typeof aspects)[number]) => {
        const { length } = counted.filter((one) => one[side].includes(aspect));
        return length < 3 ? null : length;
      };
      const expected = aspects.map((aspect) => ({
        aspect,
        liked: told("liked", aspect),
        improve: told("improve", aspect),
      }));
      const enough = {
        ratings: counted.length,
        aspects: expected.filter(({ liked, improve }) => liked !== null || improve !== null),
      };
      expect(counts).toEqual(counted.length === 0 ? null : enough);
    }),
  );
});

test("counts tell nobody who looks all the time what one person of an unfinished step says", () => {
  const silent = fc.array(raterWho(fc.constant(null)), { maxLength: 3 });
  const step = fc
    .tuple(silent, ...[1, 2, 3].map(() => raterWho(said)))
    .chain(([quiet, ...three]) =>
      fc.shuffledSubarray([...quiet, ...three], { minLength: quiet.length + 3 }),
    );
  const before = fc.array(step, { maxLength: 3 }).map((steps) => steps.flat());
  const rest = fc.tuple(raterWho(said), fc.array(raterWho(said), { maxLength: 1 }), silent);
  fc.assert(
    fc.property(before, rest, fc.boolean(), fc.option(said), (done, parts, last, otherwise) => {
      const [one, others, quiet] = parts;
      const world = (person: Rater) =>
        readingsOf([...done, ...quiet, ...(last ? [...others, person] : [person, ...others])]);
      expect(world({ ...one, final: otherwise })).toEqual(world(one));
    }),
  );
});

test("counts are the same to who looks all the time, whoever of a step gave which", () => {
  const raters = fc.array(raterWho(fc.option(said)), { maxLength: 12 });
  fc.assert(
    fc.property(
      raters,
      fc.nat(3),
      fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      (all, step, order) => {
        const carriers = all.filter(({ final }) => final !== null);
        const three = carriers.slice(3 * step, 3 * step + 3);
        fc.pre(three.length === 3);
        const changed = all.map((one) => {
          const other = three[order[three.indexOf(one)] ?? -1];
          return other ? { ...one, final: other.final } : one;
        });
        expect(readingsOf(changed)).toEqual(readingsOf(all));
      },
    ),
  );
});

test("counts are of no part of the ratings, whose steps would move with each new one", () => {
  const one = bits(["Groove"]);
  expect(readingOf([one, one, one])).not.toBeNull();
  expect(readingOf([one, one, one], { hidden: 1 })).toBeNull();
});

test("counts in a line begin with what was named most", () => {
  const one = bits(["Melody", "Groove"], ["Sound"]);
  const other = bits(["Groove"]);
  expect(reasonsSentence(readingOf([one, one, null, one, other, other, other]))).toBe(
    "Liked: Groove (6), Melody (3). Could be better: Sound (3).",
  );
  expect(reasonsSentence(readingOf([one, one, null]))).toBeNull();
  expect(reasonsSentence(readingOf([bits(["Melody"]), one, bits(["Sound"])]))).toBeNull();
});

test("reasons can be given for fifteen minutes", () => {
  expect(areReasonsOpen(1000, 1000 + reasonsWindowMs - 1)).toBe(true);
  expect(areReasonsOpen(1000, 1000 + reasonsWindowMs)).toBe(false);
});
