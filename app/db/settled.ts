import { type SQL, sql } from "drizzle-orm";
import { minuteMs } from "~/platform/dates";
import { columnToTheMinute, toTheMinute } from "./minute";
import { scoreChangeWindowMs } from "./rules";

/** Longest delay between a rating's last change and its arrival in every replica. */
const arrivalMs = 2 * minuteMs;

const settleMs = scoreChangeWindowMs + arrivalMs;

/** The ratings of a song that its owner sees now, oldest first. */
export interface SeenRatings<Rating extends { at: number }> {
  seen: Rating[];
  received: number;
  now: number;
}

/**
 * Checks whether a rating can no longer change (rule 18, one rating): its score, or whatever can change for `openMs`.
 * Counts from the rating's whole minute, because owners learn no closer moment (rule 5, anonymity). Shared results,
 * files, mails and counts that move in steps ask this.
 */
export function isSettled(ratedAt: number, now: number, openMs = scoreChangeWindowMs): boolean {
  return now - toTheMinute(ratedAt) >= openMs + arrivalMs;
}

/** When `isSettled` begins to hold for a rating's score, as an expression. */
export function settlesAt(ratedAt: SQL): SQL<number> {
  return sql<number>`(${columnToTheMinute(ratedAt)} + ${settleMs})`;
}

/** Without the ratings whose score can still change, as if these had not come yet. */
export function settledOnly<Known extends SeenRatings<{ at: number }>>(known: Known): Known {
  const seen = known.seen.filter(({ at }) => isSettled(at, known.now));
  return { ...known, seen, received: known.received - (known.seen.length - seen.length) };
}
