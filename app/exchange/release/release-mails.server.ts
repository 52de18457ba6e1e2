import { sql } from "drizzle-orm";
import { runBatch } from "~/db/gated";
import { releases, releaseWishes } from "~/db/schema";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { releaseMailKey } from "./release.server";

const wishesPerRun = 200;

/**
 * Owes the mail to those who asked to be told of songs that are out (rule 44), a portion a run. A batch owes mails and
 * deletes the same wishes, so that each is spent once. Songs that are taken out, and those of locked owners, wait.
 */
export async function mailReleases({
  db,
  mailQueue,
  now,
}: OwedMailServices & { now: number }): Promise<{ count: number }> {
  const due = sql`SELECT wish.user_id, wish.song_id
    FROM releases JOIN songs ON songs.id = releases.song_id
      JOIN release_wishes AS wish ON wish.song_id = releases.song_id
    WHERE mailed = 0 AND mails_at <= ${now} AND taken_out IS NULL
      AND NOT EXISTS (SELECT 1 FROM submission_locks WHERE submission_locks.user_id = songs.owner_id)
    ORDER BY mails_at, wish.song_id, wish.asked_at, wish.user_id LIMIT ${wishesPerRun}`;
  const { spent } = await runBatch(db, {
    mails: oweMail(
      { db, mailQueue },
      {
        id: sql`lower(hex(randomblob(16)))`,
        userId: sql`user_id`,
        kind: "release",
        subjectId: sql`song_id`,
        dedupeKey: releaseMailKey(sql`song_id`, sql`user_id`),
        now,
      },
      sql`FROM (${due})`,
    ),
    spent: db
      .delete(releaseWishes)
      .where(sql`(user_id, song_id) IN (${due})`)
      .returning({ songId: releaseWishes.songId }),
    done: db
      .update(releases)
      .set({ mailed: true })
      .where(
        sql`mailed = 0 AND mails_at <= ${now} AND NOT EXISTS (SELECT 1 FROM release_wishes
          WHERE release_wishes.song_id = releases.song_id)`,
      ),
  });
  return { count: spent.length };
}
