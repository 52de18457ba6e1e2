/** Expected rejection by a rule, returned rather than thrown. Nothing was written. */
export interface Rejection {
  rejected: true;
  status:
    | 400
    | 401
    | 403
    | 404
    | 405
    | 408
    | 409
    | 410
    | 413
    | 414
    | 422
    | 429
    | 431
    | 500
    | 502
    | 503;
  error: string;
  secondsLeft?: number;
  /** Songs still to rate. */
  remaining?: number;
  /** How much of an own recording has been delivered without a gap. */
  deliveredMs?: number;
  /** The viewer cannot rate this song any more. */
  closed?: true;
}

export function reject(
  status: Rejection["status"],
  error: string,
  details: Pick<Rejection, "secondsLeft" | "remaining" | "deliveredMs" | "closed"> = {},
): Rejection {
  return { rejected: true, status, error, ...details };
}

export function isRejection(result: unknown): result is Rejection {
  return typeof result === "object" && result !== null && "rejected" in result;
}
