import fc from "fast-check";
import { expect, test } from "vitest";
import { dateAndTime } from "~/platform/dates";
import { timeAgo } from "~/platform/time-ago";

const now = Date.UTC(2026, 10, 21, 14, 5);
const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

test.each([
  [0, "just now"],
  [59 * second, "just now"],
  [minute, "1 minute ago"],
  [59 * minute, "59 minutes ago"],
  [hour, "1 hour ago"],
  [23 * hour, "23 hours ago"],
  [day, "yesterday"],
  [2 * day, "2 days ago"],
  [20 * day, "20 days ago"],
  [21 * day, null],
])("%i ms ago is %s", (ago, words) => {
  expect(timeAgo(now - ago, now)).toBe(words);
});

test("a clock that runs ahead is not told of the future", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 * day }), (ahead) => {
      expect(timeAgo(now + ahead, now)).toBe("just now");
    }),
  );
});

test("a moment is told to the minute, in UTC", () => {
  expect(dateAndTime(now)).toBe("21 November 2026, 14:05 UTC");
});
