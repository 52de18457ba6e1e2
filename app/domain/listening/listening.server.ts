import { and, eq, sql } from "drizzle-orm";
import { type Spotify, SpotifyError } from "~/adapters/spotify/spotify";
import type { Database } from "~/db/client.server";
import { listens, packageSongs, packages, ratings, songs } from "~/db/schema";
import { isRefusal, loginEndedText, type Refusal, refuse } from "~/domain/refusal";
import type { Viewer } from "~/domain/session/viewer.server";
import { logEvent } from "~/platform/log";
import { type Judgement, judgeListen, requiredListeningSeconds, unlockTime } from "./listening";
import { doubtListen, finishListen, openListen } from "./listens.server";

/** What POST /songs/:songId/play answers (design section 5). */
export interface StartedListen {
  listenId: string;
  requiredSeconds: number;
  /** Epoch milliseconds of the server's clock. */
  unlocksAt: number;
}

/**
 * Opens a listen of a song in the viewer's package; a new one closes the old.
 * @param startPlayback starts the track on the user's active device, given where the browser does
 *   not do so itself. Where it fails no listen is opened.
 */
export async function startListen(
  db: Database,
  viewer: Viewer,
  songId: string,
  clock: () => number,
  startPlayback?: (trackId: string) => Promise<void>,
): Promise<StartedListen | Refusal> {
  const song = await readSong(db, viewer.userId, songId);
  const refusal = refuseListen(song, viewer.userId);
  if (refusal || !song) return refusal ?? refuse(404, listenErrors.noSong);
  if (startPlayback) {
    try {
      await startPlayback(song.trackId);
    } catch (error) {
      if (!(error instanceof SpotifyError)) throw error;
      return refusePlayback(error);
    }
  }
  const requiredSeconds = requiredListeningSeconds(
    viewer.limits.listeningTimeRequired,
    song.durationMs,
  );
  const startedAt = clock();
  const id = crypto.randomUUID();
  await db.batch(openListen(db, { id, userId: viewer.userId, songId, requiredSeconds }, startedAt));
  return { listenId: id, requiredSeconds, unlocksAt: unlockTime({ startedAt, requiredSeconds }) };
}

/** Confirms the viewer's open listen of a song at the unlock. A second time changes nothing. */
export async function confirmListen(
  db: Database,
  viewer: Viewer,
  songId: string,
  spotify: Spotify,
  clock: () => number,
): Promise<{ ok: true } | Refusal> {
  const song = await readSong(db, viewer.userId, songId);
  if (!song) return refuse(404, listenErrors.noSong);
  if (song.ownerId === viewer.userId) return refuse(403, listenErrors.ownSong);
  const heard = await verifyListen(db, song, spotify, clock);
  if (isRefusal(heard)) return heard;
  if (!heard.listenId) return { ok: true };
  const finished = await finishListen(db, heard.listenId, heard.evidence, heard.at);
  // Another tab has started a song meanwhile, or has confirmed this one: only then it is finished.
  if (finished.length > 0) {
    logEvent("listen_confirmed", { kind: heard.evidence });
    return { ok: true };
  }
  const again = await readSong(db, viewer.userId, songId);
  return again?.finishedListenId ? { ok: true } : refuse(409, listenErrors.noListen);
}

/** A listen that was heard for its time; `listenId` is null where that was recorded before. */
export type ListenVerification =
  | { listenId: null }
  | { listenId: string; evidence: Evidence; at: number };
type Evidence = Extract<Judgement, { heard: true }>["evidence"];

/**
 * Whether a song was heard for its time: recorded already, or to be recorded now because the clock
 * and Spotify say so.
 */
export async function verifyListen(
  db: Database,
  song: SongForViewer,
  spotify: Spotify,
  clock: () => number,
): Promise<ListenVerification | Refusal> {
  if (song.finishedListenId) return { listenId: null };
  const { listenId, startedAt, requiredSeconds } = song;
  if (!listenId || startedAt === null || requiredSeconds === null) {
    return refuse(409, listenErrors.noListen);
  }
  const listen = { ...song, startedAt, requiredSeconds };
  const early = judgeListen(listen, clock(), "unreachable");
  // Too early by the clock alone: Spotify need not be asked.
  const word = early.heard ? await askSpotify(spotify) : "unreachable";
  if (isRefusal(word)) return word;
  const at = clock();
  const judgement = judgeListen(listen, at, word);
  // Once Spotify has said that something else played, its silence is no word for the listener.
  if (judgement.heard && word === "unreachable" && song.doubtedAt) {
    return refuse(503, listenErrors.unconfirmed);
  }
  if (judgement.heard) return { listenId, evidence: judgement.evidence, at };
  if (judgement.why !== "early") await doubtListen(db, listenId, at);
  return refuse(409, notHeardTexts[judgement.why], { secondsLeft: judgement.secondsLeft });
}

