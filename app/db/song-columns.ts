import { sql } from "drizzle-orm";
import { asBoolean } from "./expressions";
import { songs } from "./schema";

/**
 * The picture of a song: Spotify's, or for an own recording the cover that came with it as long as its files are
 * kept, or else the one that is drawn.
 */
const artUrl = sql<string | null>`iif(songs.track_id IS NOT NULL, songs.art_url, (
  SELECT iif(cover_type IS NULL OR file_ended_at IS NOT NULL,
    '/covers/' || drawn_from || '.svg', '/songs/' || songs.id || '/cover?of=' || recordings.id)
  FROM recordings WHERE recordings.id = songs.own_recording_id))`.as("art_url");

/** Whether the picture of a song is one that is drawn. */
export const hasDrawnCover = asBoolean(
  sql`EXISTS (SELECT 1 FROM recordings
    WHERE recordings.id = songs.own_recording_id AND (cover_type IS NULL OR file_ended_at IS NOT NULL))`,
  "has_drawn_cover",
);

/** How loud an own recording is (recordings.loudness). */
export const songLoudness = sql<number | null>`(SELECT loudness FROM recordings
  WHERE recordings.id = songs.own_recording_id)`.as("loudness");

/** The columns of a Song (app/sources/song.ts). */
export const songColumns = {
  trackId: songs.trackId,
  title: songs.title,
  artists: songs.artists,
  album: songs.album,
  artUrl,
  smallerArt: songs.smallerArt,
  tint: songs.tint,
  durationMs: songs.durationMs,
  isrc: songs.isrc,
  spotifyUrl: songs.spotifyUrl,
  explicit: songs.explicit,
  made: songs.made,
};
