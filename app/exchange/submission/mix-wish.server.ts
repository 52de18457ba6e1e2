import { eq, type SQL, sql } from "drizzle-orm";
import type { DatabaseAndClock } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { songs } from "~/db/schema";
import { addressTexts, fingerprintOf, isSuppressed } from "~/mailing/suppression.server";
import type { Viewer } from "~/members/viewer.server";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { type Rejection, reject } from "~/platform/rejection";
import { isReachedByAll, selectReach } from "./limits.server";

const wishTexts = {
  noSong: "This is not one of your own recordings.",
  ...addressTexts,
} as const;

/** Records that an owner wants one mail once there are listeners for a new mix (rule 27, songs that can be rated), or does not. */
export async function wishForListeners(
  { db, secret, now }: DatabaseAndClock & { secret: string },
  { userId, address }: Viewer,
  { songId, wanted }: { songId: string; wanted: boolean },
): Promise<{ ok: true } | Rejection> {
  if (wanted && address === null) return reject(409, wishTexts.noAddress);
  const isEnded = isSuppressed(await fingerprintOf(secret, address ?? ""), "songs");
  const isOwn = sql`id = ${songId} AND owner_id = ${userId} AND track_id IS NULL`;
  const { own, wished } = await runBatch(db, {
    own: db.select({ id: songs.id }).from(songs).where(isOwn),
    wished: db
      .update(songs)
      .set({ mixAskedAt: wanted ? now() : null })
      .where(sql`${isOwn} AND NOT (${wanted} AND ${isEnded})`)
      .returning({ id: songs.id }),
  });
  if (own.length === 0) return reject(404, wishTexts.noSong);
  return wished.length > 0 ? { ok: true } : reject(409, wishTexts.ended);
}

const wishesPerRun = 25;

/** Owes the mail to those for whose new mix there are listeners by now. Who is looked at goes to the end. */
export async function mailMixWishes({
  db,
  mailQueue,
  now,
}: OwedMailServices & { now: number }): Promise<{ looked: number; mails: number }> {
  const looked = await db
    .update(songs)
    .set({ mixAskedAt: now })
    .where(
      sql`id IN (SELECT id FROM songs WHERE mix_asked_at < ${now} ORDER BY mix_asked_at LIMIT ${wishesPerRun})`,
    )
    .returning({ id: songs.id, userId: songs.ownerId });
  if (looked.length === 0) return { looked: 0, mails: 0 };
  const { granted } = await runBatch(db, {
    granted: looked.map(({ id, userId }) => {
      const isDue: SQL = sql`id = ${id} AND mix_asked_at IS NOT NULL AND owed = 0 AND taken_out IS NULL
        AND NOT ${isReachedByAll(selectReach(db, sql`${id}`, now))}`;
      return {
        mail: oweMail(
          { db, mailQueue },
          {
            ...{ id: crypto.randomUUID(), userId, kind: "new_mix", subjectId: id, now },
            dedupeKey: `new_mix:${id}:${now}`,
          },
          sql`FROM songs WHERE ${isDue}`,
        ),
        wish: db
          .update(songs)
          .set({ mixAskedAt: null })
          .where(sql`${eq(songs.id, id)} AND EXISTS (SELECT 1 FROM outbox
            WHERE dedupe_key = ${`new_mix:${id}:${now}`})`),
      };
    }),
  });
  return { looked: looked.length, mails: granted.flatMap(({ mail }) => mail).length };
}
