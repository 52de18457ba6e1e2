/**
 * What a song's owner may publish of its result, and what the page says (rule 31).
 *
 * A page is of whole uploads: of those that have all of their five ratings, what the owner sees. It has
 * counts alone, so that nothing tells the order, and publishing again adds five people at a time. So
 * nobody can be picked out by it, not even by somebody who knows when they rated.
 */

import type { Track } from "~/adapters/spotify/track";
import { ratingsPerSubmission } from "~/db/rules";
import { ratingScale, type Score } from "~/domain/rating/scale";
import { countLiked } from "./opinions";
import { type Range, rangeOfHundred, ratingsForRange } from "./range";
import { inWords, rangeSentence, someShown, verdict } from "./sentences";
import type { SongResult } from "./song-result";

/** A single rating would be one person's word. */
const leastShared = 2;

/** What is published, as it is stored. */
export interface Snapshot {
  /** How many ratings there are in all complete uploads, whether the owner sees them or not. */
  received: number;
  /** Those uploads of which the owner sees ratings: how many have each label, from worst to best. */
  uploads: { number: number; counts: number[] }[];
}

/** What the page shows of a snapshot. */
export interface SharedResult {
  /** From worst to best. */
  uploads: { number: number; scores: Score[] }[];
  /** e.g. "3 of 5 liked it.", or how many there are, where too few are shown for that. */
  verdict: string;
  /** Between how many of a hundred listeners would like it; null where too few are shown. */
  range: (Range & { sentence: string }) | null;
}

/** The path of a shared result's page. */
export function sharePath(token: string): string {
  return `/r/${token}`;
}

/** What of a song's result its owner may publish; null if nothing yet. */
export function takeSnapshot({ submissions }: Pick<SongResult, "submissions">): Snapshot | null {
  const complete = submissions.filter(({ received }) => received >= ratingsPerSubmission);
  const uploads = complete
    .filter(({ scores }) => scores.length > 0)
    .map(({ number, scores }) => ({
      number,
      counts: ratingScale.map(({ score }) => scores.filter((one) => one === score).length),
    }));
  const received = complete.reduce((sum, one) => sum + one.received, 0);
  return shownIn(uploads) < leastShared ? null : { received, uploads };
}

/** What is read on the page of a snapshot. */
export function sharedResult({ received, uploads }: Snapshot): SharedResult {
  const shown = uploads.map(({ number, counts }) => ({ number, scores: scoresOf(counts) }));
  const liked = countLiked(shown.flatMap(({ scores }) => scores));
  const range = rangeOfHundred(liked);
  const count = shownIn(uploads);
  return {
    uploads: shown,
    verdict: count >= ratingsForRange ? verdict(liked, received) : someShown(count, received),
    range: range && { ...range, sentence: rangeSentence(range) },
  };
}

/** The page in a line, with the song's name last, where a preview may cut it. */
export function shareTitle(
  { title, artists }: Pick<Track, "title" | "artists">,
  { received, uploads }: Snapshot,
): string {
  const { liked, others } = countLiked(uploads.flatMap(({ counts }) => scoresOf(counts)));
  const said =
    liked + others >= ratingsForRange
      ? `${liked} of ${liked + others} musicians liked`
      : `${inWords(received)} musicians have rated`;
  return `${said} “${title}” by ${artists.join(", ")}`;
}

/** Whether two snapshots show the same. */
export function isSameSnapshot(one: Snapshot, other: Snapshot): boolean {
  return JSON.stringify(sharedResult(one)) === JSON.stringify(sharedResult(other));
}

function shownIn(uploads: Snapshot["uploads"]): number {
  return uploads.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count, 0);
}

function scoresOf(counts: number[]): Score[] {
  return ratingScale.flatMap(({ score }, place) => Array<Score>(counts[place] ?? 0).fill(score));
}
