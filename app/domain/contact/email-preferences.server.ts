import { eq, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { emailPreferences, users } from "~/db/schema";
import { type Refusal, refuse } from "~/domain/refusal";
import type { EmailPreferences, MailTopic, SwitchedTopic } from "./email-preferences";
import { fingerprintOf, isSuppressed, toSuppressed } from "./suppression.server";

const preferenceTexts = {
  noAddress: "There is no e-mail address to write to. Please give one first.",
  ended:
    "Your address has unsubscribed from these e-mails. Please confirm it by a mailed link first, on your account page.",
};

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

/**
 * The preferences in the rows of `selectEmailPreferences` and, for the same user's address, of
 * `selectSuppressed`. There is no row if the user is gone.
 */
export function toEmailPreferences(
  rows: Awaited<ReturnType<typeof selectEmailPreferences>>,
  suppressed: { topic: MailTopic }[],
): EmailPreferences {
  const { address = null, ownAddress = null, rating = true, subscription = true } = rows[0] ?? {};
  const ended = toSuppressed(suppressed);
  return { address, own: ownAddress !== null, rating, subscription, ended };
}

const columnOf = {
  rating: "receiveRatingEmails",
  subscription: "receiveSubscriptionEmails",
} as const satisfies Record<SwitchedTopic, string>;

/**
 * Saves whether a user wants the mails about a topic. Needs an address (spec section 5), and mails
 * that it has unsubscribed from cannot be switched on.
 * @param viewer the user, with the address that their mails go to.
 * @param preference `secret` keys the address's fingerprint; `now` is in epoch milliseconds.
 * @returns null once it is saved.
 */
export async function savePreference(
  db: Database,
  { userId, address }: { userId: string; address: string | null },
  preference: { topic: SwitchedTopic; wanted: boolean; secret: string; now: number },
): Promise<Refusal | null> {
  const { topic, wanted, secret, now } = preference;
  const isEnded = isSuppressed(await fingerprintOf(secret, address), topic);
  const isPossible = wanted ? sql`NOT ${isEnded}` : sql`true`;
  const change = { [columnOf[topic]]: wanted, updatedAt: now };
  const saved = await insertSelect(db, emailPreferences, {
    row: { userId, ...change },
    from: sql`FROM users WHERE id = ${userId} AND ${contactAddress} IS NOT NULL AND ${isPossible}`,
  })
    .onConflictDoUpdate({ target: emailPreferences.userId, set: change })
    .returning({ userId: emailPreferences.userId });
  if (saved.length > 0) return null;
  return refuse(409, address === null ? preferenceTexts.noAddress : preferenceTexts.ended);
}
