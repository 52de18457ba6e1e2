import { tierConfigs } from "~/members/tiers";
import { canBeSeen } from "~/platform/plain-text";
import { counted } from "~/platform/text";
import type { Run } from "./mail";

/**
 * A text on one line, without line breaks and control characters, and without the characters that
 * change the writing direction of what follows. Empty if nobody can see it.
 */
export function oneLine(text: string): string {
  if (!canBeSeen(text)) return "";
  return text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * A text cut to at most `limit` characters as readers count them (grapheme clusters), including the
 * ellipsis that then ends it. Code units are limited too, to four times that: a single character can
 * have thousands of combining marks.
 */
function shortened(text: string, limit: number): string {
  const parts = Array.from(graphemes.segment(text), ({ segment }) => segment);
  if (parts.length <= limit && text.length <= limit * 4) return text;
  let kept = "";
  for (const part of parts.slice(0, limit - 1)) {
    if (kept.length + part.length > limit * 4) break;
    kept += part;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * A song's title in quotes, shortened if need be, for a subject or a preview. Put it at the end: a
 * title written from right to left would draw numbers that follow it into itself.
 */
export function quoted(title: string): string {
  const line = shortened(oneLine(title), 48);
  return line ? `“${line}”` : "your song";
}

/** The footer's reason for the mails about a user's songs. */
export const whySongMails =
  "You are receiving this e-mail because e-mails about your songs are switched on in your settings.";

const { free } = tierConfigs;

/** The limits of the free tier, in a sentence. */
export const withFree = `With ${free.name}, you listen to a song for ${counted(free.requiredSeconds, "second")} before you rate it, rate ${counted(free.ratingsToSubmit, "song")} before you add one, and see the ${counted(free.maxVisibleRatings, "most recent rating")} of each of your songs.`;

export const onlyYouSeeRatings = "Only you see the ratings of your songs.";

/** "Hello Ada,", or "Hello," without a name. */
export function greeting(name: string): Run[] {
  const line = shortened(oneLine(name), 60);
  return line ? ["Hello ", { own: line }, ","] : ["Hello,"];
}
