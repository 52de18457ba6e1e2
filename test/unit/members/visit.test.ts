import { expect, test } from "vitest";
import { visitAt } from "~/members/visit";

const lastActiveAt = Date.UTC(2026, 10, 1);
const minute = 60_000;

test("less than thirty minutes without activity leave the visit as it is", () => {
  for (const idle of [-minute, 0, minute, 30 * minute - 1]) {
    expect(visitAt({ visit: 2, lastActiveAt }, lastActiveAt + idle)).toBe(2);
  }
});

test("thirty minutes or more without activity begin the next visit", () => {
  for (const idle of [30 * minute, 90 * minute, 30 * 24 * 60 * minute]) {
    const now = lastActiveAt + idle;
    expect(visitAt({ visit: 1, lastActiveAt }, now)).toBe(2);
    expect(visitAt({ visit: 3, lastActiveAt }, now)).toBe(1);
  }
});
