import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { gated, runBatch } from "~/db/gated";
import { freshenSong } from "~/exchange/rotation/track-refresh.server";
import { askForTrack, reportUnplayable } from "~/exchange/rotation/unplayable.server";
import { whatChanged } from "~/exchange/rotation/what-changed";
import { isTrack } from "~/exchange/song";
import type { Viewer } from "~/members/viewer.server";
import type { OwedMailServices } from "~/outbox/owe-mail.server";
import type { FoundTrack } from "~/spotify/spotify";
import type { Spotify } from "~/spotify/web-api.server";
import { doubtListen, finishListen, type HeardListen } from "./listens.server";
import type { SongForViewer } from "./song-for-viewer.server";

export interface TrackAnswer {
  track: FoundTrack;
  at: number;
}

export const noAnswer = { isUnplayable: false, answer: null };

/**
 * Asks Spotify for a song's track. If Spotify does not play it to the viewer, records that against the song
 * (rule 12) and against their open listen of it.
 */
export async function askForSong(
  services: OwedMailServices & { spotify: Pick<Spotify, "track">; now(): number },
  { userId }: Viewer,
  { songId, trackId }: Pick<SongForViewer, "songId"> & { trackId: string },
): Promise<{ isUnplayable: boolean; answer: TrackAnswer | null }> {
  const { db } = services;
  const at = services.now();
  const { isUnplayable, track } = await askForTrack(services.spotify, trackId);
  if (isUnplayable) {
    const now = services.now();
    await runBatch(db, {
      doubt: doubtListen(db, { userId, songId }, now),
      report: reportUnplayable(services, { userId }, { songId, now }),
    });
  }
  return { isUnplayable, answer: track && { track, at } };
}

export function freshen(
  db: Database,
  song: SongForViewer,
  answer: TrackAnswer | null,
  condition?: SQL,
) {
  const changed = answer && isTrack(song) && whatChanged(song, answer.track, "listener");
  if (!changed) return null;
  return freshenSong(
    db,
    { songId: song.songId, changed, asker: "listener", at: answer.at },
    condition,
  );
}

/** Records that a song was heard, and what has changed of its track. A second time changes nothing. */
export function writeHeard(
  db: Database,
  song: SongForViewer,
  listen: HeardListen & { answer: TrackAnswer | null },
) {
  const { listenId, at, answer } = listen;
  const hasFinished = sql`EXISTS (SELECT 1 FROM listens WHERE id = ${listenId} AND finished_at = ${at})`;
  return gated(finishListen(db, listen), hasFinished, (condition) =>
    freshen(db, song, answer, condition),
  );
}
