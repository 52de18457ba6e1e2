/** Attempts at a mail that fails, before it is marked as failed for good. */
export const maxAttempts = 10;
/**
 * How long a claim holds, in milliseconds: longer than a whole batch takes with a provider that
 * lets every call run into its time limit, with the waits for its own limits.
 */
export const leaseMs = 5 * 60_000;
/** How long a limit is heeded where the provider does not say, in seconds. */
export const busyWaitSeconds = 30;
const firstWaitSeconds = 30;
const longestWaitSeconds = 3 * 60 * 60;

/**
 * How long to wait after an attempt that failed, in seconds: four times as long each time. All the
 * attempts of a mail together last some 15 hours, within the day that a provider honours a key; only
 * a provider's limit, which is waited out besides, can make it more.
 * @param attempts how many there were, 1 and more.
 */
export function retryWaitSeconds(attempts: number): number {
  return Math.min(firstWaitSeconds * 4 ** (attempts - 1), longestWaitSeconds);
}
