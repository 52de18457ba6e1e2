import type { DatabaseAndClock } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { isTrack } from "~/exchange/song";
import { refuseEndedLogin } from "~/login/ended-login";
import { notePremium } from "~/login/sessions.server";
import type { Viewer } from "~/members/viewer.server";
import type { OwedMailServices } from "~/outbox/owe-mail.server";
import { logEvent } from "~/platform/log";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import { SpotifyError } from "~/spotify/spotify";
import type { Spotify } from "~/spotify/web-api.server";
import { listenErrors, notHeardErrors } from "./errors";
import { judgeDelivery, judgeListen, requiredListeningSeconds } from "./listening";
import {
  doubtListen,
  type HeardListen,
  leaveOpenListen,
  openListen,
  recordObservation,
} from "./listens.server";
import { remainingMs, spotCheckDelay, unlockMs } from "./progress";
import { readSong, type SongForViewer } from "./song-for-viewer.server";
import type { SpotCheckQueue } from "./spot-check.server";
import { askForSong, freshen, noAnswer, type TrackAnswer, writeHeard } from "./track-answer.server";

/** The longest time that the player is asked to wait for Spotify's limit at once. */
const maxLimitedSeconds = 15;

export interface ListeningServices extends DatabaseAndClock, OwedMailServices {
  spotify: Spotify;
  spotChecks: SpotCheckQueue;
  random(): number;
}

export interface StartedListen {
  listenId: string;
  requiredSeconds: number;
  /** In the past where the song was heard before. */
  unlocksAt: number;
  /** The song was heard before and stays open to rating; no listen was opened. */
  heard?: true;
}

/**
 * Opens a listen of a song in the viewer's package, closes the one that was open (rule 14), and queues a
 * spot check of a track. A song that was heard only plays. Spotify is asked whether it plays the track where
 * playback fails, where it is played again before it was heard, and where it is explicit (rule 12).
 */
export async function startListen(
  services: ListeningServices,
  viewer: Viewer,
  {
    songId,
    startPlayback,
  }: { songId: string; startPlayback: ((trackId: string) => Promise<void>) | null },
): Promise<StartedListen | Rejection> {
  const { db, now, random, spotChecks } = services;
  const { userId, tierConfig } = viewer;
  const song = await readSong(db, userId, songId);
  if (!song) return reject(404, listenErrors.noSong);
  const rejection = rejectListen(song, userId);
  if (rejection) return rejection;
  const begun = isTrack(song) ? await beginTrack(services, viewer, song, startPlayback) : noAnswer;
  if (isRejection(begun)) return begun;
  const requiredSeconds = requiredListeningSeconds(tierConfig.requiredSeconds, song.durationMs);
  const heard = startedHeard(song, requiredSeconds);
  if (heard) {
    await leaveOpenListen(db, userId);
    return heard;
  }
  const startedAt = now();
  const id = crypto.randomUUID();
  const listen = { id, userId, songId, requiredSeconds };
  const { listening } = await runBatch(db, {
    listening: openListen(db, listen, startedAt),
    track: freshen(db, song, begun.answer),
  });
  const [finished] = listening.finished;
  // Another tab has confirmed the song since it was read.
  const heardSince = finished && startedHeard(finished, requiredSeconds);
  if (heardSince) return heardSince;
  if (listening.opened.length === 0) return reject(404, listenErrors.noSong);
  const neededMs = unlockMs(requiredSeconds);
  if (isTrack(song)) {
    spotChecks.enqueue({ listenId: id, after: null }, spotCheckDelay(neededMs, random()));
  }
  return { listenId: id, requiredSeconds, unlocksAt: startedAt + neededMs };
}

async function beginTrack(
  services: ListeningServices,
  viewer: Viewer,
  song: SongForViewer & { trackId: string },
  startPlayback: ((trackId: string) => Promise<void>) | null,
): Promise<typeof noAnswer | Awaited<ReturnType<typeof askForSong>> | Rejection> {
  if (viewer.session.spotify === null) return reject(409, listenErrors.notConnected);
  const isAgain = song.listenId !== null && song.finishedListenId === null;
  const isAsked = isAgain || song.explicit;
  const asked = isAsked ? await askForSong(services, viewer, song) : noAnswer;
  if (asked.isUnplayable) return reject(409, listenErrors.refused);
  if (asked.answer?.track.hidden) return reject(409, listenErrors.hidden);
  try {
    await startPlayback?.(song.trackId);
    return asked;
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    const rejection = rejectPlayback(error);
    // The fault is neither the listener's nor their device's, and Spotify is not down.
    const mayBeSongs = rejection.error === listenErrors.playbackFailed && !error.outage;
    if (mayBeSongs && !isAsked) {
      const { isUnplayable, answer } = await askForSong(services, viewer, song);
      if (isUnplayable) return reject(409, listenErrors.refused);
      if (answer?.track.hidden) return reject(409, listenErrors.hidden);
    }
    return mayBeSongs && song.explicit ? reject(409, listenErrors.mayBeHidden) : rejection;
  }
}

