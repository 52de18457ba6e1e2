import { cycleLength } from "~/db/rules";

/** A visit ends after this long without activity, in milliseconds (spec section 9, "Visit counter"). */
export const visitTimeoutMs = 1_800_000;

/** How often activity is recorded at most, in milliseconds. */
export const touchIntervalMs = 60_000;

/** The next position in the cycle 1, 2, 3, 1 and so on. */
export function nextInCycle(position: number): number {
  return (position % cycleLength) + 1;
}

/**
 * The place in the cycle of visits at which a session stands now, whether or not that is recorded yet:
 * thirty minutes without activity move it on (spec section 4, "Timers").
 */
export function visitAt(session: { visit: number; lastSeenAt: number }, now: number): number {
  const isOver = now - session.lastSeenAt >= visitTimeoutMs;
  return isOver ? nextInCycle(session.visit) : session.visit;
}
