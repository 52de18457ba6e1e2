/** The answer to what a rule forbids, and nothing was changed. A value, as it is expected: no exception. */
export interface Refusal {
  refused: true;
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
export function refuse(
  status: Refusal["status"],
  error: string,
  details: Pick<Refusal, "secondsLeft" | "remaining"> = {},
): Refusal {
  return { refused: true, status, error, ...details };
}

/** Checks whether a domain call's result is a refusal. */
export function isRefusal(result: unknown): result is Refusal {
  return typeof result === "object" && result !== null && "refused" in result;
}
