import type { SongsLeft } from "~/exchange/pool/ratable";
import { fullText, maxOwedSongs } from "~/exchange/rotation/room";
import { cooldownText } from "~/members/away";
import { tierConfigs } from "~/members/tiers";
import { counted } from "~/platform/text";

export const freeIntervalMs = 24 * 60 * 60 * 1000;

/** The viewer's right to submit, and its price (rule 25, price). */
export interface Eligibility {
  eligible: boolean;
  /** Ratings to give before the next submission; all that can be given, where these are not enough. */
  remaining: number;
  /** Of these, how many there are to hear in this login. */
  here: number;
  /** What it takes beside these ratings: the time of the next free submission, or new songs. */
  wait: number | "songs" | null;
  credits: number;
  cost: number;
  limited: boolean;
  /** It was to be free, by what was agreed, but the day's free submission is used up. */
  freeLost: boolean;
}

export interface Standing extends SongsLeft {
  credits: number;
  submittedCount: number;
  lastFree: number | null;
  /** What a submission of this draft cost when its upload began. */
  agreedCost?: number | null;
}

/**
 * Computes whether a user may submit, and at what price (rule 25, price); if they may not, after how many ratings.
 * Each rating earns a credit and leaves one song fewer. A draft costs no more than was agreed.
 */
export function eligibility(standing: Standing, threshold: number, now: number): Eligibility {
  const { credits, toRate, staying, lastFree, here = toRate } = standing;
  const freeAt =
    lastFree !== null && now - lastFree < freeIntervalMs ? lastFree + freeIntervalMs : null;
  /** Worst case for the user: the recently passed songs are the last to disappear. */
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
    here: Math.min(remaining, here),
    wait: suffices ? null : after(remaining).available === 0 ? freeAt : "songs",
    credits,
    freeLost: standing.agreedCost === 0 && freeAt !== null,
    ...price(standing, threshold, freeAt !== null),
  };
}

/**
 * The tier's price, or for a user who has submitted before the number of available songs if that is
 * smaller. With none available, submitting is free, once a day (rule 25, price), whatever was agreed.
 */
function price(
  {
    credits,
    submittedCount,
    available,
    agreedCost,
  }: Pick<Standing, "credits" | "submittedCount" | "available" | "agreedCost">,
  threshold: number,
  freeUsed: boolean,
): Pick<Eligibility, "cost" | "limited"> {
  const scarce = submittedCount > 0 && available < threshold;
  // With an empty pool even a first-time user may submit, because there is nothing to rate instead.
  const limited = scarce || (available === 0 && credits < threshold);
  const isFree = limited && available === 0;
  const cost = limited && !(isFree && freeUsed) ? available : threshold;
  const isAgreed = agreedCost != null && !(agreedCost === 0 && freeUsed);
  return { cost: isAgreed ? Math.min(cost, agreedCost) : cost, limited };
}

const hourMs = 60 * 60 * 1000;

export interface OwnSongs {
  locked: string | null;
  /** Songs owed ratings and not resting; counted no further than the limit. */
  owed: number;
}

function lockedText(reason: string): string {
  return `You cannot submit songs at the moment. The reason: “${reason}” You can still rate songs. If you disagree, answer the e-mail that you got about it.`;
}

/** Why a user may not submit right now (rules 25, 26, 37 and 39), with a remedy; null if they may. */
export function submissionObstacle(
  {
    eligible,
    remaining,
    here,
    wait,
    limited,
    freeLost,
    awayUntil,
  }: Omit<Eligibility, "credits" | "cost"> & { awayUntil: number | null },
  own: OwnSongs,
  now: number,
): string | null {
  if (own.locked !== null) return lockedText(own.locked);
  if (awayUntil !== null) return cooldownText(awayUntil);
  if (own.owed >= maxOwedSongs) return fullText;
  if (eligible) return null;
  const elsewhere = elsewhereText(remaining, here);
  if (wait === null) {
    const why = limited ? " That is fewer than usual, because few are left." : "";
    const free = freeLost
      ? "This song was to cost nothing, but one song a day is free, and you have added today's. "
      : "";
    return `${free}Rate ${counted(remaining, "more song")} before you submit ${freeLost ? "it" : "one of yours"}.${why}${elsewhere}`;
  }
  if (wait === "songs") {
    return "There are too few songs that you can rate right now. You can add one of yours once new ones have come in.";
  }
  const left = remaining > 0 ? `Rate ${counted(remaining, "more song")}.${elsewhere} ` : "";
  return `${left}While there is nothing to rate, you can add one song a day, and you have added today's. You can add the next one in ${hoursUntil(wait, now)}, or earlier if there are new songs to rate.`;
}

/** How many ratings are to go, always in the same form, and why where it is not the usual number. */
export function goalText(
  { eligible, remaining, here, wait, limited, credits, cost }: Omit<Eligibility, "freeLost">,
  now: number,
): string {
  if (eligible) return "You can submit a song now.";
  if (wait === "songs") {
    return `${Math.max(1, cost - credits)} more, then yours, once more songs have come in.`;
  }
  const more = `${remaining > 0 ? remaining : "None"} more, then yours`;
  const elsewhere = elsewhereText(remaining, here);
  if (wait !== null) return `${more} in ${hoursUntil(wait, now)}.${elsewhere}`;
  if (limited) return `${more}, because few are left.${elsewhere}`;
  return `${more}${cost < tierConfigs.free.ratingsToSubmit ? ", with Premium" : ""}.${elsewhere}`;
}

/** Where the price counts songs that this login does not play. */
function elsewhereText(remaining: number, here: number): string {
  if (here >= remaining) return "";
  const all = remaining === 1 ? "It does not play" : "None of them plays";
  const some = here === 1 ? "One of them plays" : `${here} of them play`;
  const rest = remaining === 1 ? "it" : remaining - here === 1 ? "the other" : "the others";
  return here === 0
    ? ` ${all} in this login. Log in with Spotify to hear ${remaining === 1 ? "it" : "them"}.`
    : ` ${some} in this login. Log in with Spotify to hear ${rest}.`;
}

function hoursUntil(time: number, now: number): string {
  return counted(Math.max(1, Math.ceil((time - now) / hourMs)), "hour");
}
