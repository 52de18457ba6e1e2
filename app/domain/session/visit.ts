import { cycleLength } from "~/db/rules";

/** A visit ends after this long without activity, in milliseconds (spec section 9, "Visit counter"). */
const visitTimeoutMs = 1_800_000;

/** How often activity is recorded at most, in milliseconds. */
const touchIntervalMs = 60_000;

/** The next position in the cycle 1, 2, 3, 1 and so on. */
export function nextInCycle(position: number): number {
  return (position % cycleLength) + 1;
}

/**
 * How a request changes the session's visit; null if the last activity was recorded just before. After
 * thirty minutes without activity the visit counter moves on (spec section 4, "Timers").
 */
export function visitAt(
  session: { visit: number; lastSeenAt: number },
  now: number,
): { visit: number; lastSeenAt: number } | null {
  const idleMs = now - session.lastSeenAt;
  if (idleMs < touchIntervalMs) return null;
  const visit = idleMs >= visitTimeoutMs ? nextInCycle(session.visit) : session.visit;
  return { visit, lastSeenAt: now };
}
