import { expect, test } from "vitest";
import { nextInCycle, visitAt } from "~/domain/session/visit";

const lastSeenAt = Date.UTC(2026, 10, 1);
const minute = 60_000;

test("the cycle goes 1, 2, 3 and starts again", () => {
  expect([1, 2, 3].map(nextInCycle)).toEqual([2, 3, 1]);
});

test("activity within a minute is not recorded", () => {
  expect(visitAt({ visit: 2, lastSeenAt }, lastSeenAt)).toBeNull();
  expect(visitAt({ visit: 2, lastSeenAt }, lastSeenAt + minute - 1)).toBeNull();
});

test("activity after a minute is recorded and does not change the visit", () => {
  for (const idle of [minute, 30 * minute - 1]) {
    const now = lastSeenAt + idle;
    expect(visitAt({ visit: 2, lastSeenAt }, now)).toEqual({ visit: 2, lastSeenAt: now });
  }
});

test("thirty minutes or more without activity begin the next visit", () => {
  for (const idle of [30 * minute, 90 * minute, 30 * 24 * 60 * minute]) {
    const now = lastSeenAt + idle;
    expect(visitAt({ visit: 1, lastSeenAt }, now)).toEqual({ visit: 2, lastSeenAt: now });
    expect(visitAt({ visit: 3, lastSeenAt }, now)).toEqual({ visit: 1, lastSeenAt: now });
  }
});

test("a clock that went back changes nothing", () => {
  expect(visitAt({ visit: 2, lastSeenAt }, lastSeenAt - minute)).toBeNull();
});
