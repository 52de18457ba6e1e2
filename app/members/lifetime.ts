const day = 24 * 60 * 60 * 1000;

/** Lifetime of a login without activity, and in any case, in milliseconds. */
export const sessionLifetime = { idleMs: 7 * day, absoluteMs: 30 * day } as const;

/** Age up to which a login may do what cannot be taken back, in milliseconds. */
const freshMs = 60 * 60 * 1000;

/** Checks whether a login is recent enough to delete the account or to change the address. */
export function isFreshLogin({ createdAt }: { createdAt: number }, now: number): boolean {
  return now - createdAt <= freshMs;
}
