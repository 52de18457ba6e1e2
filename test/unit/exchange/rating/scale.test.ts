import fc from "fast-check";
import { expect, test } from "vitest";
import { isScore, ratingLabel, ratingScale, type Score } from "~/exchange/rating/scale";

test("the four ratings have their labels", () => {
  expect(ratingScale.map(({ score }) => [score, ratingLabel(score)])).toEqual([
    [1, "Not for me"],
    [2, "Mediocore"],
    [3, "Great Song"],
    [4, "Added to my playlist!"],
  ]);
});

test("a score that an older page does not know has no label, and does no harm", () => {
  expect(ratingLabel(5 as Score)).toBe("");
});

test("a score is one of the numbers 1 to 4 and nothing else", () => {
  expect([1, 2, 3, 4].map(isScore)).toEqual([true, true, true, true]);
  const others = [0, 5, -1, 1.5, Number.NaN, "1", "4", null, undefined, true, [1], { score: 1 }];
  expect(others.filter(isScore)).toEqual([]);
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(isScore(value)).toBe([1, 2, 3, 4].some((score) => score === value));
    }),
  );
});
