import { cycleLength } from "~/db/rules";
import { minuteMs } from "~/platform/dates";

/** Without activity, a visit ends after this long (rule 10, counters). */
export const visitTimeoutMs = 30 * minuteMs;

export const touchIntervalMs = minuteMs;
/** A login's row is in two more indexes. */
export const sessionTouchMs = 10 * minuteMs;

/** The visit counter now, recorded or not (rule 10, counters). */
export function visitAt(user: { visit: number; lastActiveAt: number }, now: number): number {
  const isVisitOver = now - user.lastActiveAt >= visitTimeoutMs;
  return isVisitOver ? (user.visit % cycleLength) + 1 : user.visit;
}
