import { type SQL, sql } from "drizzle-orm";
import { minuteMs } from "~/platform/dates";
import { columnToTheMinute, toTheMinute } from "./minute";
import { scoreChangeWindowMs } from "./rules";

/** Time after which the last change of a rating has arrived in the database and every replica, in milliseconds. */
const arrivalMs = 2 * minuteMs;

/** Time from a rating's minute until its score is settled, in milliseconds. */
const settleMs = scoreChangeWindowMs + arrivalMs;

/** The ratings of a song that its owner sees now. */
export interface Look<Rating extends { at: number }> {
  /** Those that the owner may see, oldest first; `at` in epoch milliseconds. */
  seen: Rating[];
  /** The number of all ratings, seen or not. */
  received: number;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * Checks whether a rating can no longer change (rule 18). Whatever outlives that moment asks: shared
 * results, files, mails, and counts that move in steps. It counts from the rating's whole minute, because
 * owners learn no moment closer than that (rule 5).
 * @param ratedAt epoch milliseconds, like `now`.
 * @param openMs the time in which what is asked about can change; without it, that of the score.
 */
export function isSettled(ratedAt: number, now: number, openMs = scoreChangeWindowMs): boolean {
  return now - toTheMinute(ratedAt) >= openMs + arrivalMs;
}

/** The moment from which `isSettled` holds for a rating's score, as an expression. */
export function settlesAt(ratedAt: SQL): SQL<number> {
  return sql<number>`(${columnToTheMinute(ratedAt)} + ${settleMs})`;
}

/** The ratings of a song without those whose score can still change, as if these had not come yet. */
export function settledOnly<Known extends Look<{ at: number }>>(known: Known): Known {
  const seen = known.seen.filter(({ at }) => isSettled(at, known.now));
  return { ...known, seen, received: known.received - (known.seen.length - seen.length) };
}
