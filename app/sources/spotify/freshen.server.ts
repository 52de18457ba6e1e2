import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { songs, users } from "~/db/schema";
import type { Asker, ChangedTrack } from "./what-changed";

interface FreshAnswer {
  songId: string;
  changed: ChangedTrack;
  asker: Asker;
  at: number;
}

/** Of two answers the one that was asked for later stands. A new main artist counts as the owner's own. */
export function freshenSong(
  db: Database,
  { songId, changed, asker, at }: FreshAnswer,
  condition: SQL = sql`true`,
) {
  const { durationMs, ...others } = changed;
  // Another listener's answer may have made it longer since it was read.
  const length = asker === "app" ? durationMs : sql`max(duration_ms, ${durationMs})`;
  const [mainArtist] = changed.artistIds ?? [];
  const own = sql`json_object(${mainArtist}, ${changed.artists?.[0] ?? ""})`;
  const owner = sql`(SELECT owner_id FROM songs
    WHERE id = ${songId} AND fetched_at = ${at} AND artist_ids ->> 0 = ${mainArtist})`;
  return {
    track: db
      .update(songs)
      .set({ ...others, ...(durationMs !== undefined && { durationMs: length }), fetchedAt: at })
      .where(and(eq(songs.id, songId), lt(songs.fetchedAt, at), condition)),
    owner: mainArtist
      ? db
          .update(users)
          .set({ ownArtists: sql`json_patch(own_artists, ${own})` })
          .where(sql`id = ${owner}`)
      : null,
  };
}
