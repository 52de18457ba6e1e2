import { cycleLength } from "~/db/rules";
import { minuteMs } from "~/platform/dates";

/** A visit ends after this long without activity, in milliseconds (rule 10). */
export const visitTimeoutMs = 30 * minuteMs;

/** Shortest time between two records of activity, in milliseconds. */
export const touchIntervalMs = minuteMs;

/**
 * The visit counter of a user now, recorded or not: thirty minutes without activity in any login move it on
 * (rule 10).
 */
export function visitAt(user: { visit: number; lastActiveAt: number }, now: number): number {
  const isVisitOver = now - user.lastActiveAt >= visitTimeoutMs;
  return isVisitOver ? (user.visit % cycleLength) + 1 : user.visit;
}
