import fc from "fast-check";
import { expect, test } from "vitest";
import { isCompleteSince, placeFrom, placeText, recordLook } from "~/results/received";

const minute = 60_000;

test("news stay news until the visit is over, and are none at the first look", () => {
  const first = recordLook({ seenAt: null, newsSince: null }, 100 * minute);
  expect(first).toEqual({ seenAt: 100 * minute, newsSince: 100 * minute });
  const soon = recordLook(first, 129 * minute);
  expect(soon).toEqual({ seenAt: 129 * minute, newsSince: 100 * minute });
  const nextVisit = recordLook(soon, 159 * minute);
  expect(nextVisit).toEqual({ seenAt: 159 * minute, newsSince: 129 * minute });
});

test.each([
  ["the fifth came since", 5, 40, true],
  ["the fifth came before", 5, 50, false],
  ["only those after the fifth came since", 7, 50, false],
  ["the fifth and two more came since", 7, 49, true],
  ["the tenth came since", 10, 99, true],
  ["there is no fifth", 4, 0, false],
])("a five is complete since the last look: %s", (_what, received, since, complete) => {
  const newest = Array.from({ length: received }, (_, n) => ({ at: 10 * (n + 1) }));
  expect(isCompleteSince({ received, sealed: 0, newest: newest.reverse() }, since)).toBe(complete);
});

test("a place in the list is read as it was written, and nothing else is one", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 41), fc.uuid(), (at, songId) => {
      expect(placeFrom(placeText({ at, songId }))).toEqual({ at, songId });
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const place = placeFrom(text);
      expect(place === null || Number.isSafeInteger(place.at)).toBe(true);
    }),
  );
  expect([null, "", "x", ".y", "zzzzzzzzzzzzz.y"].map(placeFrom)).toEqual(Array(5).fill(null));
});
