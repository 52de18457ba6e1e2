import { expect, test } from "vitest";
import { createClock, msToNextSecond } from "~/player/clock";

test.each([
  [0, 1000],
  [1, 999],
  [999.9, 1],
  [1000, 1000],
  [34_250, 750],
])("at %d ms the next second is %d ms away", (reachedMs, ms) => {
  expect(msToNextSecond(reachedMs)).toBe(ms);
});

/** A clock based on two others that the test sets. */
function clockOn(monotonic: number, wall: number) {
  const reads = { monotonic, wall };
  const now = createClock(
    () => reads.monotonic,
    () => reads.wall,
  );
  return { reads, now };
}

test("a clock starts at 0 and advances with the two that it is based on", () => {
  const { reads, now } = clockOn(7_000, 1_800_000_000_000);
  expect(now()).toBe(0);
  reads.monotonic += 250;
  reads.wall += 250;
  expect(now()).toBe(250);
  expect(now()).toBe(250);
});

test("a clock keeps running while the device sleeps and the monotonic clock stands still", () => {
  const { reads, now } = clockOn(0, 0);
  reads.wall += 40_000;
  expect(now()).toBe(40_000);
  reads.monotonic += 1_000;
  reads.wall += 1_000;
  expect(now()).toBe(41_000);
});

test("a clock ignores a wall clock that is set back", () => {
  const { reads, now } = clockOn(0, 1_000_000);
  reads.monotonic += 5_000;
  reads.wall -= 600_000;
  expect(now()).toBe(5_000);
  reads.monotonic += 1_000;
  reads.wall += 1_000;
  expect(now()).toBe(6_000);
});

test("a clock never runs backwards", () => {
  const { reads, now } = clockOn(1_000, 1_000);
  reads.monotonic += 500;
  expect(now()).toBe(500);
  reads.monotonic -= 400;
  reads.wall -= 400;
  expect(now()).toBe(500);
});
