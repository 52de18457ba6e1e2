import { expect, test } from "vitest";
import { wantsReport, wantsTicks } from "~/player/machine/machine";
import { after, plays, statesIn } from "../support.ts";

const { paused, playing, unlocked } = statesIn("app");

test("an interrupted song is watched for a minute, in case it goes on by itself", () => {
  expect([11_000, 70_999, 71_000].map((now) => wantsTicks(paused, now))).toEqual([
    true,
    true,
    false,
  ]);
});

test("a song that was heard is looked at when it should have ended", () => {
  expect(wantsTicks(unlocked, 40_000)).toBe(true);
  expect(wantsReport(unlocked, 200_999, 2_000)).toBe(false);
  expect(wantsReport(unlocked, 201_000, 2_000)).toBe(true);
  const later = after(unlocked, 150_000, plays(100_000));
  expect(wantsReport(later, 201_000, 2_000)).toBe(false);
  expect(wantsTicks(after(unlocked, 202_000, null), 203_000)).toBe(false);
});

test("the driver is asked again after its interval, and not a whole tick too late", () => {
  expect(wantsReport(playing, 2_499, 2_000)).toBe(false);
  expect(wantsReport(playing, 2_500, 2_000)).toBe(true);
});
