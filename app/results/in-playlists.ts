import { playlistScore, playlistWindowMs } from "~/db/rules";
import type { SeenRatings } from "~/db/settled";
import { fewestTold, wholeSteps } from "~/exchange/rating/reasons";
import { ratingLabel } from "~/exchange/rating/scale";
import { releaseWindowMs } from "~/exchange/release/release-link";

export interface CountOfChosen {
  count: number;
  of: number;
}

/** Counts the ratings "Added to my playlist!" whose track really is in a playlist (rule 21, true additions). */
export function countInPlaylists(
  known: SeenRatings<{ at: number; score: number; inPlaylist: boolean }>,
): CountOfChosen | null {
  return countOfChosen(known, playlistWindowMs, ({ inPlaylist }) => inPlaylist);
}

/** Counts the ratings "Added to my playlist!" whose givers want to know when the song is out (rule 44, release). */
export function countReleaseWishes(
  known: SeenRatings<{ at: number; score: number; wantsRelease: boolean }>,
): CountOfChosen | null {
  return countOfChosen(known, releaseWindowMs, ({ wantsRelease }) => wantsRelease);
}

/** Null for fewer than three, which would point to single raters. */
function countOfChosen<Rating extends { at: number; score: number }>(
  known: SeenRatings<Rating>,
  openMs: number,
  isCounted: (rating: Rating) => boolean,
): CountOfChosen | null {
  const carries = ({ score }: Rating) => score === playlistScore;
  const chosen = wholeSteps(known, { carries, openMs });
  const count = chosen.filter(isCounted).length;
  return count < fewestTold ? null : { count, of: chosen.length };
}

export function inPlaylistsSentence(counts: CountOfChosen | null): string | null {
  if (!counts) return null;
  const { count, of } = counts;
  return `"${ratingLabel(playlistScore)}": ${count} of the first ${of} really are in a playlist.`;
}

export function releaseWishesSentence(counts: CountOfChosen | null): string | null {
  if (!counts) return null;
  const { count, of } = counts;
  return `"${ratingLabel(playlistScore)}": ${count} of the first ${of} want to know when it is out.`;
}
