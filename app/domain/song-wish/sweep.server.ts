import { eq, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { songWishes, subscriptions, users } from "~/db/schema";
import { subscriptionColumns } from "~/db/subscription-columns";
import type { MailQueue } from "~/domain/owed-mail/mail-queue.server";
import { oweMail } from "~/domain/owed-mail/owe-mail.server";
import { openPool, selectPool } from "~/domain/pool/pool.server";
import { toSubscriptionRecord } from "~/domain/session/viewer.server";
import { resolveTier, tierConfigs } from "~/domain/tiers/tiers";
import { areSongsBack } from "./patience";

/**
 * Wishes looked after in a run. Each costs what a carousel costs, under a thousand rows, so that a run
 * reads under 25,000 however many wishes there are.
 */
const wishesPerRun = 25;

/** What the sweep works with. */
export interface SweepServices {
  db: Database;
  mailQueue: MailQueue;
  /** Opens what is remembered of an account that the user has deleted. */
  secret: string;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * Owes the mail to those who have asked for one when there are songs to rate again, where there are.
 * A run takes the wishes that were looked after longest ago and puts them at the end before it looks,
 * so that neither an empty pool nor a fault keeps others waiting. The batch that owes a mail spends the
 * wish, and owes it only if the wish is still there: of two runs at once, one does. Three round trips.
 * @returns how many were looked after, and how many mails are owed.
 */
export async function sweepSongWishes({
  db,
  mailQueue,
  secret,
  now,
}: SweepServices): Promise<{ looked: number; mails: number }> {
  const wishes = await db
    .update(songWishes)
    .set({ lookedAt: now })
    .where(
      sql`id IN (SELECT id FROM song_wishes WHERE looked_at < ${now}
        ORDER BY looked_at, id LIMIT ${wishesPerRun})`,
    )
    .returning({
      id: songWishes.id,
      userId: songWishes.userId,
      foundSince: songWishes.foundSince,
    });
  if (wishes.length === 0) return { looked: 0, mails: 0 };

  const [members, ...pools] = await db.batch([
    selectMembers(
      db,
      wishes.map(({ userId }) => userId),
    ),
    ...wishes.map(({ userId }) => selectPool(db, userId)),
  ]);
  const memberOf = new Map(members.map((member) => [member.userId, member]));
  const due: { wishId: string; userId: string; mailId: string }[] = [];
  const waiting: string[] = [];
  const without: string[] = [];
  for (const [index, { id, userId, foundSince }] of wishes.entries()) {
    const member = memberOf.get(userId);
    if (!member) continue;
    const { eligible } = await openPool(pools[index] ?? [], member, { secret, now });
    const { packageSize } = tierConfigs[resolveTier(toSubscriptionRecord(member)).tier];
    const found = { songs: eligible.length, since: foundSince ?? now };
    if (areSongsBack(found, packageSize, now)) {
      due.push({ wishId: id, userId, mailId: crypto.randomUUID() });
    } else {
      (eligible.length > 0 ? waiting : without).push(id);
    }
  }

  const [, , ...results] = await db.batch([
    db
      .update(songWishes)
      .set({ foundSince: sql`coalesce(found_since, ${now})` })
      .where(isOneOf(waiting)),
    db.update(songWishes).set({ foundSince: null }).where(isOneOf(without)),
    ...due.flatMap(({ wishId, userId, mailId }) => [
      oweMail(
        db,
        { id: mailId, userId, kind: "songs_again", subjectId: wishId, now },
        sql`FROM song_wishes WHERE id = ${wishId}`,
      ),
      db.delete(songWishes).where(eq(songWishes.id, wishId)).returning({ id: songWishes.id }),
    ]),
  ]);
  const owed = due.filter((_, index) => (results[index * 2]?.length ?? 0) > 0);
  for (const { mailId } of owed) mailQueue.enqueue(mailId);
  return { looked: wishes.length, mails: owed.length };
}

/** What a pool is opened with, and what the size of a package follows from. */
function selectMembers(db: Database, userIds: string[]) {
  return db
    .select({ userId: users.id, spotifyId: users.spotifyId, ...subscriptionColumns })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(sql`${users.id} IN ${listOf(userIds)}`);
}

function isOneOf(wishIds: string[]) {
  return sql`id IN ${listOf(wishIds)}`;
}

function listOf(ids: string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}
