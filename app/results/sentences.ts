/** Sentences about a song's ratings (rule 29): never a mean, never a decimal. */

import { ratingsPerSubmission } from "~/db/rules";
import { type Change, type Counts, type Range, ratingsForRange } from "./statistics";

/** "3 of 5 liked it." `received` counts hidden ratings too. */
export function verdict(seen: Counts, received: number): string {
  const shown = seen.liked + seen.others;
  if (received === 0) return "Nobody has rated it yet.";
  if (shown >= ratingsForRange) return `${seen.liked} of ${shown} liked it.`;
  if (shown < received) return `You see ${shown} of ${received}: too few to tell.`;
  return `${shown} of ${ratingsPerSubmission} so far: too early to tell.`;
}

const numberWords = [
  "No",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
];

/** For the beginning of a sentence. */
export function inWords(n: number): string {
  return numberWords[n] ?? String(n);
}

export function someShown(shown: number, received: number): string {
  return `All ${inWords(received).toLowerCase()} ratings are in. ${inWords(shown)} are shown here.`;
}

export function rangeSentence({ low, high }: Range): string {
  return `Play it to a hundred musicians here, and between ${low} and ${high} of them would like it.`;
}

export function againstOthers(compared: "more" | "less" | null): string | null {
  return compared && `It is liked ${compared} than the average song here.`;
}

/** `before`: what the ratings are compared with. */
export function changeSentence(change: Change | null, before: "time" | "mix"): string | null {
  if (change === null) return null;
  return change === "unclear"
    ? `Compared with the ${before} before: no clear change.`
    : `It is liked ${change} than the ${before} before.`;
}

/** Offers the hidden ratings, without their content. */
export function whatIsHidden(hidden: number, received: number): string | null {
  if (hidden === 0) return null;
  return `See all ${received} ratings, what listeners liked, and what they would improve.`;
}
