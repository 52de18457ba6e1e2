import { and, eq, gt, isNull } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { songs } from "~/db/schema";
import type { Viewer } from "~/members/viewer.server";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { noOwnSong } from "./resume.server";

/**
 * Takes a song of the viewer's out of the rotation (rule 12). It keeps what it is owed, and nothing is
 * refunded. A listener who is hearing it, or has heard it, may still rate it, and that counts. A song that
 * is not in the rotation stays as it is. One round trip.
 */
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
