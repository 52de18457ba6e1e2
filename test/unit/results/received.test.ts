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
  { what: "the fifth came since", received: 5, since: 40, complete: true },
  { what: "the fifth came before", received: 5, since: 50, complete: false },
  { what: "only those after the fifth came since", received: 7, since: 50, complete: false },
  { what: "the fifth and two more came since", received: 7, since: 49, complete: true },
  { what: "the tenth came since", received: 10, since: 99, complete: true },
  { what: "there is no fifth", received: 4, since: 0, complete: false },
])("a five is complete since the last look: $what", ({ received, since, complete }) => {
  const newest = Array.from({ length: received }, (_, n): [number, number] => [3, 10 * (n + 1)]);
  expect(isCompleteSince({ received, newest: newest.reverse() }, since)).toBe(complete);
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
