import { eq, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { emailPreferences, users } from "~/db/schema";
import type { EmailPreferences, MailTopic } from "./email-preferences";

/** Where a user's mails go: an address of their own that is confirmed, otherwise Spotify's. */
export const contactAddress = sql<string | null>`coalesce(${users.ownEmail}, ${users.email})`;

/** The statement that reads a user's e-mail preferences. */
export function selectEmailPreferences(db: Database, userId: string) {
  return db
    .select({
      address: contactAddress.as("address"),
      ownAddress: users.ownEmail,
      // Without a row, mails are wanted (spec section 3, "Email preference").
      rating: sql<boolean>`coalesce(${emailPreferences.receiveRatingEmails}, 1)`
        .mapWith(Boolean)
        .as("rating"),
      subscription: sql<boolean>`coalesce(${emailPreferences.receiveSubscriptionEmails}, 1)`
        .mapWith(Boolean)
        .as("subscription"),
    })
    .from(users)
    .leftJoin(emailPreferences, eq(emailPreferences.userId, users.id))
    .where(eq(users.id, userId));
}

/** The preferences in the rows of `selectEmailPreferences`. There is no row if the user is gone. */
export function toEmailPreferences(
  rows: Awaited<ReturnType<typeof selectEmailPreferences>>,
): EmailPreferences {
  const { address = null, ownAddress = null, rating = true, subscription = true } = rows[0] ?? {};
  return { address, own: ownAddress !== null, rating, subscription };
}

const columnOf = {
  rating: "receiveRatingEmails",
  subscription: "receiveSubscriptionEmails",
} as const satisfies Record<MailTopic, string>;

/**
 * Saves whether a user wants the mails about a topic. Needs an address (spec section 5).
 * @param preference `now` is in epoch milliseconds.
 * @returns whether it was saved.
 */
export async function savePreference(
  db: Database,
  userId: string,
  { topic, wanted, now }: { topic: MailTopic; wanted: boolean; now: number },
): Promise<boolean> {
  const change = { [columnOf[topic]]: wanted, updatedAt: now };
  const saved = await insertSelect(db, emailPreferences, {
    row: { userId, ...change },
    from: sql`FROM users WHERE id = ${userId} AND ${contactAddress} IS NOT NULL`,
  })
    .onConflictDoUpdate({ target: emailPreferences.userId, set: change })
    .returning({ userId: emailPreferences.userId });
  return saved.length > 0;
}