async function askSpotify(spotify: Spotify) {
  try {
    return await spotify.playback();
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    // An outage must not cost the user their listening time; a refusal must not count as heard.
    if (error.outage) return "unreachable";
    return error.status === 401
      ? refuse(401, loginEndedText)
      : refuse(502, listenErrors.notAllowed);
  }
}

/** A song as it stands to one viewer. */
export type SongForViewer = NonNullable<Awaited<ReturnType<typeof readSong>>>;

/** A song with the viewer's rating, package membership and listens of it, in one round trip. */
export async function readSong(db: Database, userId: string, songId: string) {
  const [row] = await db
    .select({
      ownerId: songs.ownerId,
      owedSince: songs.owedSince,
      trackId: songs.trackId,
      isrc: songs.isrc,
      durationMs: songs.durationMs,
      ratingId: sql<string | null>`${ratings.id}`.as("rating_id"),
      inPackage: sql<string | null>`${packageSongs.songId}`.as("in_package"),
      favoritedAt: packageSongs.favoritedAt,
      listenId: sql<string | null>`${listens.id}`.as("listen_id"),
      startedAt: listens.startedAt,
      requiredSeconds: listens.requiredSeconds,
      doubtedAt: listens.doubtedAt,
      finishedListenId: sql<string | null>`(
        SELECT finished.id FROM listens AS finished
        WHERE finished.user_id = ${userId} AND finished.song_id = ${songId}
          AND finished.finished_at IS NOT NULL
        ORDER BY finished.started_at DESC LIMIT 1)`.as("finished_listen_id"),
    })
    .from(songs)
    .leftJoin(ratings, and(eq(ratings.raterId, userId), eq(ratings.songId, songs.id)))
    .leftJoin(packages, eq(packages.userId, userId))
    .leftJoin(
      packageSongs,
      and(eq(packageSongs.packageId, packages.id), eq(packageSongs.songId, songs.id)),
    )
    .leftJoin(
      listens,
      and(
        eq(listens.userId, userId),
        eq(listens.songId, songs.id),
        sql`${listens.closedAt} IS NULL`,
      ),
    )
    .where(eq(songs.id, songId));
  return row ?? null;
}

function refuseListen(song: SongForViewer | null, userId: string): Refusal | null {
  if (!song) return refuse(404, listenErrors.noSong);
  if (song.ownerId === userId) return refuse(403, listenErrors.ownSong);
  if (song.ratingId) return refuse(409, listenErrors.alreadyRated);
  // Only what was drawn may be heard: nobody can pick whose song to rate.
  if (!song.inPackage) return refuse(409, listenErrors.notInPackage);
  // Somebody who is listening already may go on.
  if (song.owedSince === null && !song.listenId) return refuse(409, listenErrors.ratedThrough);
  return null;
}

function refusePlayback(error: SpotifyError): Refusal {
  if (error.status === 401) return refuse(401, loginEndedText);
  if (error.reason === "PREMIUM_REQUIRED") return refuse(409, listenErrors.premiumRequired);
  if (error.reason === "NO_ACTIVE_DEVICE" || error.status === 404) {
    return refuse(409, listenErrors.noDevice);
  }
  return refuse(error.outage ? 503 : 502, listenErrors.playbackFailed);
}

/** What people read when a listen or a rating is refused. */
export const listenErrors = {
  noSong: "There is no such song.",
  ownSong: "This is your own song. Only others can rate it.",
  alreadyRated: "You have already rated this song.",
  notInPackage: "This song is not among the ones you can rate right now. Go back to your carousel.",
  ratedThrough: "This song has received all its ratings meanwhile. Please choose another one.",
  unconfirmed: "Spotify cannot say right now what is playing. Please try again in a moment.",
  notCounted:
    "This rating was not counted: you have rated the song already, or started another one meanwhile.",
  noListen: "Please play this song first. It can be rated once you have listened to it.",
  notAllowed: "Spotify did not let us see what is playing. Please log in again and play the song.",
  noDevice:
    "The player was not ready, and Spotify is not open anywhere else. Please go back and press PLAY SONG again, or open your Spotify app and start any song there first.",
  premiumRequired: "Spotify plays songs on demand for Spotify Premium members only.",
  playbackFailed: "Error starting playback. Please try again.",
} as const;

const notHeardTexts: Record<Extract<Judgement, { heard: false }>["why"], string> = {
  early: "You have not listened long enough yet.",
  paused: "Error: Please do not pause the playback.",
  "wrong-song": "Error. The song you should rate is not being played back!",
  "nothing-playing": "Spotify is not playing the song. Please play it again.",
};
