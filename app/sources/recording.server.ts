import { type SQL, sql } from "drizzle-orm";
import type { Track } from "~/sources/song";

export type Identity = Pick<Track, "trackId" | "isrc">;

export function isOwnRecording(userId: string | SQL, recording: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM songs AS own
    WHERE own.owner_id = ${userId} AND own.recording = ${recording})`;
}

/**
 * The condition that a recording is closed to a user (rules 6 and 18): under whatever id, they have
 * submitted, rated or passed on it, or have rated it with an account deleted in the last 30 days.
 */
export function isClosedTo(userId: string | SQL, recording: SQL): SQL {
  return sql`(EXISTS (SELECT 1 FROM ratings AS given
      WHERE given.rater_id = ${userId} AND given.recording = ${recording})
    OR EXISTS (SELECT 1 FROM passes AS passed
      WHERE passed.user_id = ${userId} AND passed.recording = ${recording})
    OR EXISTS (SELECT 1 FROM departures AS gone JOIN rating_marks AS mark ON mark.departure_id = gone.id
      WHERE gone.user_id = ${userId} AND mark.recording = ${recording})
    OR ${isOwnRecording(userId, recording)})`;
}

/** On rows of `rounds` and a member (`mine`): the songs are still to be heard. */
export const stillListens = sql`(rounds.opened_at IS NULL OR mine.listened_at IS NULL)`;

/** Whether somebody is in a round with a song of another member's, from when it has begun (rule 47, rounds). */
export function sharesRound(userId: string | null, songId: SQL | string, which = sql`1`): SQL {
  return sql`EXISTS (SELECT 1 FROM round_members AS its JOIN rounds ON rounds.id = its.round_id
    JOIN round_members AS mine ON mine.round_id = its.round_id AND mine.user_id = ${userId}
    WHERE its.song_id = ${songId} AND mine.song_id IS NOT NULL AND begun_at IS NOT NULL AND ${which})`;
}

/** A member or somebody else has reported the song, or it sounds generated: operators hear and see it then. */
export function isReported(songId: SQL | string): SQL {
  return sql`(EXISTS (SELECT 1 FROM reports WHERE reports.song_id = ${songId})
    OR EXISTS (SELECT 1 FROM notices WHERE notices.song_id = ${songId})
    OR EXISTS (SELECT 1 FROM songs AS heard
      WHERE heard.id = ${songId} AND heard.sounds_generated_since IS NOT NULL))`;
}

/** Of a known track, the stored recording counts as well as what Spotify says now. */
export function isOwnSongOf(ownerId: string, tracks: Identity[]): SQL {
  const recordings = JSON.stringify(tracks.map(({ trackId, isrc }) => isrc ?? trackId));
  const trackIds = JSON.stringify(tracks.map(({ trackId }) => trackId));
  return sql`songs.owner_id = ${ownerId} AND songs.recording IN (
    SELECT value FROM json_each(${recordings}) UNION ALL
    SELECT (SELECT known.recording FROM songs AS known WHERE known.track_id = value LIMIT 1)
    FROM json_each(${trackIds}))`;
}

/** The id of an owner's song of which a file with this hash is, or was, a mix; or NULL. */
export function ownSongOfFile(ownerId: string | SQL, hash: string | SQL): SQL<string | null> {
  const isIts = sql`mix.owner_id = ${ownerId} AND mix.hash = ${hash}`;
  return sql<string | null>`(SELECT submissions.song_id FROM recordings AS mix
    JOIN submissions ON submissions.own_recording_id = mix.id WHERE ${isIts}
    UNION ALL SELECT songs.id FROM recordings AS mix
    JOIN songs ON songs.own_recording_id = mix.id WHERE ${isIts} LIMIT 1)`;
}

/** The id of an owner's song of a track's recording, or NULL. */
export function ownSongOf(ownerId: string, track: Identity): SQL<string | null> {
  return sql<string | null>`(SELECT songs.id FROM songs WHERE ${isOwnSongOf(ownerId, [track])}
    ORDER BY songs.track_id = ${track.trackId} DESC, songs.id LIMIT 1)`;
}
