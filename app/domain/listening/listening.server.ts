import { type Spotify, SpotifyError } from "~/adapters/spotify/spotify";
import type { Database } from "~/db/client.server";
import type { MailQueue } from "~/domain/owed-mail/mail-queue.server";
import { isRefusal, loginEndedText, type Refusal, refuse } from "~/domain/refusal";
import type { Viewer } from "~/domain/session/viewer.server";
import { logEvent } from "~/platform/log";
import { listenErrors, notHeardErrors } from "./errors";
import { type Judgement, judgeListen, requiredListeningSeconds, unlockTime } from "./listening";
import { doubtListen, finishListen, openListen } from "./listens.server";
import { isRefusedBySpotify, noteRefusal } from "./refusals.server";
import { readSong, type SongForViewer } from "./song-for-viewer.server";

/** What listening works with. */
export interface ListeningServices {
  db: Database;
  /** Spotify on behalf of the viewer. */
  spotify: Spotify;
  mailQueue: MailQueue;
  /** Epoch milliseconds. */
  now(): number;
}

/** The answer of POST /songs/:songId/play (design section 5). */
export interface StartedListen {
  listenId: string;
  requiredSeconds: number;
  /** Epoch milliseconds of the server's clock. */
  unlocksAt: number;
}

/**
 * Opens a listen of a song in the viewer's package, and closes the listen that was open before. A
 * viewer who plays a song again before it was heard, or for whom it does not start, may have met one
 * that Spotify no longer plays: then Spotify is asked for the track.
 * @param startPlayback starts the track on the user's active device; null if the browser plays it
 *   itself. If it fails, no listen is opened.
 */
export async function startListen(
  services: ListeningServices,
  viewer: Viewer,
  {
    songId,
    startPlayback,
  }: { songId: string; startPlayback: ((trackId: string) => Promise<void>) | null },
): Promise<StartedListen | Refusal> {
  const { db, now } = services;
  const { userId, limits } = viewer;
  const song = await readSong(db, userId, songId);
  if (!song) return refuse(404, listenErrors.noSong);
  const refusal = refuseListen(song, userId);
  if (refusal) return refusal;
  const isAgain = song.listenId !== null && song.finishedListenId === null;
  if (isAgain && (await isRefused(services, song))) return refuse(409, listenErrors.refused);
  try {
    await startPlayback?.(song.trackId);
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    const refusedPlayback = refusePlayback(error);
    // Spotify has refused this song and not the listener, their device or everybody.
    const mayBeTheSong = refusedPlayback.error === listenErrors.playbackFailed && !error.outage;
    if (mayBeTheSong && !isAgain && (await isRefused(services, song))) {
      return refuse(409, listenErrors.refused);
    }
    return refusedPlayback;
  }
  const requiredSeconds = requiredListeningSeconds(limits.listeningTimeRequired, song.durationMs);
  const startedAt = now();
  const id = crypto.randomUUID();
  await db.batch(openListen(db, { id, userId, songId, requiredSeconds }, startedAt));
  return { listenId: id, requiredSeconds, unlocksAt: unlockTime({ startedAt, requiredSeconds }) };
}

/** Confirms the viewer's open listen of a song at the unlock. A second time changes nothing. */
export async function confirmListen(
  services: ListeningServices,
  viewer: Viewer,
  songId: string,
): Promise<{ ok: true } | Refusal> {
  const { db } = services;
  const song = await readSong(db, viewer.userId, songId);
  if (!song) return refuse(404, listenErrors.noSong);
  if (song.ownerId === viewer.userId) return refuse(403, listenErrors.ownSong);
  const verified = await verifyListen(services, song);
  if (isRefusal(verified)) return verified;
  if (!verified.listenId) return { ok: true };
  const finished = await finishListen(db, verified);
  if (finished.length > 0) {
    logEvent("listen_confirmed", { kind: verified.evidence });
    return { ok: true };
  }
  // Meanwhile another tab has confirmed this listen, or has started another song.
  const songNow = await readSong(db, viewer.userId, songId);
  return songNow?.finishedListenId ? { ok: true } : refuse(409, listenErrors.noListen);
}

type Evidence = Extract<Judgement, { heard: true }>["evidence"];

/** A listen that lasted for the required time. `listenId` is null if that is on record already. */
export type ListenVerification =
  | { listenId: null }
  | { listenId: string; evidence: Evidence; at: number };

/** Whether Spotify says that it does not play the song to the viewer. If so, that is written down. */
async function isRefused(services: ListeningServices, song: SongForViewer): Promise<boolean> {
  const { spotify, now } = services;
  if (!(await isRefusedBySpotify(spotify, song.trackId))) return false;
  await noteRefusal(services, { songId: song.songId, userId: song.userId, now: now() });
  return true;
}

/**
 * Whether a song was heard for the required time: it is on record already, or the clock and Spotify
 * say so now.
 */
export async function verifyListen(
  services: ListeningServices,
  song: SongForViewer,
): Promise<ListenVerification | Refusal> {
  const { db, spotify, now } = services;
  if (song.finishedListenId) return { listenId: null };
  const { listenId, startedAt, requiredSeconds } = song;
  if (!listenId || startedAt === null || requiredSeconds === null) {
    return refuse(409, listenErrors.noListen);
  }
  const listen = { ...song, startedAt, requiredSeconds };
  const byClock = judgeListen(listen, now(), "unreachable");
  // If the clock alone says that it is too early, there is no need to ask Spotify.
  const playback = byClock.heard ? await askSpotify(spotify) : "unreachable";
  if (isRefusal(playback)) return playback;
  const at = now();
  const judgement = judgeListen(listen, at, playback);
  // Once Spotify has contradicted this listen, an outage no longer speaks for the listener.
  if (judgement.heard && playback === "unreachable" && song.doubtedAt) {
    return refuse(503, listenErrors.unconfirmed);
  }
  if (judgement.heard) return { listenId, evidence: judgement.evidence, at };
  const isElsewhere = judgement.why === "wrong-song" || judgement.why === "nothing-playing";
  if (isElsewhere && (await isRefused(services, song))) return refuse(409, listenErrors.refused);
  if (judgement.why !== "early") await doubtListen(db, song, at);
  return refuse(409, notHeardErrors[judgement.why], { secondsLeft: judgement.secondsLeft });
}

async function askSpotify(spotify: Spotify) {
  try {
    return await spotify.playback();
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    // An outage must not cost the user their listening time; a refusal must not count as heard.
    if (error.outage) return "unreachable";
    if (error.status === 401) return refuse(401, loginEndedText);
    return refuse(502, listenErrors.notAllowed);
  }
}

function refuseListen(song: SongForViewer, userId: string): Refusal | null {
  if (song.ownerId === userId) return refuse(403, listenErrors.ownSong);
  if (song.ratingId) return refuse(409, listenErrors.alreadyRated);
  // Only a drawn song may be heard, so that nobody can choose whose song to rate.
  if (!song.inPackage) return refuse(409, listenErrors.notInPackage);
  // A user who is already listening may go on.
  if (song.owedSince === null && !song.listenId) return refuse(409, listenErrors.ratedThrough);
  if (song.restingSince !== null && !song.listenId) return refuse(409, listenErrors.resting);
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
