import type { SpotifyConnection } from "./spotify-connection";

/** Checks whether songs of Spotify's may play for a viewer. Where its answer is unknown, they may. */
export function hearsSpotify({
  session,
}: {
  session: { spotify: SpotifyConnection | null };
}): boolean {
  return session.spotify !== null && session.spotify.hasPremium !== false;
}
