import fc from "fast-check";
import { expect, test } from "vitest";
import { lookAgain, placeFrom, placeText } from "~/domain/result/received";

const minute = 60_000;

test("news stay news until the visit is over, and are none at the first look", () => {
  const first = lookAgain({ seenAt: null, newsSince: null }, 100 * minute);
  expect(first).toEqual({ seenAt: 100 * minute, newsSince: 100 * minute });
  const soon = lookAgain(first, 129 * minute);
  expect(soon).toEqual({ seenAt: 129 * minute, newsSince: 100 * minute });
  const nextVisit = lookAgain(soon, 159 * minute);
  expect(nextVisit).toEqual({ seenAt: 159 * minute, newsSince: 129 * minute });
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
