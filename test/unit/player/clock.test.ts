import { expect, test } from "vitest";
import { formatTime, msToNextSecond, unlockMs } from "~/player/clock";

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

test("a song unlocks a second after the required ones", () => {
  expect(unlockMs(55)).toBe(56_000);
  expect(unlockMs(3)).toBe(4_000);
});

test.each([
  [0, 1000],
  [1, 999],
  [999.9, 1],
  [1000, 1000],
  [34_250, 750],
])("from %d ms the next second is %d ms away", (heardMs, ms) => {
  expect(msToNextSecond(heardMs)).toBe(ms);
});
