/** What is said of a song's ratings in plain words (rule 29): never a mean, never a decimal. */

import { ratingsPerSubmission } from "~/db/rules";
import type { Counts } from "./beta";
import { type Range, ratingsForRange } from "./range";
import type { Change } from "./second-listen";

/**
 * What the ratings say, e.g. "3 of 5 liked it."
 * @param seen those that the owner may see.
 * @param received how many there are.
 */
export function verdict(seen: Counts, received: number): string {
  const shown = seen.liked + seen.others;
  if (received === 0) return "Nobody has rated it yet.";
  if (shown >= ratingsForRange) return `${seen.liked} of ${shown} liked it.`;
  if (shown < received) return `You see ${shown} of ${received}: too early to tell.`;
  return `${shown} of ${ratingsPerSubmission} so far: too early to tell.`;
}

const words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/** A number at the beginning of a sentence. */
export function inWords(n: number): string {
  return words[n] ?? String(n);
}

/**
 * What a shared page says whose ratings are too few for a verdict: that none is missing, and that not all
 * are shown.
 */
export function someShown(shown: number, received: number): string {
  return `All ${inWords(received).toLowerCase()} ratings are in. ${inWords(shown)} are shown here.`;
}

/** What the range means. */
export function rangeSentence({ low, high }: Range): string {
  return `Play it to a hundred musicians here, and between ${low} and ${high} of them would like it.`;
}

/** How the song stands against the others; null if that cannot be said. */
export function againstOthers(compared: "more" | "less" | null): string | null {
  return compared && `It is liked ${compared} than the average song here.`;
}

/** What the last two submissions say about each other; null if nothing yet. */
export function changeSentence(change: Change | null): string | null {
  if (change === null) return null;
  return change === "unclear"
    ? "Compared with the time before: no clear change."
    : `It is liked ${change} than the time before.`;
}

/**
 * What the ratings that the tier hides would add, without their content; null if none is hidden.
 * @param received how many ratings there are.
 */
export function whatIsHidden(hidden: number, received: number): string | null {
  if (hidden === 0) return null;
  return `See all ${received} ratings, what listeners liked, and what they would improve.`;
}