function startedHeard(
  {
    finishedListenId: listenId,
    finishedAt,
  }: Pick<SongForViewer, "finishedListenId" | "finishedAt">,
  requiredSeconds: number,
): StartedListen | null {
  if (listenId === null || finishedAt === null) return null;
  return { listenId, requiredSeconds, unlocksAt: finishedAt, heard: true };
}

/** Confirms the viewer's open listen of a song (rule 13). A second time changes nothing. */
export async function confirmListen(
  services: ListeningServices,
  viewer: Viewer,
  songId: string,
): Promise<{ ok: true } | Rejection> {
  const { db } = services;
  const song = await readSong(db, viewer.userId, songId);
  if (!song) return reject(404, listenErrors.noSong);
  if (song.ownerId === viewer.userId) return reject(403, listenErrors.ownSong);
  const verified = await verifyListen(services, viewer, song);
  if (isRejection(verified)) return verified;
  if (!verified.listenId) return { ok: true };
  const { listen } = await runBatch(db, {
    listen: writeHeard(db, song, verified),
    // Only Spotify's songs need it.
    premium: isTrack(song) ? notePremium(db, viewer, services.now()) : null,
  });
  if (listen.gate.length > 0) {
    logEvent("listen_confirmed", { kind: verified.evidence });
    return { ok: true };
  }
  // Another tab has confirmed this listen or started another song since it was read.
  const songNow = await readSong(db, viewer.userId, songId);
  if (songNow?.finishedListenId) return { ok: true };
  // A spot check has come in between.
  if (songNow?.listenId === verified.listenId)
    return reject(409, notHeardErrors.early, { secondsLeft: 1 });
  return reject(409, listenErrors.noListen);
}

/** Pauses the user's device first; Spotify refuses a pause where nothing plays. */
export async function playOnActiveDevice(
  spotify: Pick<Spotify, "pause" | "play">,
  trackId: string,
): Promise<void> {
  try {
    await spotify.pause();
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
  }
  await spotify.play(trackId);
}

/** `listenId` is null if the song was recorded as heard before. */
export type ListenVerification =
  | { listenId: null }
  | (HeardListen & { answer: TrackAnswer | null });

/**
 * Decides that a song was heard for the required time (rules 13 and 15): a track with `judgeListen`, an own
 * recording with `judgeDelivery`.
 */
export async function verifyListen(
  services: ListeningServices,
  viewer: Viewer,
  song: SongForViewer,
): Promise<ListenVerification | Rejection> {
  const { now } = services;
  if (song.finishedListenId) return { listenId: null };
  const listen = openListenOf(song);
  if (!listen) return reject(409, listenErrors.noListen);
  return isTrack(listen) ? verifyTrack(services, viewer, listen) : verifyDelivery(listen, now());
}

type OpenListenOf = NonNullable<ReturnType<typeof openListenOf>>;

function verifyDelivery(listen: OpenListenOf, at: number): ListenVerification | Rejection {
  const { listenId, observedAt, deliveredMs } = listen;
  const judgement = judgeDelivery(listen, at);
  if (judgement.heard) {
    return { listenId, observedAt, evidence: judgement.evidence, at, answer: null };
  }
  const { why, secondsLeft } = judgement;
  return reject(409, notHeardErrors[why], { secondsLeft, deliveredMs });
}

