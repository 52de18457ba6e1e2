import { expect, test } from "vitest";
import { nextInCycle, visitAt } from "~/domain/session/visit";

const lastSeenAt = Date.UTC(2026, 10, 1);
const minute = 60_000;

test("the cycle goes 1, 2, 3 and starts again", () => {
  expect([1, 2, 3].map(nextInCycle)).toEqual([2, 3, 1]);
});

test("less than thirty minutes without activity leave the visit as it is", () => {
  for (const idle of [-minute, 0, minute, 30 * minute - 1]) {
    expect(visitAt({ visit: 2, lastSeenAt }, lastSeenAt + idle)).toBe(2);
  }
});

test("thirty minutes or more without activity begin the next visit", () => {
  for (const idle of [30 * minute, 90 * minute, 30 * 24 * 60 * minute]) {
    const now = lastSeenAt + idle;
    expect(visitAt({ visit: 1, lastSeenAt }, now)).toBe(2);
    expect(visitAt({ visit: 3, lastSeenAt }, now)).toBe(1);
  }
});
