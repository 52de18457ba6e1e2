import { and, desc, eq } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { emailConfirmations } from "~/db/schema";
import { isOpen } from "./address.server";
import type { EmailPreferences } from "./email-preferences";
import { selectMailSettings } from "./preferences.server";

/**
 * The statements that read where a user's mails go, which are wanted, and what waits for its
 * confirmation.
 */
export function selectEmailPreferences(db: Database, userId: string, now: number) {
  return [
    selectMailSettings(db, userId),
    db
      .select({ address: emailConfirmations.address })
      .from(emailConfirmations)
      .where(and(eq(emailConfirmations.userId, userId), isOpen(now)))
      .orderBy(desc(emailConfirmations.createdAt))
      .limit(1),
  ] as const;
}

/** What the rows of `selectMailPage` say. */
export function toEmailPreferences(
  settings: Awaited<ReturnType<typeof selectMailSettings>>,
  waiting: { address: string }[],
): EmailPreferences {
  return { ...toMailSettings(settings), waiting: waiting[0]?.address ?? null };
}

/** What the rows of `selectMailSettings` say; without a row, which is a user gone, no address. */
export function toMailSettings(
  rows: Awaited<ReturnType<typeof selectMailSettings>>,
): Omit<EmailPreferences, "waiting"> {
  const { address = null, ownAddress = null, rating = true, subscription = true } = rows[0] ?? {};
  return { address, own: ownAddress !== null, rating, subscription };
}
