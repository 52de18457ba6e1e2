import { expect, test } from "vitest";
import { wantsReport, wantsTicks } from "~/player/machine/machine";
import { statesIn } from "../support.ts";

const { paused, playing } = statesIn("app");

test("an interrupted song is watched for a minute, in case it goes on by itself", () => {
  expect(wantsTicks(paused, 11_000)).toBe(true);
  expect(wantsTicks(paused, 70_999)).toBe(true);
  expect(wantsTicks(paused, 71_000)).toBe(false);
});

test("the driver is asked again after its interval, and not a whole tick too late", () => {
  expect(wantsReport(playing, 2_499, 2_000)).toBe(false);
  expect(wantsReport(playing, 2_500, 2_000)).toBe(true);
});
