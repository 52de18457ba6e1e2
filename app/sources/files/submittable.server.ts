import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { onCommit } from "~/db/gated";
import { recordings } from "~/db/schema";
import { type Rejection, reject } from "~/platform/rejection";
import { ownSongOfFile } from "~/sources/recording.server";
import type { AskedFile, Offer, Submittable } from "~/sources/source";
import { whyUnratable } from "~/sources/unratable";
import { agreedCost, endSameFiles, isAgreedMix } from "./drafts.server";

export const recordingErrors = {
  gone: "This recording is not here any more. Upload it again.",
  otherSong: "This file belongs to another song of yours. Submit that one again instead.",
  noSong: "This is not one of your own recordings.",
  unsaid: "Say first how it was made, and that you may let others hear it.",
  unheard: "Hear it first. A few seconds of it are enough.",
  silent:
    "A browser of yours could not play this file, so others could not hear it either. Export your song anew, as an MP3, and upload that.",
  owed: "A new mix can follow once this one has all its ratings, so that you can compare the two.",
} as const;

/** A file that is offered for submission: the owner's draft, or one that they have submitted before. */
export function offeredFile(
  db: Database,
  asked: AskedFile,
  { userId, now }: { userId: string; now: number },
): Offer {
  let file: OwnFile | undefined;
  return {
    read: onCommit(selectOwnFile(db, { ...asked, ownerId: userId, now }), ([row]) => {
      file = row;
    }),
    agreedCost: () => file?.agreedCost ?? null,
    submittable: async () => submittedFile(db, userId, file, asked.songId),
  };
}

type OwnFile = Awaited<ReturnType<typeof selectOwnFile>>[number];

function selectOwnFile(
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
      drawnFrom: recordings.drawnFrom,
      title: recordings.title,
      artist: recordings.artist,
      durationMs: recordings.durationMs,
      made: recordings.made,
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
function submittedFile(
  db: Database,
  ownerId: string,
  file: OwnFile | undefined,
  songId: string | null,
): Submittable | Rejection {
  if (!file) return reject(404, recordingErrors.gone);
  const { id, hash, title, artist, durationMs, made } = file;
  if (hash === null || durationMs === null || file.fileEndedAt !== null) {
    return reject(409, recordingErrors.gone);
  }
  if (made === null) return reject(409, recordingErrors.unsaid);
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
    cover: { ...file, artUrl: null, smallerArt: {}, ownRecordingId: id },
    columns: {
      ...{ trackId: null, spotifyUrl: null, isrc: null, ownRecordingId: id },
      ...{ title, artists: [artist], artistIds: [], album: "", durationMs },
      ...{ artUrl: null, smallerArt: {}, explicit: false, made },
    },
    refreshed: {
      ownRecordingId: sql`excluded.own_recording_id`,
      title: sql`excluded.title`,
      artists: sql`excluded.artists`,
      durationMs: sql`excluded.duration_ms`,
      made: sql`excluded.made`,
    },
    knownId,
    isKnown: sql`songs.id = ${knownId}`,
    isAgreed: sql`EXISTS (SELECT 1 FROM recordings WHERE id = ${id} AND ${isAgreedMix(knownId)})`,
    isThere: sql`EXISTS (SELECT 1 FROM recordings WHERE id = ${id} AND owner_id = ${ownerId}
        AND state <> 'arriving' AND file_ended_at IS NULL AND hearing = 'heard' AND made IS NOT NULL)
      AND NOT ${isTooEarly(knownId, sql`${hash}`)}
      AND (${songId} IS NULL OR ${knownId} IS NOT NULL AND coalesce(${songOfFile}, ${songId}) = ${songId})`,
    also: (isAccepted, now) => ({
      file: db
        .update(recordings)
        .set({ state: "submitted" })
        .where(and(eq(recordings.id, id), isAccepted)),
      sameFiles: endSameFiles(db, { userId: ownerId, recordingId: id, now }, isAccepted),
    }),
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
