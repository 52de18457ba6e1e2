/** A place on the add-song screen, as its URL gives it. */
export interface AddSongLocation {
  /** The search term; empty without one. */
  query: string;
  /** Spotify's ids of an album and an artist; null where not given. */
  albumId: string | null;
  artistId: string | null;
  /** Number of the page, from 1. */
  page: number;
}

/**
 * The path of a place on the add-song screen, or with a track's id of the question about that track. Fields
 * that are left out are not in the path.
 */
export function addSongPath(
  { query, albumId, artistId, page = 1 }: Partial<AddSongLocation>,
  trackId?: string,
): string {
  const asked = new URLSearchParams({ menu: "addownsong" });
  if (trackId) asked.set("track", trackId);
  if (query) asked.set("q", query);
  if (albumId) asked.set("album", albumId);
  if (artistId) asked.set("artist", artistId);
  if (page > 1) asked.set("page", String(page));
  return `/?${asked}`;
}
