import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { emailPreferences, mailSuppressions, outbox, users } from "~/db/schema";
import { settlesAt } from "~/db/settled";
import { contactAddress } from "~/members/contact-address";
import type { OwedMailServices } from "~/outbox/owe-mail.server";
import { heldAt } from "~/outbox/retry";
import { type Rejection, reject } from "~/platform/rejection";
import type { EmailPreferences, RatingMailRhythm, SwitchedTopic } from "./email-preferences";
import {
  addressTexts,
  fingerprintOf,
  isSuppressed,
  type SuppressedTopic,
  toSuppressed,
} from "./suppression.server";

const noAddressText = "We have no e-mail address for you yet. Add one first.";

/** The condition that a user wants mails about their songs; without a row they are wanted (rule 32, rating mails). */
export function wantsRatingMails(userId: string | SQL): SQL<boolean> {
  return sql<boolean>`coalesce((SELECT receive_rating_emails FROM email_preferences
    WHERE user_id = ${userId}), 1)`;
}

export function selectEmailPreferences(
  db: Database,
  userId: string | SQL<string>,
  fingerprint: string | SQL<string> | null,
) {
  return db
    .select({
      address: contactAddress.as("address"),
      ownAddress: users.ownEmail,
      spotifyAddress: users.email,
      // Without a row, mails are wanted (rule 32, rating mails).
      rating: asBoolean(sql`coalesce(${emailPreferences.receiveRatingEmails}, 1)`, "rating"),
      subscription: asBoolean(
        sql`coalesce(${emailPreferences.receiveSubscriptionEmails}, 1)`,
        "subscription",
      ),
      rhythm: sql<RatingMailRhythm>`coalesce(${emailPreferences.ratingMailRhythm}, 'each')`.as(
        "rhythm",
      ),
      ended: sql`(SELECT json_group_array(${mailSuppressions.topic}) FROM ${mailSuppressions}
          WHERE ${mailSuppressions.fingerprint} = ${fingerprint})`
        .mapWith((topics: string) => JSON.parse(topics) as SuppressedTopic[])
        .as("ended"),
    })
    .from(users)
    .leftJoin(emailPreferences, eq(emailPreferences.userId, users.id))
    .where(eq(users.id, userId));
}

export function keepFingerprint(
  db: Database,
  { userId, address, fingerprint }: { userId: string; address: string; fingerprint: string },
) {
  return db
    .update(users)
    .set({ addressFingerprint: fingerprint })
    .where(and(eq(users.id, userId), eq(contactAddress, address)));
}

export function toEmailPreferences(
  rows: Awaited<ReturnType<typeof selectEmailPreferences>>,
): EmailPreferences {
  const {
    address = null,
    ownAddress = null,
    rating = true,
    subscription = true,
    rhythm = "each",
    ended = [],
  } = rows[0] ?? {};
  const own = ownAddress !== null;
  return { address, own, rating, subscription, rhythm, ...toSuppressed(ended) };
}

export interface PreferenceChange {
  receiveRatingEmails?: boolean | undefined;
  receiveSubscriptionEmails?: boolean | undefined;
  ratingMailRhythm?: RatingMailRhythm | undefined;
}

/**
 * Saves which mails a user wants, and how often. Rejects without an address, and switching on what the
 * address has unsubscribed from. A new rhythm also moves the ratings that are gathering already. Null once
 * saved.
 */
export async function savePreferences(
  { db, mailQueue, secret, now }: OwedMailServices & { secret: string; now: number },
  { userId, address }: { userId: string; address: string | null },
  wishes: PreferenceChange,
): Promise<Rejection | null> {
  const fingerprint = await fingerprintOf(secret, address);
  const { receiveRatingEmails, receiveSubscriptionEmails, ratingMailRhythm: rhythm } = wishes;
  const wanted: SwitchedTopic[] = [
    ...(receiveRatingEmails ? ["rating" as const] : []),
    ...(receiveSubscriptionEmails ? ["subscription" as const] : []),
  ];
  const isPossible = and(
    sql`${users.id} = ${userId} AND ${contactAddress} IS NOT NULL`,
    ...wanted.map((topic) => sql`NOT ${isSuppressed(fingerprint, topic)}`),
  );
  const change = { ...wishes, updatedAt: now };
  const save = insertSelect(db, emailPreferences, {
    row: { userId, ...change },
    from: sql`FROM users WHERE ${isPossible}`,
  })
    .onConflictDoUpdate({ target: emailPreferences.userId, set: change })
    .returning({ userId: emailPreferences.userId });
  const { gathered: gathering = [], saved } = await runBatch(db, {
    gathered: rhythm ? moveGathered(db, { userId, now }, rhythm, isPossible) : null,
    saved: save,
  });
  if (saved.length === 0) {
    return reject(409, address === null ? noAddressText : addressTexts.ended);
  }
  // One message for each time is enough, because the consumer takes along the others. What is held is left to
  // the rating that completes it.
  const times = new Map(gathering.map(({ id, notBefore }) => [notBefore, id]));
  times.delete(heldAt);
  for (const [notBefore, id] of times) mailQueue.enqueue(id, notBefore - now);
  return null;
}

/** Moves gathering ratings to the time of another rhythm, before it is saved. Those that are due stay due. */
function moveGathered(
  db: Database,
  { userId, now }: { userId: string; now: number },
  rhythm: RatingMailRhythm,
  only: SQL | undefined,
) {
  const isOpen = sql`(SELECT NOT sealed FROM ratings WHERE ratings.id = subject_id)`;
  const at = sql<number>`max(${settlesAt(sql`created_at`)}, ${now})`;
  return db
    .update(outbox)
    .set({
      notBefore: sql`iif(${isComplete(sql`subject_id`)} OR ${rhythm === "each" ? isOpen : sql`0`}, ${at}, ${heldAt})`,
    })
    .where(
      sql`${outbox.userId} = ${userId} AND ${outbox.kind} = 'rating' AND ${outbox.state} = 'pending'
        AND ${outbox.mailId} IS NULL AND ${outbox.notBefore} > ${now}
        AND coalesce((SELECT rating_mail_rhythm FROM email_preferences WHERE user_id = ${userId}),
              'each') <> ${rhythm}
        AND EXISTS (SELECT 1 FROM users WHERE ${only})`,
    )
    .returning({ id: outbox.id, notBefore: outbox.notBefore });
}

/** The condition that the submission which a rating belongs to has all its ratings. */
export function isComplete(ratingId: SQL): SQL<boolean> {
  return sql<boolean>`EXISTS (SELECT 1 FROM ratings AS its
    JOIN submissions ON submissions.song_id = its.song_id AND completed_at >= its.created_at
    WHERE its.id = ${ratingId})`;
}

/** Makes the held ratings of a song due with the rating that completes their submission. */
export function releaseHeld(
  db: Database,
  { songId, ownerId, at }: { songId: string; ownerId: string; at: number },
) {
  return db
    .update(outbox)
    .set({ notBefore: at })
    .where(
      sql`${outbox.userId} = ${ownerId} AND ${outbox.kind} = 'rating' AND ${outbox.state} = 'pending' AND ${outbox.mailId} IS NULL
        AND ${outbox.notBefore} = ${heldAt}
        AND EXISTS (SELECT 1 FROM ratings WHERE id = subject_id AND song_id = ${songId})
        AND ${isComplete(sql`subject_id`)}`,
    );
}
