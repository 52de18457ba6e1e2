/** Spotify's answers about a song's track while somebody listens, and their effects. */
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { gated, runBatch } from "~/db/gated";
import { freshenSong } from "~/exchange/rotation/track-refresh.server";
import { askForTrack, writeRefusal } from "~/exchange/rotation/unplayable.server";
import { whatChanged } from "~/exchange/rotation/what-changed";
import type { Viewer } from "~/members/viewer.server";
import type { OwedMailServices } from "~/outbox/owe-mail.server";
import type { FoundTrack } from "~/spotify/spotify";
import type { Spotify } from "~/spotify/web-api.server";
import { doubtListen, finishListen } from "./listens.server";
import type { SongForViewer } from "./song-for-viewer.server";

/** Spotify's answer about a track, and when it was asked. */
export interface TrackAnswer {
  track: FoundTrack;
  at: number;
}

export const noAnswer = { isRefused: false, answer: null };

/**
 * Asks Spotify for a song's track on behalf of the viewer, and records a refusal.
 */
export async function askForSong(
  services: OwedMailServices & { spotify: Pick<Spotify, "track">; now(): number },
  viewer: Viewer,
  song: SongForViewer,
): Promise<{ isRefused: boolean; answer: TrackAnswer | null }> {
  const { spotify, now } = services;
  const at = now();
  const { isRefused, track } = await askForTrack(spotify, song.trackId);
  if (isRefused) await noteRefusal(services, viewer, { songId: song.songId, now: now() });
  return { isRefused, answer: track && { track, at } };
}

/** The statements that write the changes in Spotify's answer about a song; null if there are none. */
export function freshen(db: Database, song: SongForViewer, answer: TrackAnswer | null, only?: SQL) {
  const changed = answer && whatChanged(song, answer.track, "listener");
  if (!changed) return null;
  return freshenSong(db, { songId: song.songId, changed, asker: "listener", at: answer.at }, only);
}

/**
 * The statements that record that a song was heard, and the changes in Spotify's answer about it. A second
 * time changes nothing.
 */
export function writeHeard(
  db: Database,
  song: SongForViewer,
  listen: Parameters<typeof finishListen>[1] & { answer: TrackAnswer | null },
) {
  const { listenId, at, answer } = listen;
  const hasFinished = sql`EXISTS (SELECT 1 FROM listens WHERE id = ${listenId} AND finished_at = ${at})`;
  return gated(finishListen(db, listen), hasFinished, (only) => freshen(db, song, answer, only));
}

/**
 * Records that Spotify does not play a song to a listener, which contradicts their open listen of it. One
 * round trip.
 */
async function noteRefusal(
  services: OwedMailServices,
  { userId }: Pick<Viewer, "userId">,
  { songId, now }: { songId: string; now: number },
): Promise<void> {
  const { db } = services;
  await runBatch(db, {
    doubt: doubtListen(db, { userId, songId }, now),
    refusal: writeRefusal(services, { userId }, { songId, now }),
  });
}
