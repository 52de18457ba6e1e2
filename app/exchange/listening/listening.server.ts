import { sql } from "drizzle-orm";
import type { DatabaseAndClock } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import type { Place } from "~/exchange/pool/place";
import { reportUnplayable } from "~/exchange/rotation/unplayable.server";
import { isOfferedInRound, roundOf } from "~/exchange/round/round.server";
import type { Viewer } from "~/members/viewer.server";
import type { OwedMailServices } from "~/outbox/owe-mail.server";
import { logEvent } from "~/platform/log";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import { earlyText, remainingMs, unlockMs } from "~/sources/listen";
import { recordObservation } from "~/sources/listens.server";
import type { SourceOf } from "~/sources/source";
import { listenErrors } from "./errors";
import { requiredListeningSeconds } from "./listening";
import {
  doubtListen,
  type HeardListen,
  leaveOpenListen,
  openListen,
  writeHeard,
} from "./listens.server";
import { readSong, type SongForViewer } from "./song-for-viewer.server";

export interface ListeningServices extends DatabaseAndClock, OwedMailServices {
  sourceOf: SourceOf;
  place: Place | null;
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
 * Opens a listen of a song in the viewer's package, and closes the one that was open (rule 14, one listen). A song that was
 * heard only plays. One that does not play counts against the song (rule 12, rest).
 */
export async function startListen(
  services: ListeningServices,
  viewer: Viewer,
  {
    songId,
    startPlayback,
  }: { songId: string; startPlayback: ((trackId: string) => Promise<void>) | null },
): Promise<StartedListen | Rejection> {
  const { db, now, sourceOf } = services;
  const { userId, tierConfig } = viewer;
  const song = await readSong(db, userId, songId, services.place);
  if (!song) return reject(404, listenErrors.noSong);
  const isInRound = song.roundId !== null && (await isOfferedInRound(db, viewer, songId, now()));
  const rejection = rejectListen(song, userId, isInRound);
  if (rejection) return rejection;
  const source = sourceOf(song);
  const isAgain = song.listen !== null && song.finishedListenId === null;
  const begun = await source.begin(viewer, song, { isAgain, startPlayback });
  if (begun.is === "unplayable") await writeUnplayable(services, viewer, song);
  if (begun.is !== "begun") return begun.rejection;
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
    listening: openListen(
      db,
      listen,
      startedAt,
      sql`${roundOf(userId, sql`songs.id`)} IS ${song.roundId}`,
    ),
    learned: begun.learned(),
  });
  const [finished] = listening.finished;
  // Another tab has confirmed the song since it was read.
  const heardSince = finished && startedHeard(finished, requiredSeconds);
  if (heardSince) return heardSince;
  if (listening.opened.length === 0) return reject(404, listenErrors.noSong);
  const neededMs = unlockMs(requiredSeconds);
  source.follow(id, { after: null, leftMs: neededMs });
  return { listenId: id, requiredSeconds, unlocksAt: startedAt + neededMs };
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

/** Confirms the viewer's open listen of a song (rule 13, required time). A second time changes nothing. */
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
    listen: writeHeard(db, verified),
    ofLogin: verified.ofLogin,
  });
  if (listen.gate.length > 0) {
    logEvent("listen_confirmed", { kind: verified.evidence });
    return { ok: true };
  }
  // Another tab has confirmed this listen or started another song since it was read.
  const songNow = await readSong(db, viewer.userId, songId);
  if (songNow?.finishedListenId) return { ok: true };
  // A spot check has come in between.
  if (songNow?.listen?.listenId === verified.listenId)
    return reject(409, earlyText, { secondsLeft: 1 });
  return reject(409, listenErrors.noListen);
}

/** `listenId` is null if the song was recorded as heard before. */
export type ListenVerification = { listenId: null } | HeardListen;

/** Decides that a song was heard for the required time, and writes what else its source found (rules 13 and 15). */
export async function verifyListen(
  services: ListeningServices,
  viewer: Viewer,
  song: SongForViewer,
): Promise<ListenVerification | Rejection> {
  const { db, sourceOf } = services;
  if (song.finishedListenId) return { listenId: null };
  const { listen } = song;
  if (!listen) return reject(409, listenErrors.noListen);
  const { listenId, observedAt } = listen;
  const source = sourceOf(song);
  const said = await source.verify(viewer, song, listen);
  switch (said.is) {
    case "heard":
      return { ...said, listenId, observedAt };
    case "unplayable":
      await writeUnplayable(services, viewer, song);
      break;
    case "contradicted":
      await runBatch(db, { doubt: doubtListen(db, song, said.at), learned: said.learned() });
      break;
    case "found again": {
      const { at, positionMs } = said;
      const seen = { observedAt: at, positionMs, recheckAt: null };
      const recorded = await recordObservation(db, listen, seen);
      if (recorded.length > 0) source.follow(listenId, { after: at, leftMs: remainingMs(listen) });
      break;
    }
    case "open":
      await runBatch(db, said.learned());
  }
  return said.rejection;
}

/** Against the song (rule 12, rest) and against the viewer's open listen of it. */
async function writeUnplayable(
  services: ListeningServices,
  { userId }: Viewer,
  { songId }: SongForViewer,
): Promise<void> {
  const { db } = services;
  const now = services.now();
  await runBatch(db, {
    doubt: doubtListen(db, { userId, songId }, now),
    report: reportUnplayable(services, { userId }, { songId, now }),
  });
}

function rejectListen(song: SongForViewer, userId: string, isInRound: boolean): Rejection | null {
  if (song.ownerId === userId) return reject(403, listenErrors.ownSong);
  if (song.ratingId) return reject(409, listenErrors.alreadyRated, { closed: true });
  if (song.passId) return reject(409, listenErrors.passed, { closed: true });
  // What a round gives is in no line, and comes from wherever its members are.
  if (isInRound) return null;
  // Only a drawn song may be heard, so that nobody can choose whose song to rate.
  if (!song.inPackage) return reject(409, listenErrors.notInPackage, { closed: true });
  if (song.isFull) return reject(409, listenErrors.fullFromHere, { closed: true });
  // A user who is already listening, or has heard it, may go on.
  if (song.listen || song.finishedListenId) return null;
  if (song.owedSince === null) return reject(409, listenErrors.ratedThrough);
  if (song.withdrawn) return reject(409, listenErrors.withdrawn);
  if (song.restingSince !== null) return reject(409, listenErrors.resting);
  return null;
}
