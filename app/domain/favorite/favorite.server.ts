import { and, eq, inArray } from "drizzle-orm";
import { type Spotify, SpotifyError } from "~/adapters/spotify/spotify";
import type { Database } from "~/db/client.server";
import { packageSongs, packages } from "~/db/schema";
import { listenErrors } from "~/domain/listening/errors";
import { readSong } from "~/domain/listening/song-for-viewer.server";
import { type Refusal, refuse } from "~/domain/refusal";
import { refuseEndedLogin } from "~/domain/session/ended-login";
import type { Viewer } from "~/domain/session/viewer.server";

/**
 * Saves a song of the viewer's package to their library at Spotify (spec section 4, "Favorites
 * button"), and remembers that, so that the button stays gone. A second time changes nothing.
 */
export async function favoriteSong(
  { db, spotify, now }: { db: Database; spotify: Spotify; now(): number },
  viewer: Viewer,
  songId: string,
): Promise<{ ok: true } | Refusal> {
  const song = await readSong(db, viewer.userId, songId);
  if (!song) return refuse(404, listenErrors.noSong);
  if (!song.inPackage) return refuse(409, listenErrors.notInPackage);
  if (song.favoritedAt !== null) return { ok: true };
  try {
    await spotify.saveTrack(song.trackId);
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return refuseFavorite(error);
  }
  const ownPackage = db
    .select({ id: packages.id })
    .from(packages)
    .where(eq(packages.userId, viewer.userId));
  await db
    .update(packageSongs)
    .set({ favoritedAt: now() })
    .where(and(inArray(packageSongs.packageId, ownPackage), eq(packageSongs.songId, songId)));
  return { ok: true };
}

/** Includes what Spotify said, so that the user has something to tell support. */
function refuseFavorite(error: SpotifyError): Refusal {
  if (error.status === 401) return refuseEndedLogin(error);
  return refuse(
    error.outage ? 503 : 502,
    `This song could not be added to your favorites. Please try again in a moment. (${error.message})`,
  );
}
