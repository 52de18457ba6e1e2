import { cycleLength } from "~/db/rules";

/** A visit ends after this long without activity, in milliseconds (rule 10). */
export const visitTimeoutMs = 1_800_000;

/** How often activity is recorded at most, in milliseconds. */
export const touchIntervalMs = 60_000;

/**
 * The visit counter of a user now, whether or not that is recorded yet: thirty minutes without activity
 * in any login move it on (rule 10).
 */
export function visitAt(user: { visit: number; lastActiveAt: number }, now: number): number {
  const isOver = now - user.lastActiveAt >= visitTimeoutMs;
  return isOver ? (user.visit % cycleLength) + 1 : user.visit;
}
