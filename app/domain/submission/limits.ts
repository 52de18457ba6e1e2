import { awayText } from "~/domain/marks/away";
import { counted } from "~/platform/text";
import type { Eligibility } from "./eligibility";

const hourMs = 60 * 60 * 1000;

/**
 * Songs of one owner that may be in the rotation at a time, owed ratings: an album's worth. Two of
 * them stand in line, so that the last of ten waits for four others before it.
 */
export const maxOwedSongs = 10;

/** How long after a submission that cost nothing the next one may follow, in milliseconds. */
export const freeIntervalMs = 24 * hourMs;

/**
 * For how long a submission can be taken back, in milliseconds. Its mail waits as long, so that what
 * was taken back is told to nobody.
 */
export const undoMs = 60_000;

/** How many submissions a user can take back within a day before the last of them: more than slips need. */
export const maxUndos = 10;

/** What a user has in the rotation already, as far as it limits further submissions. */
export interface OwnSongs {
  /** Songs owed ratings and not resting; counted no further than the limit. */
  owed: number;
  /** When the user last submitted a song that cost nothing; epoch milliseconds, or null. */
  lastFree: number | null;
}

/** Whether the user has submitted a song for nothing within the last day. */
export function isFreeUsed({ lastFree }: OwnSongs, now: number): boolean {
  return lastFree !== null && now - lastFree < freeIntervalMs;
}

/**
 * Why a user may not submit right now, and what to do about it; null if they may.
 * @param now epoch milliseconds.
 */
export function submissionObstacle(
  {
    eligible,
    remaining,
    available,
    awayUntil,
  }: Eligibility & {
    available: number;
    awayUntil: number | null;
  },
  own: OwnSongs,
  now: number,
): string | null {
  if (awayUntil !== null) return awayText(awayUntil);
  if (own.owed >= maxOwedSongs) return fullText;
  if (eligible) return null;
  // There is nothing to rate, so that time alone helps.
  if (available === 0) return freeUsedText(own.lastFree ?? now, now);
  return `Please rate ${counted(remaining, "more song")} before you submit one of yours.`;
}

/** What people read who have as many songs in the rotation as one musician may have. */
export const fullText = `${maxOwedSongs} of your songs are waiting for their ratings, and that is as many as one musician can have there at a time. You can add the next one as soon as one of them has all of its ratings. The songs that you have rated stay counted.`;

function freeUsedText(lastFree: number, now: number): string {
  const hours = Math.max(1, Math.ceil((lastFree + freeIntervalMs - now) / hourMs));
  return `While there is nothing to rate, you can add one song a day, and you have added today's. You can add another one in ${counted(hours, "hour")}, or earlier if new songs come in that you can rate.`;
}
