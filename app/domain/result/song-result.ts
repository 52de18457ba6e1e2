import { type CommunityFigures, usualWait } from "~/domain/community/community";
import { countReasons, type Look, type ReasonCounts } from "~/domain/rating/reasons";
import type { Score } from "~/domain/rating/scale";
import { divideIntoFives } from "./fives";
import { countInPlaylists, inPlaylistsSentence } from "./in-playlists";
import { countLiked } from "./opinions";
import { comparedWithAverage, type Range, rangeOfHundred, ratingsForRange } from "./range";
import { compareSubmissions } from "./second-listen";
import { againstOthers, changeSentence, rangeSentence, verdict, whatIsHidden } from "./sentences";

/** One upload of a song, and what was said of it. */
export interface SubmissionResult {
  /** 1 for the first upload, and so on. */
  number: number;
  /** Epoch milliseconds. */
  submittedAt: number;
  /** How many ratings belong to it. */
  received: number;
  /** Those that the owner may see, from worst to best: nothing tells in which order they came. */
  scores: Score[];
}

/** What a song's ratings say, computed from those alone that the owner may see (rule 29). */
export interface SongResult {
  /** Oldest first. */
  submissions: SubmissionResult[];
  /** All that the owner may see, from worst to best. */
  scores: Score[];
  /** e.g. "3 of 5 liked it." */
  verdict: string;
  /** Between how many of a hundred listeners would like it; null while it is too early to tell. */
  range: (Range & { sentence: string; average: number | null }) | null;
  /** How it stands against the others, and against itself the time before. */
  comparisons: string[];
  /** What their reasons say; null while too few carry any. */
  reasons: ReasonCounts | null;
  /** How many of "Added to my playlist!" are true; null while fewer than three are. */
  inPlaylists: string | null;
  /** What the hidden ratings would add; null if none is hidden. */
  hidden: string | null;
  /** How long a song waits for its ratings; null if this one waits for none. */
  wait: string | null;
}

/** What is known of a song's ratings. */
export interface KnownRatings
  extends Look<{ score: Score; at: number; reasons: number | null; inPlaylist: boolean }> {
  /** Ratings still owed. */
  owed: number;
  /** Whether it is out of the rotation. */
  resting: boolean;
  /** How many of them the tier does not show. */
  hidden: number;
  /** The submissions, oldest first; `submittedAt` in epoch milliseconds. */
  submissions: { number: number; submittedAt: number }[];
}

/** What the ratings of a song say. */
export function songResult(known: KnownRatings, community: CommunityFigures | null): SongResult {
  const { received, owed, resting, hidden, submissions, seen } = known;
  const { places, totals } = divideIntoFives(
    submissions.map(({ submittedAt }) => submittedAt),
    seen.map(({ at }) => at),
    received - seen.length,
  );
  const results = submissions.map((submission, place) => ({
    ...submission,
    received: totals[place] ?? 0,
    scores: sorted(seen.filter((_rating, at) => places[at] === place).map(({ score }) => score)),
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

/** How the last submission that is complete compares with the one before it. */
function lastChange(results: SubmissionResult[]) {
  const last = results.findLastIndex(({ scores }) => scores.length >= ratingsForRange);
  const [earlier, later] = [results[last - 1], results[last]];
  if (!earlier || !later) return null;
  return compareSubmissions(countLiked(earlier.scores), countLiked(later.scores));
}

function sorted(scores: Score[]): Score[] {
  return scores.toSorted((a, b) => a - b);
}
