import { ratingsPerSubmission } from "~/db/rules";
import type { SeenRatings } from "~/db/settled";
import { type CommunityFigures, usuallyBy, usualWait } from "~/exchange/community/community";
import { countReasons, type ReasonCounts } from "~/exchange/rating/reasons";
import type { Score } from "~/exchange/rating/scale";
import { ordinal } from "~/platform/text";
import { soundedAgainst } from "~/sources/files/loudness";
import {
  countInPlaylists,
  countReleaseWishes,
  inPlaylistsSentence,
  releaseWishesSentence,
} from "./in-playlists";
import { countLiked } from "./opinions";
import { newestOfEach } from "./received";
import {
  againstOthers,
  changeSentence,
  fairnessSentence,
  inRoundsAlone,
  rangeSentence,
  type Verdict,
  verdictOf,
} from "./sentences";
import {
  comparedWithAverage,
  compareSubmissions,
  type Range,
  rangeOfHundred,
  ratingsForRange,
} from "./statistics";

export interface SubmissionResult {
  number: number;
  /** "Second mix", where its song is an own recording. */
  mix: string | null;
  mixed: MixedFile | null;
  submittedAt: number;
  received: number;
  /** Of these, how many open once all five are in. */
  sealed: number;
  /** From worst to best, which hides their order. */
  scores: Score[];
}

/** Computed only from the ratings that the owner may see (rule 29, results). */
export interface SongResult {
  submissions: SubmissionResult[];
  scores: Score[];
  verdict: Verdict;
  /** Of a hundred listeners. Null while it is too early to tell. */
  range: (Range & { sentence: string; average: number | null }) | null;
  comparisons: string[];
  reasons: ReasonCounts | null;
  inPlaylists: string | null;
  releaseWishes: string | null;
  wait: Wait | null;
}

interface Wait {
  /** When the usual wait is over; null where it is not known, or is. */
  usuallyBy: number | null;
  usual: string;
}

export interface KnownRatings
  extends SeenRatings<{
    score: Score;
    at: number;
    reasons: number | null;
    inPlaylist: boolean;
    wantsRelease: boolean;
    mix: string | null;
  }> {
  /** Of `seen`, how many of each mix the owner may see: the newest. */
  most: number;
  owed: number;
  /** Beside `received`: in, and not open yet (rule 46, small circles). */
  sealed: number;
  resting: boolean;
  /** Oldest first. */
  submissions: {
    number: number;
    submittedAt: number;
    file: string | null;
    loudness: number | null;
    /** What is heard and seen of it; null for a track. */
    mixed: MixedFile | null;
  }[];
}

interface MixedFile {
  recordingId: string;
  drawnFrom: string;
  seconds: number;
  hasCover: boolean;
  isKept: boolean;
}

export function songResult(known: KnownRatings, community: CommunityFigures | null): SongResult {
  const { received, owed, sealed, resting, submissions, now, most } = known;
  const { places, totals } = assignToSubmissions(
    submissions.map(({ submittedAt }) => submittedAt),
    known.seen.map(({ at }) => at),
    received - known.seen.length,
  );
  const placed = known.seen.map((rating, index) => ({ ...rating, place: places[index] ?? 0 }));
  const seen = newestOfEach(placed.toReversed(), most).toReversed();
  const told = { ...known, seen };
  const mixes = nameMixes(submissions.map(({ file }) => file));
  const filling = totals.findIndex((total) => total < ratingsPerSubmission);
  const results = submissions.map(({ number, submittedAt, mixed }, place) => {
    const sealedHere = place === filling ? sealed : 0;
    return {
      ...{ number, submittedAt, mixed, mix: mixes[place] ?? null, sealed: sealedHere },
      received: (totals[place] ?? 0) + sealedHere,
      scores: sorted(seen.filter((one) => one.place === place).map(({ score }) => score)),
    };
  });
  const scores = sorted(seen.map(({ score }) => score));
  const counts = countLiked(scores);
  const range = rangeOfHundred(counts);
  const average = community?.likedShare ?? null;
  const waiting = results.find((one) => one.received < ratingsPerSubmission);
  return {
    submissions: results,
    scores,
    verdict:
      submissions.length === 0 ? inRoundsAlone : verdictOf(counts, { received, owed, sealed }),
    range: range && {
      ...range,
      sentence: rangeSentence(range),
      average: average === null ? null : Math.round(average * 100),
    },
    comparisons: [
      againstOthers(comparedWithAverage(counts, average)),
      ...lastChange(results, submissions),
    ].filter((sentence) => sentence !== null),
    reasons: countReasons(told),
    inPlaylists: inPlaylistsSentence(countInPlaylists(told)),
    releaseWishes: releaseWishesSentence(countReleaseWishes(told)),
    wait:
      owed > 0 && !resting && waiting
        ? {
            usuallyBy: usuallyBy(community, waiting.submittedAt, now),
            usual: usualWait(community, now - waiting.submittedAt),
          }
        : null,
  };
}

interface Assignment {
  places: number[];
  totals: number[];
}

/**
 * Assigns ratings to submissions (rule 24, submission), both oldest first. Ratings fill the oldest promise first, five
 * each. A rating beyond all promises goes to the submission that was the latest at the time. `before` earlier
 * ratings have filled the oldest promises.
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

/** The names of an own recording's mixes by the hashes of their files; those of the same file have the same. */
function nameMixes(files: (string | null)[]): (string | null)[] {
  const mixes = [...new Set(files)];
  return files.map((file) => file && `${capital(ordinal(mixes.indexOf(file) + 1))} mix`);
}

function lastChange(
  results: SubmissionResult[],
  uploads: KnownRatings["submissions"],
): (string | null)[] {
  const last = results.findLastIndex(({ scores }) => scores.length >= ratingsForRange);
  const [earlier, later] = [results[last - 1], results[last]];
  if (!earlier || !later) return [];
  const change = compareSubmissions(countLiked(earlier.scores), countLiked(later.scores));
  if (later.mix === earlier.mix || change === null) return [changeSentence(change, "time")];
  const sounded = soundedAgainst(uploads[last - 1]?.loudness, uploads[last]?.loudness);
  return [changeSentence(change, "mix"), fairnessSentence(sounded)];
}

function sorted(scores: Score[]): Score[] {
  return scores.toSorted((a, b) => a - b);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
