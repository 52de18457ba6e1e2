import { expect, test } from "vitest";
import { eligibility } from "~/domain/submission/eligibility";
import {
  freeIntervalMs,
  isFreeUsed,
  maxOwedSongs,
  submissionObstacle,
} from "~/domain/submission/limits";

const hour = 3_600_000;
const now = 100 * hour;

/** The obstacle for somebody with these credits, songs to rate and own songs; the threshold is six. */
function obstacle(
  user: { credits: number; available: number; awayUntil?: number },
  own = { owed: 0, lastFree: 0 },
) {
  const standing = { ...user, submittedCount: 1, freeUsed: isFreeUsed(own, now) };
  const { available, awayUntil = null } = user;
  return submissionObstacle({ ...eligibility(standing, 6), available, awayUntil }, own, now);
}

test("a free submission is used up for exactly a day", () => {
  const lastFree = now - freeIntervalMs;
  expect(isFreeUsed({ owed: 0, lastFree: null }, now)).toBe(false);
  expect(isFreeUsed({ owed: 0, lastFree }, now)).toBe(false);
  expect(isFreeUsed({ owed: 0, lastFree: lastFree + 1 }, now)).toBe(true);
});

test("there is no obstacle for somebody with enough credits and fewer than ten songs", () => {
  expect(obstacle({ credits: 6, available: 9 })).toBeNull();
  expect(obstacle({ credits: 0, available: 0 })).toBeNull();
  expect(
    obstacle({ credits: 6, available: 9 }, { owed: maxOwedSongs - 1, lastFree: 0 }),
  ).toBeNull();
});

test.each([
  { user: { credits: 6, available: 9 }, own: { owed: 10, lastFree: 0 }, text: "10 of your songs" },
  { user: { credits: 0, available: 0, awayUntil: now + 1 }, text: "less than a day ago" },
  { user: { credits: 5, available: 9 }, text: "rate 1 more song before" },
  { user: { credits: 0, available: 3 }, text: "rate 3 more songs before" },
  {
    user: { credits: 0, available: 0 },
    own: { owed: 1, lastFree: now - 1 },
    text: "in 24 hours",
  },
  {
    user: { credits: 0, available: 0 },
    own: { owed: 1, lastFree: now - 23 * hour - 1 },
    text: "in 1 hour,",
  },
])("the obstacle for $user says what to do", ({ user, own, text }) => {
  expect(obstacle(user, own)).toContain(text);
});
