import { and, eq, exists, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { packageSongs, packages, ratings, songs } from "~/db/schema";
import type { Viewer } from "~/members/viewer.server";
import { type Rejection, reject } from "~/platform/rejection";
import { sharesRound } from "~/sources/recording.server";
import { isTrack, songErrors } from "~/sources/song";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { refuseAsSpotify } from "~/sources/spotify/failure.server";

const notAtSpotify =
  "This is the artist's own recording, which Spotify does not have, so it cannot be in your favorites there.";

/**
 * Saves a song of the viewer's package, or one that they have rated, to their library at Spotify, or takes it
 * out. Spotify is always asked, because the library may have been changed elsewhere.
 */
export async function favoriteSong(
  { db, spotify, now }: DatabaseAndClock & { spotify: Spotify },
  viewer: Viewer,
  { songId, saved }: { songId: string; saved: boolean },
): Promise<{ ok: true } | Rejection> {
  const [song] = await db
    .select({
      trackId: songs.trackId,
      isOffered: asBoolean(sql`${isOfferedTo(db, viewer)}`, "is_offered"),
    })
    .from(songs)
    .where(eq(songs.id, songId));
  if (!song) return reject(404, songErrors.noSong);
  if (!song.isOffered) return reject(409, songErrors.notInPackage);
  if (!isTrack(song)) return reject(409, notAtSpotify);
  try {
    if (saved) await spotify.saveTrack(song.trackId);
    else await spotify.unsaveTrack(song.trackId);
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    const change = saved ? "add this song to" : "remove this song from";
    return refuseAsSpotify(error, {
      outage: `Spotify is not answering right now, so we could not ${change} your favorites. Try again in a moment.`,
      refused: `Spotify did not let us ${change} your favorites. Try again later, or use your Spotify app.`,
    });
  }
  const ownPackage = db
    .select({ id: packages.id })
    .from(packages)
    .where(eq(packages.userId, viewer.userId));
  await db
    .update(packageSongs)
    .set({ favoritedAt: saved ? now() : null })
    .where(
      and(
        inArray(packageSongs.packageId, ownPackage),
        eq(packageSongs.songId, songId),
        // Saving it again keeps the time of the first.
        (saved ? isNull : isNotNull)(packageSongs.favoritedAt),
      ),
    );
  return { ok: true };
}

/**
 * Looks only for songs of the viewer's package and songs that they have rated. Null if Spotify does not
 * answer, so that the caller falls back on `favoritedAt`.
 */
export async function savedSongs(
  { db, spotify }: { db: Database; spotify: Spotify },
  viewer: Viewer,
  songIds: string[],
): Promise<string[] | null> {
  if (songIds.length === 0) return [];
  const found = await db
    .select({ songId: songs.id, trackId: songs.trackId })
    .from(songs)
    .where(and(inArray(songs.id, songIds), isOfferedTo(db, viewer)));
  return savedAmong(spotify, found);
}

/** Of the viewer's package or round, or rated by them. */
function isOfferedTo(db: Database, { userId }: Viewer) {
  const drawn = db
    .select({ songId: packageSongs.songId })
    .from(packages)
    .innerJoin(packageSongs, eq(packageSongs.packageId, packages.id))
    .where(and(eq(packages.userId, userId), eq(packageSongs.songId, songs.id)));
  const rated = db
    .select({ songId: ratings.songId })
    .from(ratings)
    .where(and(eq(ratings.raterId, userId), eq(ratings.songId, songs.id)));
  return or(exists(drawn), exists(rated), sharesRound(userId, sql`songs.id`));
}

export async function savedAmong(
  spotify: Pick<Spotify, "savedTracks">,
  found: { songId: string; trackId: string | null }[],
): Promise<string[] | null> {
  const tracks = found.filter(isTrack);
  if (tracks.length === 0) return [];
  try {
    const saved = await spotify.savedTracks(tracks.map(({ trackId }) => trackId));
    return tracks.flatMap(({ songId, trackId }) => (saved.includes(trackId) ? [songId] : []));
  } catch (error) {
    if (error instanceof SpotifyError) return null;
    throw error;
  }
}
