/** After so many, a mail has failed for good. */
export const maxAttempts = 10;
/** How long a claim lasts. A batch takes less, even if every call runs into its time limit. */
export const leaseMs = 5 * 60_000;
/** In the year 9999: a row with this time waits for something else than time to make it due. */
export const heldAt = 253_370_764_800_000;
export const busyWaitSeconds = 30;
const firstWaitSeconds = 30;
/** A message waits no longer in the queue. Longer waits are left to the sweep. */
const longestWaitSeconds = 3 * 60 * 60;

/** All ten attempts last some 15 hours, within the day for which a provider honours an idempotency key. */
export function retryWaitSeconds(attempts: number): number {
  return Math.min(firstWaitSeconds * 4 ** (attempts - 1), longestWaitSeconds);
}
