/** The private playlist that the product makes for listeners who want one. */
export const findsName = "Fivefold finds";

/** The form's value for that playlist, which may not exist yet. Spotify's ids are longer. */
export const findsKey = "finds";

export function findsAmong<Playlist extends { name: string }>(
  playlists: Playlist[],
): Playlist | null {
  return playlists.find(({ name }) => name === findsName) ?? null;
}

export function playlistPath(songId: string): string {
  return `/songs/${encodeURIComponent(songId)}/playlist`;
}
