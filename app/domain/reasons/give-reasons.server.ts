import { and, eq, gt, isNull } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { ratings } from "~/db/schema";
import { selectOwnRating } from "~/domain/rating/own-rating.server";
import { type Refusal, refuse } from "~/domain/refusal";
import type { Viewer } from "~/domain/session/viewer.server";
import { logEvent } from "~/platform/log";
import { reasonsWindowMs } from "./reasons";

/**
 * Adds the reasons to the viewer's rating of a song (rule 20): once, within 15 minutes of the
 * rating. Of any number of concurrent requests exactly one succeeds.
 * @param options `bits` are the reasons as `reasonBits` writes them.
 */
export async function giveReasons(
  { db, now }: { db: Database; now(): number },
  { userId }: Viewer,
  { songId, bits }: { songId: string; bits: number },
): Promise<{ ok: true } | Refusal> {
  const {
    before: [before],
    given,
  } = await runBatch(db, {
    before: selectOwnRating(db, userId, songId),
    given: db
      .update(ratings)
      .set({ reasons: bits })
      .where(
        and(
          eq(ratings.raterId, userId),
          eq(ratings.songId, songId),
          isNull(ratings.reasons),
          gt(ratings.createdAt, now() - reasonsWindowMs),
        ),
      )
      .returning({ id: ratings.id }),
  });
  if (given.length === 0) {
    if (!before) return refuse(404, "You have not rated this song.");
    if (before.reasons !== null) return refuse(409, "You have already said why. That stays.");
    return refuse(409, "You can say why within 15 minutes of your rating. It counts without, too.");
  }
  logEvent("reasons_given");
  return { ok: true };
}
