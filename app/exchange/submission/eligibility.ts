import type { SongsLeft } from "~/exchange/carousel/pool/select";

/** Time after a free submission until the next one, in milliseconds. */
export const freeIntervalMs = 24 * 60 * 60 * 1000;

/** The viewer's right to submit, and its price (rule 25). */
export interface Eligibility {
  eligible: boolean;
  /** Ratings to give before the next submission; all that can be given, where these are not enough. */
  remaining: number;
  /**
   * The condition beside these ratings: the time of the next free submission, in epoch milliseconds, or new
   * songs; null without one.
   */
  wait: number | "songs" | null;
  /** Ratings given and not yet spent. */
  credits: number;
  /** Credits a submission spends. */
  cost: number;
  /** The pool is nearly or wholly empty: the confirmation is the "No More Songs" one. */
  limited: boolean;
}

/** The facts that decide whether a user may submit. */
export interface Standing extends SongsLeft {
  /** Ratings given and not yet spent. */
  credits: number;
  /** Songs that the user has submitted, in total. */
  submittedCount: number;
  /** When the user last submitted a song that cost nothing; epoch milliseconds, or null. */
  lastFree: number | null;
}

/**
 * Computes whether a user may submit, and at what price (rule 25); if they may not, after how many ratings:
 * each one earns a credit and leaves one song fewer, which may lower the price.
 * @param threshold songs to rate before a submission, by tier.
 * @param now epoch milliseconds.
 */
export function eligibility(standing: Standing, threshold: number, now: number): Eligibility {
  const { credits, toRate, staying, lastFree } = standing;
  const freeAt =
    lastFree !== null && now - lastFree < freeIntervalMs ? lastFree + freeIntervalMs : null;
  /** Assumes that `staying` songs are rated last, so that nobody has to rate more than announced. */
  const after = (ratings: number) => ({
    ...standing,
    credits: credits + ratings,
    available: Math.min(standing.available, staying + toRate - ratings),
  });
  const isEnough = (ratings: number) => {
    const then = after(ratings);
    return then.credits >= price(then, threshold, freeAt !== null).cost;
  };
  let remaining = 0;
  while (remaining < toRate && !isEnough(remaining)) remaining += 1;
  const suffices = isEnough(remaining);
  return {
    eligible: suffices && remaining === 0,
    remaining,
    wait: suffices ? null : after(remaining).available === 0 ? freeAt : "songs",
    credits,
    ...price(standing, threshold, freeAt !== null),
  };
}

/**
 * The price of a submission now: the tier's threshold. A user who has submitted before pays the number of
 * available songs if that is smaller; with none available, submitting is free, once a day, and costs the
 * threshold beyond that.
 */
function price(
  {
    credits,
    submittedCount,
    available,
  }: Pick<Standing, "credits" | "submittedCount" | "available">,
  threshold: number,
  freeUsed: boolean,
): Pick<Eligibility, "cost" | "limited"> {
  const scarce = submittedCount > 0 && available < threshold;
  // With an empty pool even a first-time user may submit: there is nothing to rate instead.
  const limited = scarce || (available === 0 && credits < threshold);
  const isFree = limited && available === 0;
  return { cost: limited && !(isFree && freeUsed) ? available : threshold, limited };
}
