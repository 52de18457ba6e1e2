import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { gated, runBatch } from "~/db/gated";
import { recordings, songs } from "~/db/schema";
import type { Viewer } from "~/members/viewer.server";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import type { SourceOf } from "~/sources/source";
import { fullText, takenOutText } from "./room";
import { hasRoom } from "./room.server";
import { answerRefusals } from "./unplayable.server";

const noOwnSong = "This is not one of your songs.";

const fileEnded = "The file of this song is deleted. Upload it again to submit it again.";

/**
 * Brings a resting song of the viewer's back, behind all others, if there is room (rules 12 and 26). If it
 * rests because Spotify did not play it, Spotify must play it where the viewer is. An own recording needs its
 * file; where listeners could not play it, its owner decides, and the count of them begins anew.
 */
export async function returnSong(
  { db, sourceOf, now }: DatabaseAndClock & { sourceOf: SourceOf },
  { userId }: Viewer,
  songId: string,
): Promise<{ ok: true } | Rejection> {
  const isOwn = and(eq(songs.id, songId), eq(songs.ownerId, userId));
  const isResting = and(isOwn, isNotNull(songs.restingSince));
  const [song] = await db
    .select({
      trackId: songs.trackId,
      restingSince: songs.restingSince,
      withdrawn: songs.withdrawn,
      takenOut: songs.takenOut,
      fileEndedAt: recordings.fileEndedAt,
    })
    .from(songs)
    .leftJoin(recordings, eq(recordings.id, songs.ownRecordingId))
    .where(isOwn);
  if (!song) return reject(404, noOwnSong);
  if (song.takenOut !== null) return reject(409, takenOutText(song.takenOut));
  if (song.restingSince === null) return { ok: true };
  if (song.fileEndedAt !== null) return reject(409, fileEnded);
  const source = sourceOf(song);
  const rejection = song.withdrawn ? null : await source.mayReturn();
  if (rejection) return rejection;
  // Nobody was asked about a withdrawn song, so it must not rest by now because it does not play.
  const isStillWithdrawn = song.withdrawn ? eq(songs.withdrawn, true) : undefined;
  const hasFile = sql`NOT EXISTS (SELECT 1 FROM recordings
    WHERE recordings.id = ${songs.ownRecordingId} AND file_ended_at IS NOT NULL)`;
  const resume = db
    .update(songs)
    .set({ restingSince: null, withdrawn: false })
    .where(and(isResting, isStillWithdrawn, isNull(songs.takenOut), hasFile, hasRoom(userId)))
    .returning({ id: songs.id });
  const isBack = sql`EXISTS (SELECT 1 FROM songs WHERE id = ${songId} AND resting_since IS NULL)`;
  const { resumed, resting } = await runBatch(db, {
    resumed: gated(resume, isBack, (condition) =>
      song.withdrawn ? null : answerRefusals(db, { songId, now: now() }, condition),
    ),
    resting: db
      .select({ withdrawn: songs.withdrawn, takenOut: songs.takenOut })
      .from(songs)
      .where(isResting),
  });
  const [stillResting] = resting;
  if (stillResting) {
    if (stillResting.takenOut !== null) return reject(409, takenOutText(stillResting.takenOut));
    const isNowUnplayable = song.withdrawn && !stillResting.withdrawn;
    return reject(409, isNowUnplayable ? source.unplayableText : fullText);
  }
  // Otherwise another press of the button was quicker.
  if (resumed.gate.length > 0) logEvent("song_resumed");
  return { ok: true };
}

/** Takes a song of the viewer's out of the rotation (rule 12, rest). Who has begun to listen may still rate it. */
export async function withdrawSong(
  { db, now }: { db: Database; now(): number },
  { userId }: Viewer,
  songId: string,
): Promise<{ ok: true } | Rejection> {
  const isOwn = and(eq(songs.id, songId), eq(songs.ownerId, userId));
  const { withdrawn, own } = await runBatch(db, {
    withdrawn: db
      .update(songs)
      .set({ restingSince: now(), withdrawn: true })
      .where(and(isOwn, gt(songs.owed, 0), isNull(songs.restingSince)))
      .returning({ id: songs.id }),
    own: db.select({ id: songs.id }).from(songs).where(isOwn),
  });
  if (own.length === 0) return reject(404, noOwnSong);
  if (withdrawn.length > 0) logEvent("song_withdrawn");
  return { ok: true };
}
