import { expect, test } from "vitest";
import { maxOwedSongs } from "~/exchange/rotation/room";
import {
  eligibility,
  freeIntervalMs,
  goalText,
  submissionObstacle,
} from "~/exchange/submission/eligibility";

const hour = 3_600_000;
const now = 100 * hour;

interface User {
  locked?: string;
  credits: number;
  threshold?: number;
  available: number;
  toRate?: number;
  here?: number;
  agreedCost?: number;
  lastFree?: number;
  awayUntil?: number | null;
}

/** What somebody reads with these credits and songs to rate, who pays six, or what `threshold` says. */
function said({ awayUntil = null, lastFree = 0, locked, threshold = 6, ...user }: User, owed = 0) {
  const { available, toRate = available } = user;
  const standing = { ...user, toRate, staying: available - toRate, submittedCount: 1, lastFree };
  const terms = eligibility(standing, threshold, now);
  return {
    obstacle: submissionObstacle({ ...terms, awayUntil }, { owed, locked: locked ?? null }, now),
    goal: goalText(terms, now),
  };
}

test("a free submission is used up for exactly a day", () => {
  const lastFree = now - freeIntervalMs;
  expect(said({ credits: 0, available: 0, lastFree }).obstacle).toBeNull();
  expect(said({ credits: 0, available: 0, lastFree: lastFree + 1 }).obstacle).toContain(
    "in 1 hour,",
  );
});

test("there is no obstacle for somebody with enough credits and fewer than ten songs", () => {
  expect(said({ credits: 6, available: 9 }, maxOwedSongs - 1)).toEqual({
    obstacle: null,
    goal: "You can submit a song now.",
  });
});

test.each<{ user: User; owed?: number; obstacle: string; goal?: string }>([
  {
    user: { credits: 6, available: 9, locked: "It is not music." },
    obstacle: "The reason: “It is not music.” You can still rate songs.",
  },
  { user: { credits: 6, available: 9 }, owed: 10, obstacle: "10 of your songs" },
  { user: { credits: 0, available: 0, awayUntil: now + 1 }, obstacle: "less than a day ago" },
  {
    user: { credits: 5, available: 9 },
    obstacle: "Rate 1 more song before",
    goal: "1 more, then yours.",
  },
  {
    user: { credits: 1, available: 9, threshold: 4 },
    obstacle: "Rate 3 more songs before",
    goal: "3 more, then yours, with Premium.",
  },
  {
    user: { credits: 0, available: 3 },
    obstacle: "Rate 2 more songs before you submit one of yours. That is fewer than usual",
    goal: "2 more, then yours, because few are left.",
  },
  {
    user: { credits: 0, available: 0, lastFree: now - 1 },
    obstacle: "in 24 hours",
    goal: "None more, then yours in 24 hours.",
  },
  {
    user: { credits: 0, available: 1, lastFree: now - 23 * hour - 1 },
    obstacle: "Rate 1 more song. While there is nothing to rate",
    goal: "1 more, then yours in 1 hour.",
  },
  {
    user: { credits: 0, available: 2, toRate: 0 },
    obstacle: "once new ones have come in",
    goal: "2 more, then yours, once more songs have come in.",
  },
  {
    user: { credits: 0, available: 20, here: 0 },
    obstacle:
      "Rate 6 more songs before you submit one of yours. None of them plays in this login. Log in with Spotify to hear them.",
    goal: "6 more, then yours. None of them plays in this login. Log in with Spotify to hear them.",
  },
  {
    user: { credits: 5, available: 9, here: 0 },
    obstacle: "It does not play in this login. Log in with Spotify to hear it.",
  },
  {
    user: { credits: 3, available: 9, here: 1 },
    obstacle: "One of them plays in this login. Log in with Spotify to hear the others.",
  },
  {
    user: { credits: 0, available: 3, here: 1 },
    obstacle:
      "few are left. One of them plays in this login. Log in with Spotify to hear the other.",
  },
  { user: { credits: 3, available: 9, here: 3 }, obstacle: "before you submit one of yours." },
  { user: { credits: 2, available: 9, agreedCost: 3 }, obstacle: "Rate 1 more song before" },
  {
    user: { credits: 0, available: 20, agreedCost: 0, lastFree: now - 1 },
    obstacle:
      "This song was to cost nothing, but one song a day is free, and you have added today's. Rate 6 more songs before you submit it.",
  },
])("$user.credits of six, $user.available left: $obstacle", ({ user, owed, obstacle, goal }) => {
  const read = said(user, owed);
  expect(read.obstacle).toContain(obstacle);
  if (goal) expect(read.goal).toBe(goal);
});
