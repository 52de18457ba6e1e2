/** The answer to what a rule forbids, and nothing was changed. A value, as it is expected: no exception. */
export interface Rejection {
  rejected: true;
  /** The HTTP status of the answer. */
  status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 414 | 422 | 429 | 431 | 500 | 502 | 503;
  /** The sentence for people. */
  error: string;
  /** Seconds until it may be tried again, if known. */
  secondsLeft?: number;
  /** Songs still to rate, if that is the reason. */
  remaining?: number;
}

/** A refusal with its status and text. */
export function reject(
  status: Rejection["status"],
  error: string,
  details: Pick<Rejection, "secondsLeft" | "remaining"> = {},
): Rejection {
  return { rejected: true, status, error, ...details };
}

/** Checks whether a domain call's result is a refusal. */
export function isRejection(result: unknown): result is Rejection {
  return typeof result === "object" && result !== null && "rejected" in result;
}
