import type { Viewer } from "./viewer.server";

/** Checks whether songs of Spotify's may play for a viewer. Where its answer is unknown, they may. */
export function hearsSpotify({
  session,
}: {
  session: Pick<Viewer["session"], "spotify">;
}): boolean {
  return session.spotify !== null && session.spotify.hasPremium !== false;
}
