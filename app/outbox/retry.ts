/** Number of failed attempts after which a mail is marked as failed for good. */
export const maxAttempts = 10;
/**
 * Lifetime of a claim, in milliseconds. Longer than a whole batch takes with a provider that lets every call
 * run into its time limit, including the waits for the provider's own rate limit.
 */
export const leaseMs = 5 * 60_000;
/** Wait at the provider's rate limit where the provider names none, in seconds. */
export const busyWaitSeconds = 30;
const firstWaitSeconds = 30;
/** The longest that a message waits in the queue; longer waits are left to the sweep. */
export const longestWaitSeconds = 3 * 60 * 60;

/**
 * The wait after a failed attempt, in seconds: four times the one before, up to three hours. All attempts at
 * a mail together last some 15 hours, within the day for which a provider honours an idempotency key. Only
 * waits at a provider's rate limit can make it longer.
 * @param attempts the number of attempts so far, at least 1.
 */
export function retryWaitSeconds(attempts: number): number {
  return Math.min(firstWaitSeconds * 4 ** (attempts - 1), longestWaitSeconds);
}
