import { dayMs, hourMs } from "~/platform/dates";

export const sessionLifetime = { idleMs: 7 * dayMs, absoluteMs: 30 * dayMs } as const;

/** From its last login by e-mail on. */
export const knownBrowserDays = 365;

/** Age up to which a login may do what cannot be taken back. */
const freshMs = hourMs;

export function isFreshLogin({ createdAt }: { createdAt: number }, now: number): boolean {
  return now - createdAt <= freshMs;
}
