/** A rule forbids it, and nothing was changed. That is expected, so it is a value, not an exception. */
export interface Refusal {
  refused: true;
  /** The HTTP status that says it. */
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 414 | 422 | 429 | 431 | 500 | 502 | 503;
  /** What the user reads. */
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

/** Whether a domain call's result is a refusal. */
export function isRefusal(result: unknown): result is Refusal {
  return typeof result === "object" && result !== null && "refused" in result;
}
