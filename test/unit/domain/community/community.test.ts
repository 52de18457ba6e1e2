import { describe, expect, test } from "vitest";
import { knownWait, likedShare, toldWait, usualWait } from "~/domain/community/community";

const hour = 60 * 60 * 1000;
const figures = {
  songsRatedThisWeek: 40,
  promisesKept: 20,
  halfWithinMs: 9 * hour,
  mostWithinMs: 72 * hour,
  likedShare: null,
};

describe("the usual wait", () => {
  test("names hours up to two days, and days beyond", () => {
    expect(usualWait(figures)).toBe(
      "Lately half of the songs had all five ratings within 9 hours, and nine of ten within 3 days.",
    );
    expect(knownWait({ ...figures, mostWithinMs: 48 * hour })).toContain("within 48 hours.");
    expect(knownWait({ ...figures, mostWithinMs: 48 * hour + 1 })).toContain("within 3 days.");
  });

  test("is at least an hour, and rounded up", () => {
    expect(knownWait({ ...figures, halfWithinMs: 1, mostWithinMs: hour + 1 })).toBe(
      "Lately half of the songs had all five ratings within 1 hour, and nine of ten within 2 hours.",
    );
  });

  test("is said once where half and nine of ten are the same", () => {
    expect(knownWait({ ...figures, mostWithinMs: 9 * hour })).toBe(
      "Lately nine of ten songs had all five ratings within 9 hours.",
    );
  });

  test("is told by half of the songs alone where the others would take too long to tell", () => {
    const slow = { ...figures, mostWithinMs: 8 * 24 * hour };
    expect(knownWait(slow, 7 * 24 * hour)).toBe(
      "Lately half of the songs had all five ratings within 9 hours.",
    );
    expect(knownWait(slow, 8 * 24 * hour)).toContain("and nine of ten within 8 days.");
  });

  test("is not known from fewer than twenty promises, nor before it was computed", () => {
    const few = { ...figures, promisesKept: 19 };
    expect([knownWait(few), usualWait(few)]).toEqual([null, "Too few songs lately to say."]);
    expect(usualWait(null)).toBe("Too few songs lately to say.");
    expect(toldWait(null)).toBe("Too few songs lately to say how long that takes.");
  });
});

test("the share of liked is told from a hundred ratings on", () => {
  expect([likedShare(99, 60), likedShare(100, 60)]).toEqual([null, 0.6]);
});
