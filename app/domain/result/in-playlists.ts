import { dayMs, playlistScore } from "~/db/rules";
import { fewestTold, type Look, wholeSteps } from "~/domain/rating/reasons";
import { ratingLabel } from "~/domain/rating/scale";

/** For so long after a rating its track can come into a playlist for the owner to learn of it, in milliseconds. */
export const playlistWindowMs = dayMs;

/** Of some ratings "Added to my playlist!", how many are truly in a playlist. */
export interface InPlaylists {
  count: number;
  of: number;
}

/**
 * Counts the ratings "Added to my playlist!" whose track is truly in a playlist (rule 21).
 * @returns null while fewer than three are, so that nothing tells of a single rating. It would also be
 *   unfair: a track may be in playlists that Fivefold does not know of.
 */
export function countInPlaylists(
  look: Look<{ at: number; score: number; inPlaylist: boolean }>,
): InPlaylists | null {
  const said = wholeSteps(look, {
    carries: ({ score }) => score === playlistScore,
    openMs: playlistWindowMs,
  });
  const count = said.filter(({ inPlaylist }) => inPlaylist).length;
  return count < fewestTold ? null : { count, of: said.length };
}

/** The counts in a sentence; null if there are none. */
export function inPlaylistsSentence(counts: InPlaylists | null): string | null {
  if (!counts) return null;
  const { count, of } = counts;
  return `"${ratingLabel(playlistScore)}": ${count} of the first ${of} really are in a playlist.`;
}
