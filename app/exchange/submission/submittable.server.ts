import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { recordings } from "~/db/schema";
import { isOwnSongOf, ownSongOf, ownSongOfFile } from "~/exchange/recording.server";
import { type Rejection, reject } from "~/platform/rejection";
import { agreedCost } from "~/recordings/drafts.server";
import type { Song } from "~/sources/song";
import type { FoundTrack } from "~/spotify/spotify";
import { whyUnratable } from "./reach";

interface SubmittedColumns extends Omit<Song, "tint"> {
  artistIds: (string | null)[];
  ownRecordingId: string | null;
}

/** What a submission writes of a track or of an own recording, and which song of its owner's it already is. */
export interface Submittable {
  columns: SubmittedColumns;
  /** What it changes of a song that was submitted before. */
  refreshed: { [Column in keyof SubmittedColumns]?: SQL };
  knownId: SQL<string | null>;
  /** A condition on `songs`: those of the owner's that it is. */
  isKnown: SQL;
  /** What must still hold when it is written. */
  isThere: SQL;
}

const refreshedTrack = {
  trackId: sql`excluded.track_id`,
  title: sql`excluded.title`,
  artists: sql`excluded.artists`,
  album: sql`excluded.album`,
  artUrl: sql`excluded.art_url`,
  smallerArt: sql`excluded.smaller_art`,
  durationMs: sql`excluded.duration_ms`,
  // Only the app changes the ISRC of a known track (app/sources/spotify/track-refresh.server.ts).
  isrc: sql`coalesce(
    (SELECT known.isrc FROM songs AS known
      WHERE known.track_id = excluded.track_id AND known.isrc IS NOT NULL LIMIT 1),
    isrc, excluded.isrc)`,
  spotifyUrl: sql`excluded.spotify_url`,
  artistIds: sql`excluded.artist_ids`,
  explicit: sql`excluded.explicit`,
} satisfies Record<keyof Omit<FoundTrack, "playable" | "hidden" | "relinked">, SQL>;

export function submittedTrack(ownerId: string, found: FoundTrack): Submittable {
  const { playable: _playable, hidden: _hidden, relinked: _relinked, ...columns } = found;
  return {
    columns: { ...columns, ownRecordingId: null },
    refreshed: refreshedTrack,
    knownId: ownSongOf(ownerId, columns),
    isKnown: isOwnSongOf(ownerId, [columns]),
    isThere: sql`1`,
  };
}

export const recordingErrors = {
  gone: "This recording is not here any more. Please upload it again.",
  otherSong: "This file belongs to another song of yours. Please submit that one again instead.",
  noSong: "This is not one of your own recordings.",
  unheard: "Please hear it first. A few seconds of it are enough.",
  silent:
    "A browser of yours could not play this file, so others could not hear it either. Please export your song anew, as an MP3, and upload that.",
  owed: "A new mix can follow once this one has all its ratings, so that you can compare the two.",
} as const;

/** A file of its owner's: of a new song or, with `songId`, a new mix of that one. */
export interface AskedFile {
  recordingId: string;
  songId: string | null;
}

type OwnFile = Awaited<ReturnType<typeof selectOwnFile>>[number];

export function selectOwnFile(
  db: Database,
  { ownerId, recordingId, songId, now }: AskedFile & { ownerId: string; now: number },
) {
  const hash = sql`recordings.hash`;
  const songOfFile = ownSongOfFile(ownerId, hash);
  const knownId = songId === null ? songOfFile : ownSong(ownerId, songId);
  return db
    .select({
      id: recordings.id,
      hash: recordings.hash,
      coverType: recordings.coverType,
      title: recordings.title,
      artist: recordings.artist,
      durationMs: recordings.durationMs,
      fileEndedAt: recordings.fileEndedAt,
      agreedCost: agreedCost(now),
      hearing: recordings.hearing,
      songOfFile: songOfFile.as("song_of_file"),
      knownId: knownId.as("known_id"),
      isTooEarly: isTooEarly(knownId, hash).mapWith(Boolean).as("is_too_early"),
    })
    .from(recordings)
    .where(and(eq(recordings.id, recordingId), eq(recordings.ownerId, ownerId)));
}

/** The file as it is submitted, or why it cannot be. */
export function submittedFile(
  ownerId: string,
  file: OwnFile | undefined,
  songId: string | null,
): Submittable | Rejection {
  if (!file) return reject(404, recordingErrors.gone);
  const { id, hash, title, artist, durationMs } = file;
  if (hash === null || durationMs === null || file.fileEndedAt !== null) {
    return reject(409, recordingErrors.gone);
  }
  if (file.hearing !== "heard") return reject(409, recordingErrors[file.hearing ?? "unheard"]);
  const unratable = whyUnratable({ playable: true, durationMs });
  if (unratable) return reject(422, unratable);
  if (songId !== null && file.knownId === null) return reject(404, recordingErrors.noSong);
  if (songId !== null && file.songOfFile !== null && file.songOfFile !== songId) {
    return reject(409, recordingErrors.otherSong);
  }
  if (file.isTooEarly) return reject(409, recordingErrors.owed);
  const songOfFile = ownSongOfFile(ownerId, hash);
  const knownId = songId === null ? songOfFile : ownSong(ownerId, songId);
  return {
    columns: {
      ...{ trackId: null, spotifyUrl: null, isrc: null, ownRecordingId: id },
      ...{ title, artists: [artist], artistIds: [], album: "", durationMs },
      ...{ artUrl: null, smallerArt: {}, explicit: false },
    },
    refreshed: {
      ownRecordingId: sql`excluded.own_recording_id`,
      title: sql`excluded.title`,
      artists: sql`excluded.artists`,
      durationMs: sql`excluded.duration_ms`,
    },
    knownId,
    isKnown: sql`songs.id = ${knownId}`,
    isThere: sql`EXISTS (SELECT 1 FROM recordings WHERE id = ${id} AND owner_id = ${ownerId}
        AND state <> 'arriving' AND file_ended_at IS NULL AND hearing = 'heard')
      AND NOT ${isTooEarly(knownId, sql`${hash}`)}
      AND (${songId} IS NULL OR ${knownId} IS NOT NULL AND coalesce(${songOfFile}, ${songId}) = ${songId})`,
  };
}

function ownSong(ownerId: string, songId: string): SQL<string | null> {
  return sql<string | null>`(SELECT id FROM songs
    WHERE id = ${songId} AND owner_id = ${ownerId} AND track_id IS NULL)`;
}

/** Checks whether a file is another mix than the one that its song is still owed ratings of. */
function isTooEarly(knownId: SQL, hash: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM songs
    WHERE songs.id = ${knownId} AND owed > 0 AND recording IS NOT ${hash})`;
}
