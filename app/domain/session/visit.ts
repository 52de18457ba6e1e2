/** A visit ends after so long without activity (spec section 9, "Visit counter"). */
const visitTimeoutMs = 1_800_000;

/** Activity is written down at most so often, in milliseconds. */
const touchEveryMs = 60_000;

/** The next of 1, 2, 3 and round again. */
export function nextInCycle(position: number): number {
  return (position % 3) + 1;
}

/**
 * What a request changes about the session's visit: null where it is too soon to write it down.
 * After thirty minutes without activity the visit counter moves on (spec section 4, "Timers").
 */
export function visitAt(
  session: { visit: number; lastSeenAt: number },
  now: number,
): { visit: number; lastSeenAt: number } | null {
  const idleMs = now - session.lastSeenAt;
  if (idleMs < touchEveryMs) return null;
  const visit = idleMs >= visitTimeoutMs ? nextInCycle(session.visit) : session.visit;
  return { visit, lastSeenAt: now };
}
