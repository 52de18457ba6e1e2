import { and, eq, gt } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { ratings } from "~/db/schema";
import type { Viewer } from "~/members/viewer.server";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { selectOwnRating } from "./own-rating.server";
import { reasonsWindowMs } from "./reasons";

/**
 * Writes the reasons of the viewer's rating of a song in place of earlier ones (rule 20), within 15
 * minutes of the rating.
 * @param options `bits` are the reasons as `reasonBits` writes them; 0 takes them back.
 */
export async function giveReasons(
  { db, now }: { db: Database; now(): number },
  { userId }: Viewer,
  { songId, bits }: { songId: string; bits: number },
): Promise<{ ok: true } | Rejection> {
  const {
    before: [before],
    given,
  } = await runBatch(db, {
    before: selectOwnRating(db, userId, songId),
    given: db
      .update(ratings)
      .set({ reasons: bits === 0 ? null : bits })
      .where(
        and(
          eq(ratings.raterId, userId),
          eq(ratings.songId, songId),
          gt(ratings.createdAt, now() - reasonsWindowMs),
        ),
      )
      .returning({ id: ratings.id }),
  });
  if (given.length === 0) {
    if (!before) return reject(404, "You have not rated this song.");
    return reject(409, "You can say why for 15 minutes after your rating. It counts either way.");
  }
  logEvent("reasons_given");
  return { ok: true };
}
