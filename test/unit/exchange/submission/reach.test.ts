import { expect, test } from "vitest";
import { hasReachedAll } from "~/exchange/submission/reach";

test.each([
  ["a song that all but four have rated", { owed: 0, here: 30, left: 4 }, true],
  ["a song that five of thirty can still rate", { owed: 0, here: 30, left: 5 }, false],
  [
    "nine are left, five of them for the promise that is open",
    { owed: 5, here: 30, left: 9 },
    true,
  ],
  ["a second promise in a circle of three", { owed: 5, here: 2, left: 2 }, false],
  ["a third promise in a circle of three", { owed: 10, here: 2, left: 2 }, true],
  ["a third promise where there are many", { owed: 10, here: 60, left: 60 }, false],
  ["two of six have rated it", { owed: 3, here: 6, left: 4 }, false],
  ["nobody else is here", { owed: 10, here: 0, left: 0 }, false],
])("whether a song has reached everybody: %s", (_, reach, expected) => {
  expect(hasReachedAll(reach)).toBe(expected);
});
