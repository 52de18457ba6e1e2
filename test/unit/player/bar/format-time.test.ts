import { expect, test } from "vitest";
import { formatTime } from "~/player/bar/format-time";

test.each([
  [0, "0:00"],
  [5, "0:05"],
  [59.999, "0:59"],
  [60, "1:00"],
  [200, "3:20"],
  [3_725, "62:05"],
  [-3, "0:00"],
])("%d seconds read %s", (seconds, text) => {
  expect(formatTime(seconds)).toBe(text);
});
