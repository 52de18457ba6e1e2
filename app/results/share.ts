/**
 * Publishing a song's result (rule 31, shared results). A page covers only submissions that have all five ratings, and has
 * counts only, so each update adds five people at once, and nobody can be picked out even by somebody who
 * knows when they rated.
 */

import { ratingsPerSubmission } from "~/db/rules";
import { ratingScale, type Score } from "~/exchange/rating/scale";
import { inWords } from "~/platform/text";
import type { Track } from "~/sources/song";
import { countLiked } from "./opinions";
import { allIn, rangeSentence, someShown, type Verdict, verdictOf } from "./sentences";
import type { SongResult } from "./song-result";
import { type Range, rangeOfHundred, ratingsForRange } from "./statistics";

/** A single rating would be one person's word. */
const minShared = 2;

export interface Snapshot {
  /** Of all complete submissions, seen by the owner or not. */
  received: number;
  /** Of which the owner sees ratings, with the count of each label, from worst to best. */
  uploads: { number: number; counts: number[] }[];
}

export interface SharedResult {
  uploads: { number: number; scores: Score[] }[];
  verdict: Verdict;
  /** Of a hundred listeners. Null if too few ratings are shown. */
  range: (Range & { sentence: string }) | null;
}

export function sharePath(token: string): string {
  return `/r/${token}`;
}

/** What the owner may publish; null if there is nothing yet. */
export function takeSnapshot({ submissions }: Pick<SongResult, "submissions">): Snapshot | null {
  const complete = submissions.filter(({ received }) => received >= ratingsPerSubmission);
  const uploads = complete
    .filter(({ scores }) => scores.length > 0)
    .map(({ number, scores }) => ({
      number,
      counts: ratingScale.map(({ score }) => scores.filter((one) => one === score).length),
    }));
  const received = complete.reduce((sum, one) => sum + one.received, 0);
  return shownIn(uploads) < minShared ? null : { received, uploads };
}

/** Of a submission whose ratings the owner does not see, neither strokes nor words are shown. */
export function sharedResult({ received, uploads }: Snapshot): SharedResult {
  const shown = uploads.map(({ number, counts }) => ({ number, scores: scoresOf(counts) }));
  const liked = countLiked(shown.flatMap(({ scores }) => scores));
  const range = rangeOfHundred(liked);
  const count = shownIn(uploads);
  return {
    uploads: shown,
    verdict:
      count >= ratingsForRange
        ? verdictOf(liked, { received, owed: 0 })
        : { said: allIn(uploads.length * ratingsPerSubmission), note: someShown(count) },
    range: range && { ...range, sentence: rangeSentence(range) },
  };
}

/** The song's name comes last, where a preview may cut it off. */
export function shareTitle(
  { title, artists }: Pick<Track, "title" | "artists">,
  { received, uploads }: Snapshot,
): string {
  const { liked, others } = countLiked(uploads.flatMap(({ counts }) => scoresOf(counts)));
  const claim =
    liked + others >= ratingsForRange
      ? `${liked} of ${liked + others} musicians liked`
      : `${inWords(received)} musicians have rated`;
  return `${claim} “${title}” by ${artists.join(", ")}`;
}

export function isSameSnapshot(one: Snapshot, other: Snapshot): boolean {
  return JSON.stringify(sharedResult(one)) === JSON.stringify(sharedResult(other));
}

function shownIn(uploads: Snapshot["uploads"]): number {
  return uploads.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count, 0);
}

function scoresOf(counts: number[]): Score[] {
  return ratingScale.flatMap(({ score }, place) => Array<Score>(counts[place] ?? 0).fill(score));
}
