import { dayMs, hourMs } from "~/platform/dates";

/** Lifetime of a login without activity, and in any case, in milliseconds. */
export const sessionLifetime = { idleMs: 7 * dayMs, absoluteMs: 30 * dayMs } as const;

/** Age up to which a login may do what cannot be taken back, in milliseconds. */
const freshMs = hourMs;

/** Checks whether a login is recent enough to delete the account or to change the address. */
export function isFreshLogin({ createdAt }: { createdAt: number }, now: number): boolean {
  return now - createdAt <= freshMs;
}