async function verifyTrack(
  services: ListeningServices,
  viewer: Viewer,
  listen: OpenListenOf & { trackId: string },
): Promise<ListenVerification | Rejection> {
  const { db, spotify, spotChecks, now, random } = services;
  const { listenId, observedAt, recheckAt } = listen;
  const byClock = judgeListen(listen, now(), "unreachable");
  const askedAt = now();
  // Who was found silent may not know why. Before the time is over nothing tells of a check.
  const isOver = askedAt >= listen.startedAt + (listen.requiredSeconds + 1) * 1000;
  const isToAsk = byClock.heard || (isOver && recheckAt !== null);
  const answer = isToAsk ? await askSpotify(spotify) : "unreachable";
  if (isRejection(answer)) return answer;
  const playback = answer === "private" ? null : answer;
  const at = now();
  const judgement = judgeListen(listen, at, playback);
  const isDoubted = listen.doubtedAt !== null || recheckAt !== null;
  // Once Spotify has contradicted this listen, the clock alone no longer confirms it.
  const isByClock = playback === "unreachable" || playback?.progressMs === null;
  if (judgement.heard && judgement.evidence === "clock" && isByClock && isDoubted) {
    return reject(503, listenErrors.unconfirmed, { secondsLeft: 1 });
  }
  if (judgement.heard) {
    const track = playback === "unreachable" ? null : playback?.track;
    const answer = track ? { track, at: askedAt } : null;
    return { listenId, observedAt, evidence: judgement.evidence, at, answer };
  }
  const isUnknown = judgement.why === "unknown";
  const mayBeUnplayable = isUnknown || judgement.why === "wrong-song";
  const asked = mayBeUnplayable ? await askForSong(services, viewer, listen) : noAnswer;
  if (asked.isUnplayable) return reject(409, listenErrors.refused);
  if (judgement.measureFromMs !== undefined) {
    const seen = { observedAt: at, positionMs: judgement.measureFromMs, recheckAt: null };
    const recorded = await recordObservation(db, listen, seen);
    const delay = spotCheckDelay(remainingMs(listen), random());
    if (recorded.length > 0) spotChecks.enqueue({ listenId, after: at }, delay);
  } else if (judgement.why !== "early") {
    await runBatch(db, {
      doubt: isUnknown ? null : doubtListen(db, listen, at),
      track: freshen(db, listen, asked.answer),
    });
  }
  const text = answer === "private" ? listenErrors.private : notHeardErrors[judgement.why];
  return reject(409, text, { secondsLeft: judgement.secondsLeft });
}

function openListenOf(song: SongForViewer) {
  const { listenId, startedAt, requiredSeconds, heardMs, positionMs, deliveredMs } = song;
  return listenId === null ||
    startedAt === null ||
    requiredSeconds === null ||
    heardMs === null ||
    positionMs === null ||
    deliveredMs === null
    ? null
    : { ...song, listenId, startedAt, requiredSeconds, heardMs, positionMs, deliveredMs };
}

async function askSpotify(spotify: Spotify) {
  try {
    return await spotify.playback();
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    // Somebody who asks too often has to wait, or a limit would be a way around the question.
    if (error.status === 429) {
      const secondsLeft = Math.min(maxLimitedSeconds, error.retryAfterSeconds ?? maxLimitedSeconds);
      return reject(409, listenErrors.limited, { secondsLeft });
    }
    // An outage must not cost the user their listening time; a refusal must not count as heard.
    if (error.outage) return "unreachable";
    if (error.status === 401) return refuseEndedLogin(error);
    return reject(502, listenErrors.notAllowed);
  }
}

function rejectListen(song: SongForViewer, userId: string): Rejection | null {
  if (song.ownerId === userId) return reject(403, listenErrors.ownSong);
  if (song.ratingId) return reject(409, listenErrors.alreadyRated, { closed: true });
  if (song.passId) return reject(409, listenErrors.passed, { closed: true });
  // Only a drawn song may be heard, so that nobody can choose whose song to rate.
  if (!song.inPackage) return reject(409, listenErrors.notInPackage, { closed: true });
  // A user who is already listening, or has heard it, may go on.
  if (song.listenId || song.finishedListenId) return null;
  if (song.owedSince === null) return reject(409, listenErrors.ratedThrough);
  if (song.withdrawn) return reject(409, listenErrors.withdrawn);
  if (song.restingSince !== null) return reject(409, listenErrors.resting);
  return null;
}

function rejectPlayback(error: SpotifyError): Rejection {
  if (error.status === 401) return refuseEndedLogin(error);
  if (error.reason === "PREMIUM_REQUIRED") return reject(409, listenErrors.premiumRequired);
  if (error.reason === "NO_ACTIVE_DEVICE" || error.status === 404) {
    return reject(409, listenErrors.noDevice);
  }
  return reject(error.outage ? 503 : 502, listenErrors.playbackFailed);
}
