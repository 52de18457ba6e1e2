/** What an address of the add-song screen says besides the song that was chosen. */
export interface Spot {
  /** The search term; empty without one. */
  query: string;
  /** Spotify's ids of the place in the catalogue, or null. */
  albumId: string | null;
  artistId: string | null;
  /** Counts from 1. */
  page: number;
}

/**
 * The address of the add-song screen at a spot; with a track's id, that of the question about it.
 * Fields that are left out are not in the address.
 */
export function addSongPath(
  { query, albumId, artistId, page = 1 }: Partial<Spot>,
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
