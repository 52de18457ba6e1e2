import { and, eq, isNotNull, sql } from "drizzle-orm";
import { type Spotify, SpotifyError } from "~/adapters/spotify/spotify";
import type { Database } from "~/db/client.server";
import { songs } from "~/db/schema";
import { answerRefusals } from "~/domain/listening/refusals.server";
import { type Refusal, refuse } from "~/domain/refusal";
import { refuseEndedLogin } from "~/domain/session/ended-login";
import type { Viewer } from "~/domain/session/viewer.server";
import { logEvent } from "~/platform/log";
import { fullText } from "./limits";
import { hasRoom } from "./limits.server";

/** What people read whose song cannot come back. */
const resumeErrors = {
  noSong: "This is not one of your songs.",
  unplayable:
    "Spotify still does not play this song. Once you can play it on Spotify, please press the button again. Until then, it keeps the ratings it is owed.",
  outage:
    "Spotify is not answering right now. Your song is still resting. Please try again in a moment.",
} as const;

/** What bringing a song back works with. */
interface ResumeServices {
  db: Database;
  /** Spotify on behalf of the owner. */
  spotify: Pick<Spotify, "track">;
  /** Epoch milliseconds. */
  now(): number;
}

/**
 * Brings a resting song of the viewer's back into the rotation, behind all others, if Spotify plays it
 * where the viewer is and the viewer has room for it. A song that does not rest stays as it is.
 */
export async function resumeSong(
  { db, spotify, now }: ResumeServices,
  { userId }: Viewer,
  songId: string,
): Promise<{ ok: true } | Refusal> {
  const isOwn = and(eq(songs.id, songId), eq(songs.ownerId, userId));
  const isResting = and(isOwn, isNotNull(songs.restingSince));
  const [song] = await db
    .select({ trackId: songs.trackId, restingSince: songs.restingSince })
    .from(songs)
    .where(isOwn);
  if (!song) return refuse(404, resumeErrors.noSong);
  if (song.restingSince === null) return { ok: true };
  const refusal = await refuseUnlessPlayed(spotify, song.trackId);
  if (refusal) return refusal;
  const [resumed, , [left]] = await db.batch([
    db
      .update(songs)
      .set({ restingSince: null })
      .where(and(isResting, hasRoom(userId)))
      .returning({ id: songs.id }),
    answerRefusals(
      db,
      { songId, now: now() },
      sql`EXISTS (SELECT 1 FROM songs WHERE id = ${songId} AND resting_since IS NULL)`,
    ),
    db.select({ id: songs.id }).from(songs).where(isResting),
  ]);
  if (left) return refuse(409, fullText);
  // Otherwise another press of the button was quicker.
  if (resumed.length > 0) logEvent("song_resumed");
  return { ok: true };
}

async function refuseUnlessPlayed(
  spotify: Pick<Spotify, "track">,
  trackId: string,
): Promise<Refusal | null> {
  try {
    const track = await spotify.track(trackId);
    return track?.playable ? null : refuse(409, resumeErrors.unplayable);
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return error.status === 401 ? refuseEndedLogin(error) : refuse(503, resumeErrors.outage);
  }
}
