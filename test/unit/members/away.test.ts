import { expect, test } from "vitest";
import { cooldownText, cooldownUntil } from "~/members/away";

const day = 24 * 60 * 60 * 1000;
const leftAt = Date.UTC(2026, 10, 23, 14, 4, 30);

test("somebody is away for exactly a day after leaving, and not at all without", () => {
  expect(cooldownUntil(null, leftAt)).toBeNull();
  expect(cooldownUntil(leftAt, leftAt)).toBe(leftAt + day);
  expect(cooldownUntil(leftAt, leftAt + day - 1)).toBe(leftAt + day);
  expect(cooldownUntil(leftAt, leftAt + day)).toBeNull();
});

test("the time is told to the minute in which there are songs", () => {
  expect(cooldownText(leftAt + day)).toContain("From 24 November 2026, 14:05 UTC on");
  expect(cooldownText(Date.UTC(2026, 11, 1))).toContain("From 1 December 2026, 00:00 UTC on");
});
