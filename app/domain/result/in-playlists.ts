import { maxScore } from "~/db/rules";
import { ratingLabel } from "~/domain/rating/scale";
import { fewestTold } from "~/domain/reasons/reasons";

/** Of some ratings "Added to my playlist!", how many are truly in a playlist. */
export interface InPlaylists {
  count: number;
  of: number;
}

/**
 * Counts the ratings "Added to my playlist!" whose track is truly in a playlist (rule 21).
 * @param seen the ratings that the owner may see.
 * @returns null while fewer than three say it, so that nothing tells of a single rating; and where none
 *   is known to be true, because a track may be in playlists that Fivefold does not know of.
 */
export function countInPlaylists(
  seen: { score: number; inPlaylist: boolean }[],
): InPlaylists | null {
  const said = seen.filter(({ score }) => score === maxScore);
  const count = said.filter(({ inPlaylist }) => inPlaylist).length;
  return said.length < fewestTold || count === 0 ? null : { count, of: said.length };
}

/** The counts in a sentence; null if there are none. */
export function inPlaylistsSentence(counts: InPlaylists | null): string | null {
  if (!counts) return null;
  const { count, of } = counts;
  return `"${ratingLabel(maxScore)}": ${count} of ${of} really ${count === 1 ? "is" : "are"} in a playlist.`;
}
