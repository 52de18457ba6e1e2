import { logEvent } from "./log";

/**
 * Runs a piece of scheduled work and writes down what came of it, so that one can see that it ran.
 * @returns whether it succeeded: the next piece is not to suffer from this one's failure.
 */
export async function runJob(
  job: string,
  work: () => Promise<Record<string, unknown>>,
): Promise<boolean> {
  const began = Date.now();
  try {
    const outcome = await work();
    logEvent("job_done", { kind: job, ms: Date.now() - began, ...outcome });
    return true;
  } catch (error) {
    logEvent("job_failed", { kind: job, ms: Date.now() - began, error });
    return false;
  }
}
