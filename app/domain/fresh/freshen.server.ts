import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { songs } from "~/db/schema";
import type { Asker, ChangedTrack } from "./what-changed";

/**
 * The statement that writes what has changed of a song's track. Of two answers the one that was asked for
 * later stands, in whatever order they are written.
 * @param at when Spotify was asked, in epoch milliseconds.
 * @param only a condition for it.
 */
export function freshenSong(
  db: Database,
  { songId, changed, asker, at }: FreshAnswer,
  only: SQL = sql`true`,
) {
  const { durationMs, ...others } = changed;
  // Another listener's answer may have made it longer since it was read.
  const length = asker === "app" ? durationMs : sql`max(duration_ms, ${durationMs})`;
  return db
    .update(songs)
    .set({ ...others, ...(durationMs !== undefined && { durationMs: length }), fetchedAt: at })
    .where(and(eq(songs.id, songId), lt(songs.fetchedAt, at), only));
}

/** What Spotify has said of a song. */
export interface FreshAnswer {
  songId: string;
  changed: ChangedTrack;
  asker: Asker;
  at: number;
}
