/** What Spotify says of a song's track while somebody listens, and what becomes of it. */
import { type SQL, sql } from "drizzle-orm";
import type { FoundTrack, Spotify } from "~/adapters/spotify/spotify";
import type { Database } from "~/db/client.server";
import { freshenSong } from "~/domain/fresh/freshen.server";
import { whatChanged } from "~/domain/fresh/what-changed";
import type { Viewer } from "~/domain/session/viewer.server";
import { askForTrack, noteRefusal, type RefusalServices } from "./refusals.server";
import type { SongForViewer } from "./song-for-viewer.server";

/** What Spotify has said of a track, and when it was asked. */
export interface Said {
  track: FoundTrack;
  at: number;
}

export const nothingSaid = { isRefused: false, said: null };

/**
 * Asks Spotify for the song as the viewer: whether it refuses to play it, which is then written down, or
 * what it says of it.
 */
export async function askForSong(
  services: RefusalServices & { spotify: Pick<Spotify, "track">; now(): number },
  viewer: Viewer,
  song: SongForViewer,
): Promise<{ isRefused: boolean; said: Said | null }> {
  const { spotify, now } = services;
  const at = now();
  const { isRefused, track } = await askForTrack(spotify, song.trackId);
  if (isRefused) await noteRefusal(services, viewer, { songId: song.songId, now: now() });
  return { isRefused, said: track && { track, at } };
}

/** The statements that write what has changed of a song by what Spotify has said; none if nothing has. */
export function freshen(db: Database, song: SongForViewer, said: Said | null, only?: SQL) {
  const changed = said && whatChanged(song, said.track, "listener");
  if (!changed) return [];
  return freshenSong(db, { songId: song.songId, changed, asker: "listener", at: said.at }, only);
}

/** The same, for the batch that finishes a listen and only if it does. */
export function freshenHeard(
  db: Database,
  song: SongForViewer,
  { listenId, at, said }: { listenId: string; at: number; said: Said | null },
) {
  const isFinished = sql`EXISTS (SELECT 1 FROM listens WHERE id = ${listenId} AND finished_at = ${at})`;
  return freshen(db, song, said, isFinished);
}
