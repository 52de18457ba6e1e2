import { eq, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { emailPreferences, users } from "~/db/schema";
import type { MailTopic } from "./topics";

/** Where a user's mails go: an address of their own, confirmed, else the one Spotify gave. */
export const addressOf = sql<string | null>`coalesce(${users.ownEmail}, ${users.email})`;

/** The statement that reads where a user's mails go and which of them are wanted. */
export function selectMailSettings(db: Database, userId: string) {
  return db
    .select({
      address: addressOf.as("address"),
      ownAddress: users.ownEmail,
      // Absent means yes (spec section 3, "Email preference").
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

/**
 * Writes down whether a user wants the mails on a topic. Needs an address (spec section 5).
 * @returns whether it was written.
 */
export async function savePreference(
  db: Database,
  userId: string,
  topic: MailTopic,
  wanted: boolean,
  now: number,
): Promise<boolean> {
  const column = topic === "rating" ? "receiveRatingEmails" : "receiveSubscriptionEmails";
  const saved = await insertSelect(
    db,
    emailPreferences,
    { userId, [column]: wanted, updatedAt: now },
    sql`FROM users WHERE id = ${userId} AND ${addressOf} IS NOT NULL`,
  )
    .onConflictDoUpdate({
      target: emailPreferences.userId,
      set: { [column]: wanted, updatedAt: now },
    })
    .returning({ userId: emailPreferences.userId });
  return saved.length > 0;
}
