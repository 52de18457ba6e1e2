import { ratingsPerSubmission } from "~/db/rules";
import type { Look } from "~/db/settled";
import { type CommunityFigures, usualWait } from "~/exchange/community/community";
import { countReasons, type ReasonCounts } from "~/exchange/rating/reasons";
import type { Score } from "~/exchange/rating/scale";
import { countInPlaylists, inPlaylistsSentence } from "./in-playlists";
import { countLiked } from "./opinions";
import { againstOthers, changeSentence, rangeSentence, verdict, whatIsHidden } from "./sentences";
import {
  comparedWithAverage,
  compareSubmissions,
  type Range,
  rangeOfHundred,
  ratingsForRange,
} from "./statistics";

/** One submission of a song with its ratings. */
export interface SubmissionResult {
  /** 1 for the first submission, and so on. */
  number: number;
  /** Epoch milliseconds. */
  submittedAt: number;
  /** Number of its ratings. */
  received: number;
  /** The scores that the owner may see, from worst to best, which hides their order. */
  scores: Score[];
}

/** The result of a song, computed only from the ratings that the owner may see (rule 29). */
export interface SongResult {
  /** Oldest first. */
  submissions: SubmissionResult[];
  /** The scores of all submissions, from worst to best. */
  scores: Score[];
  /** e.g. "3 of 5 liked it." */
  verdict: string;
  /** The range of how many of a hundred listeners would like it; null while it is too early to tell. */
  range: (Range & { sentence: string; average: number | null }) | null;
  /** Sentences that compare it with other songs, and with its previous submission. */
  comparisons: string[];
  /** Counts of the reasons; null while too few ratings carry any. */
  reasons: ReasonCounts | null;
  /** The sentence about playlists; null while fewer than three tracks are in one. */
  inPlaylists: string | null;
  /** An offer of the hidden ratings; null if none is hidden. */
  hidden: string | null;
  /** The usual wait for ratings; null if the song is owed none. */
  wait: string | null;
}

/** The ratings of a song, and what its result depends on. */
export interface KnownRatings
  extends Look<{ score: Score; at: number; reasons: number | null; inPlaylist: boolean }> {
  /** Ratings still owed. */
  owed: number;
  /** True while it is out of the rotation. */
  resting: boolean;
  /** Number of ratings that the tier does not show. */
  hidden: number;
  /** The submissions, oldest first; `submittedAt` in epoch milliseconds. */
  submissions: { number: number; submittedAt: number }[];
}

/** Computes the result of a song. */
export function songResult(known: KnownRatings, community: CommunityFigures | null): SongResult {
  const { received, owed, resting, hidden, submissions, seen } = known;
  const { places, totals } = assignToSubmissions(
    submissions.map(({ submittedAt }) => submittedAt),
    seen.map(({ at }) => at),
    received - seen.length,
  );
  const results = submissions.map((submission, place) => ({
    ...submission,
    received: totals[place] ?? 0,
    scores: sorted(
      seen.filter((_rating, index) => places[index] === place).map(({ score }) => score),
    ),
  }));
  const scores = sorted(seen.map(({ score }) => score));
  const counts = countLiked(scores);
  const range = rangeOfHundred(counts);
  const average = community?.likedShare ?? null;
  return {
    submissions: results,
    scores,
    verdict: verdict(counts, received),
    range: range && {
      ...range,
      sentence: rangeSentence(range),
      average: average === null ? null : Math.round(average * 100),
    },
    comparisons: [
      againstOthers(comparedWithAverage(counts, average)),
      changeSentence(lastChange(results)),
    ].filter((sentence) => sentence !== null),
    reasons: countReasons(known),
    inPlaylists: inPlaylistsSentence(countInPlaylists(known)),
    hidden: whatIsHidden(hidden, received),
    wait: owed > 0 && !resting ? usualWait(community) : null,
  };
}

/** Ratings of a song by submission. */
interface Assignment {
  /** The index of each rating's submission. */
  places: number[];
  /** The number of ratings of each submission. */
  totals: number[];
}

/**
 * Assigns the ratings of a song to its submissions (rule 24). Ratings fill the oldest promise first, five
 * each. A rating beyond all promises, from somebody who was already listening, goes to the submission that
 * was the latest at the time.
 * @param submittedAt times of the submissions, oldest first; epoch milliseconds.
 * @param ratedAt times of the ratings, oldest first; epoch milliseconds.
 * @param before number of earlier ratings, which have filled the oldest promises.
 */
export function assignToSubmissions(
  submittedAt: number[],
  ratedAt: number[],
  before = 0,
): Assignment {
  const last = submittedAt.length - 1;
  const totals = submittedAt.map((_at, place) => {
    const left = Math.max(0, before - place * ratingsPerSubmission);
    return place === last ? left : Math.min(ratingsPerSubmission, left);
  });
  const places = ratedAt.map((at) => {
    const submissionsThen = Math.max(1, submittedAt.filter((submitted) => submitted <= at).length);
    const firstUnfilled = totals.findIndex((total) => total < ratingsPerSubmission);
    const place =
      firstUnfilled < 0 || firstUnfilled >= submissionsThen ? submissionsThen - 1 : firstUnfilled;
    totals[place] = (totals[place] ?? 0) + 1;
    return place;
  });
  return { places, totals };
}

/** Compares the last complete submission with the one before it. */
function lastChange(results: SubmissionResult[]) {
  const last = results.findLastIndex(({ scores }) => scores.length >= ratingsForRange);
  const [earlier, later] = [results[last - 1], results[last]];
  if (!earlier || !later) return null;
  return compareSubmissions(countLiked(earlier.scores), countLiked(later.scores));
}

function sorted(scores: Score[]): Score[] {
  return scores.toSorted((a, b) => a - b);
}
