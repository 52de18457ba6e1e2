import { dayMs, hourMs } from "~/platform/dates";

export const ratingMailRhythms = ["each", "complete", "daily", "weekly"] as const;
export type RatingMailRhythm = (typeof ratingMailRhythms)[number];

/** In UTC, because nobody's time zone is known. */
export const digestHour = 17;
/** The first ones since the epoch, on Thursday the 1st and Sunday the 4th of January 1970. */
const firstDigest = digestHour * hourMs;
const firstSundayDigest = firstDigest + 3 * dayMs;

/**
 * When the mail about a rating may be sent: after a wait for others that share it, in which it can still be
 * changed (rule 32), or with the first digest after that. Those of a submission that has all its ratings wait no
 * longer than one by one.
 */
export function ratingMailTime(
  rhythm: RatingMailRhythm,
  { now, waitMs }: { now: number; waitMs: number },
): number {
  const settled = now + waitMs;
  if (rhythm === "each" || rhythm === "complete") return settled;
  const [first, period] =
    rhythm === "daily" ? [firstDigest, dayMs] : [firstSundayDigest, 7 * dayMs];
  return first + (Math.floor((settled - first) / period) + 1) * period;
}
