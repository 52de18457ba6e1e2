import { and, desc, eq } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { emailConfirmations } from "~/db/schema";
import type { MailSettingsView } from "~/domain/views";
import { isOpen } from "./address.server";
import { selectMailSettings } from "./preferences.server";

/** Where a user's mails go, which are wanted, and what waits for its confirmation. */
export async function loadMailSettings(
  db: Database,
  userId: string,
  now: number,
): Promise<MailSettingsView> {
  const [settings, waiting] = await db.batch([
    selectMailSettings(db, userId),
    db
      .select({ address: emailConfirmations.address })
      .from(emailConfirmations)
      .where(and(eq(emailConfirmations.userId, userId), isOpen(now)))
      .orderBy(desc(emailConfirmations.createdAt))
      .limit(1),
  ]);
  return { ...mailSettingsView(settings), waiting: waiting[0]?.address ?? null };
}

/** What the rows of `selectMailSettings` say; without a row, which is a user gone, no address. */
export function mailSettingsView(
  rows: Awaited<ReturnType<typeof selectMailSettings>>,
): Omit<MailSettingsView, "waiting"> {
  const { address = null, ownAddress = null, rating = true, subscription = true } = rows[0] ?? {};
  return { address, own: ownAddress !== null, rating, subscription };
}
