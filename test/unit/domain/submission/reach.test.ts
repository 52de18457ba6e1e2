import { expect, test } from "vitest";
import { hasReachedAll } from "~/domain/submission/reach";

test.each([
  ["a song that all but four have rated", { received: 30, owed: 0, left: 4 }, true],
  ["a song that five can still rate", { received: 30, owed: 0, left: 5 }, false],
  ["five are left, for the promise that is open", { received: 30, owed: 5, left: 9 }, true],
  ["a first promise in a circle of three", { received: 0, owed: 5, left: 2 }, false],
  ["a third promise in a circle of three", { received: 0, owed: 10, left: 2 }, true],
  ["a third promise where there are many", { received: 0, owed: 10, left: 60 }, false],
  ["two have rated it, and the other four can", { received: 2, owed: 3, left: 4 }, false],
])("whether a song has reached everybody: %s", (_, reach, expected) => {
  expect(hasReachedAll(reach)).toBe(expected);
});
