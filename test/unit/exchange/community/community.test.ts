import { expect, test } from "vitest";
import {
  likedShare,
  liveFigures,
  shortWait,
  toldWait,
  usualWait,
} from "~/exchange/community/community";

const hour = 60 * 60 * 1000;
const figures = {
  songsRatedThisWeek: 40,
  promisesKept: 20,
  halfWithinMs: 9 * hour,
  mostWithinMs: 72 * hour,
  likedShare: null,
};

test("the usual wait names hours up to two days, and days beyond", () => {
  expect(usualWait(figures)).toBe(
    "Lately half of the songs had all five ratings within 9 hours, and nine of ten within 3 days.",
  );
  expect(usualWait({ ...figures, mostWithinMs: 48 * hour })).toContain("within 48 hours.");
  expect(usualWait({ ...figures, mostWithinMs: 48 * hour + 1 })).toContain("within 3 days.");
});

test("the usual wait is at least an hour, and rounded up", () => {
  expect(usualWait({ ...figures, halfWithinMs: 1, mostWithinMs: hour + 1 })).toBe(
    "Lately half of the songs had all five ratings within 1 hour, and nine of ten within 2 hours.",
  );
});

test("the usual wait is said once where half and nine of ten are the same", () => {
  expect(usualWait({ ...figures, mostWithinMs: 9 * hour })).toBe(
    "Lately nine of ten songs had all five ratings within 9 hours.",
  );
});

test("the usual wait is told in few words where some songs wait much longer than most", () => {
  const slow = { ...figures, mostWithinMs: 45 * hour + 1 };
  const told = "Most songs have all five ratings within 9 hours. Some wait much longer.";
  expect([shortWait(slow), toldWait(slow)]).toEqual([told, told]);
  expect(usualWait(slow)).toContain("and nine of ten within 46 hours.");
  const even = { ...figures, mostWithinMs: 45 * hour };
  expect(shortWait(even)).toBe(usualWait(even));
});

test("the usual wait is not known from fewer than twenty promises, nor before it was computed", () => {
  const few = { ...figures, promisesKept: 19 };
  expect([shortWait(few), usualWait(few)]).toEqual([null, "Too few songs lately to say."]);
  expect(usualWait(null)).toBe("Too few songs lately to say.");
  expect(toldWait(null)).toBe("Too few songs lately to say how long that takes.");
});

const amounts = (row: Partial<typeof figures> | null) =>
  liveFigures(row && { ...figures, ...row }).map(({ amount }) => amount);

test("the live figures are what was rated, what was kept, and how long it took", () => {
  expect(amounts({ mostWithinMs: 30 * hour })).toEqual(["40", "20", "30 hours"]);
});

test("the live figures name the half, and say so, where some wait much longer", () => {
  const [, , wait] = liveFigures(figures);
  expect(wait?.amount).toBe("9 hours");
  expect(wait?.words).toMatch(/half of them.*Some wait much longer/);
});

test("the live figures are only those of which there is enough", () => {
  expect(amounts({ songsRatedThisWeek: 19, mostWithinMs: 30 * hour })).toEqual(["20", "30 hours"]);
  expect(amounts({ promisesKept: 19 })).toEqual(["40"]);
  expect(amounts(null)).toEqual([]);
});

test("the share of liked is told from a hundred ratings on", () => {
  expect([likedShare(99, 60), likedShare(100, 60)]).toEqual([null, 0.6]);
});
