const day = 24 * 60 * 60 * 1000;

/** A login ends after this long without activity, and in any case this long after it began; milliseconds. */
export const sessionLifetime = { idleMs: 7 * day, absoluteMs: 30 * day } as const;

/** How recent a login must be for what cannot be taken back, in milliseconds. */
const freshMs = 60 * 60 * 1000;

/** Whether a login is recent enough to delete the account or to change the address. */
export function isFreshLogin({ createdAt }: { createdAt: number }, now: number): boolean {
  return now - createdAt <= freshMs;
}
