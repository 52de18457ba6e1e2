import fc from "fast-check";
import { expect, test } from "vitest";
import type { Score } from "~/exchange/rating/scale";
import { isSameSnapshot, sharedResult, shareTitle, takeSnapshot } from "~/results/share";
import { songResult } from "~/results/song-result";
import { knownRatings } from "./known.ts";

/**
 * What can be published of a song whose ratings came in this order, one each minute.
 * @param uploads how often it was submitted, each time at the beginning.
 * @param visible how many of the newest the tier shows.
 */
function snapshotOf(scores: Score[], { uploads = 1, visible = scores.length } = {}) {
  const known = knownRatings(scores, Array(uploads).fill(0));
  return takeSnapshot(songResult({ ...known, seen: known.seen.slice(-visible) }, null));
}

test("a complete submission is shown with what it allows to conclude", () => {
  const snapshot = snapshotOf([3, 1, 4, 2, 3]);
  expect(snapshot).toEqual({ received: 5, uploads: [{ number: 1, counts: [1, 1, 2, 1] }] });
  expect(snapshot && sharedResult(snapshot)).toEqual({
    uploads: [{ number: 1, scores: [1, 2, 3, 3, 4] }],
    verdict: { said: "3 of 5 liked it.", note: null },
    range: {
      low: 25,
      high: 85,
      sentence: "Play it to a hundred musicians here, and between 25 and 85 of them would like it.",
    },
  });
});

const song = { title: "Night Bus", artists: ["Ada", "Ben"] };

test("of two visible ratings it is said that they are two, and that none is missing", () => {
  const snapshot = snapshotOf([1, 1, 1, 3, 4], { visible: 2 });
  expect(snapshot && sharedResult(snapshot)).toEqual({
    uploads: [{ number: 1, scores: [3, 4] }],
    verdict: { said: "All five are in.", note: "Two are shown here." },
    range: null,
  });
});

test("in a line, the song comes last, and no verdict of fewer than five", () => {
  const five = snapshotOf([3, 1, 4, 2, 3]);
  const two = snapshotOf([1, 1, 1, 3, 4], { visible: 2 });
  expect(five && shareTitle(song, five)).toBe("3 of 5 musicians liked “Night Bus” by Ada, Ben");
  expect(two && shareTitle(song, two)).toBe("Five musicians have rated “Night Bus” by Ada, Ben");
});

test.each<[string, Score[], object]>([
  ["without ratings", [], {}],
  ["before the five are complete", [4, 4, 4, 4], {}],
  [
    "if all that is visible belongs to a later submission",
    [1, 2, 3, 4, 1, 2, 3],
    { uploads: 2, visible: 2 },
  ],
  ["if only one rating could be shown", [1, 2, 3, 4, 1, 2], { uploads: 2, visible: 2 }],
])("nothing can be shared %s", (_what, scores, options) => {
  expect(snapshotOf(scores, options)).toBeNull();
});

const scores = fc.array(fc.constantFrom<Score>(1, 2, 3, 4), { maxLength: 24 });
const uploads = fc.integer({ min: 1, max: 4 });

test("what hidden ratings say makes no difference", () => {
  fc.assert(
    fc.property(
      scores,
      scores,
      uploads,
      fc.integer({ min: 1, max: 24 }),
      (one, other, uploads, visible) => {
        const seen = one.slice(Math.max(0, one.length - visible));
        const hidden = other.slice(0, one.length - seen.length);
        const twin = [
          ...one.slice(0, one.length - seen.length - hidden.length),
          ...hidden,
          ...seen,
        ];
        const options = { uploads, visible };
        expect(snapshotOf(twin, options)).toEqual(snapshotOf(one, options));
      },
    ),
  );
});

test("the order in which a submission's ratings came makes no difference", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<Score>(1, 2, 3, 4), { minLength: 5, maxLength: 5 }),
      (five) => {
        expect(snapshotOf(five.toReversed())).toEqual(snapshotOf(five));
      },
    ),
  );
});

test("a rating of a submission that is not complete changes nothing", () => {
  fc.assert(
    fc.property(scores, (given) => {
      const whole = given.slice(0, 5 * Math.floor(given.length / 5));
      const options = { uploads: 10 };
      const [now, before] = [snapshotOf(given, options), snapshotOf(whole, options)];
      expect(now).toEqual(before);
      if (now && before) expect(isSameSnapshot(now, before)).toBe(true);
    }),
  );
});
