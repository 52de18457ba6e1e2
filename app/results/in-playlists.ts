import { playlistScore } from "~/db/rules";
import type { Look } from "~/db/settled";
import { fewestTold, wholeSteps } from "~/exchange/rating/reasons";
import { ratingLabel } from "~/exchange/rating/scale";
import { dayMs } from "~/platform/dates";

/** The track must get into a playlist within it to be counted. */
export const playlistWindowMs = dayMs;

export interface InPlaylists {
  count: number;
  of: number;
}

/**
 * Counts the ratings "Added to my playlist!" whose track really is in a playlist (rule 21). Null for fewer
 * than three, which would point to single raters.
 */
export function countInPlaylists(
  known: Look<{ at: number; score: number; inPlaylist: boolean }>,
): InPlaylists | null {
  const chosen = wholeSteps(known, {
    carries: ({ score }) => score === playlistScore,
    openMs: playlistWindowMs,
  });
  const count = chosen.filter(({ inPlaylist }) => inPlaylist).length;
  return count < fewestTold ? null : { count, of: chosen.length };
}

export function inPlaylistsSentence(counts: InPlaylists | null): string | null {
  if (!counts) return null;
  const { count, of } = counts;
  return `"${ratingLabel(playlistScore)}": ${count} of the first ${of} really are in a playlist.`;
}
