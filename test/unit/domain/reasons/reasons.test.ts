import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  aspects,
  countReasons,
  fewestTold,
  reasonBits,
  reasonsOf,
  reasonsSentence,
  reasonsState,
  reasonsWindowMs,
} from "~/domain/reasons/reasons";

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

describe("reasons as a number", () => {
  test("read back, are what was given", () => {
    fc.assert(
      fc.property(given, ({ liked, improve }) => {
        const read = reasonsOf(bits(liked, improve));
        expect(new Set(read.liked)).toEqual(new Set(liked));
        expect(new Set(read.improve)).toEqual(new Set(improve));
      }),
    );
  });

  test.each([
    { what: "none", liked: [], improve: [] },
    { what: "four", liked: ["Vocals", "Melody"], improve: ["Lyrics", "Groove"] },
    { what: "one on both sides", liked: ["Vocals"], improve: ["Vocals"] },
    { what: "no aspect", liked: ["Volume"], improve: [] },
    { what: "an empty name", liked: [""], improve: [] },
  ])("are refused: $what", ({ liked, improve }) => {
    expect(reasonBits({ liked, improve })).toBeNull();
  });

  test("count a name once, in either case", () => {
    expect(bits(["vocals", "Vocals"])).toBe(bits(["Vocals"]));
  });
});

describe("counts", () => {
  const many = fc.array(fc.option(given), { maxLength: 40 });

  test("are those of a plain model, and none is below three", () => {
    fc.assert(
      fc.property(many, (all) => {
        const counts = countReasons(all.map((one) => one && bits(one.liked, one.improve)));
        const carried = all.filter((one) => one !== null);
        const told = (side: "liked" | "improve", aspect: (typeof aspects)[number]) => {
          const { length } = carried.filter((one) => one[side].includes(aspect));
          return length < 3 ? null : length;
        };
        const expected = aspects.map((aspect) => ({
          aspect,
          liked: told("liked", aspect),
          improve: told("improve", aspect),
        }));
        const enough = {
          ratings: carried.length,
          aspects: expected.filter(({ liked, improve }) => liked !== null || improve !== null),
        };
        expect(counts).toEqual(carried.length < fewestTold ? null : enough);
      }),
    );
  });

  test("are the same, whoever gave which", () => {
    fc.assert(
      fc.property(many, fc.infiniteStream(fc.nat()), (all, random) => {
        const stored = all.map((one) => one && bits(one.liked, one.improve));
        const shuffled = stored
          .map((one) => ({ one, key: random.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        expect(countReasons(shuffled)).toEqual(countReasons(stored));
      }),
    );
  });

  test("in a line, begin with what was named most", () => {
    const one = bits(["Melody", "Groove"], ["Sound"]);
    expect(reasonsSentence(countReasons([one, one, one, bits(["Groove"])]))).toBe(
      "Liked: Groove (4), Melody (3). Could be better: Sound (3).",
    );
    expect(reasonsSentence(countReasons([one, one, null]))).toBeNull();
    expect(reasonsSentence(countReasons([bits(["Melody"]), one, bits(["Sound"])]))).toBeNull();
  });
});

test("reasons can be given for fifteen minutes, and once", () => {
  const rating = { createdAt: 1000, reasons: null };
  expect(reasonsState(rating, 1000 + reasonsWindowMs - 1)).toBe("open");
  expect(reasonsState(rating, 1000 + reasonsWindowMs)).toBeNull();
  expect(reasonsState({ ...rating, reasons: 1 }, 1000)).toBe("given");
});
