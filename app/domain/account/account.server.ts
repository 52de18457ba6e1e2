import type { Database } from "~/db/client.server";
import { selectWaitingAddress } from "~/domain/contact/address.server";
import type { AccountEmail } from "~/domain/contact/email-preferences";
import {
  selectEmailPreferences,
  toEmailPreferences,
} from "~/domain/contact/email-preferences.server";
import { selectSessions, sessionViews } from "~/domain/session/sessions.server";
import type { Viewer } from "~/domain/session/viewer.server";
import type { SessionView } from "~/domain/session/views";

/** What the account page shows besides the viewer, in one round trip. */
export async function loadAccount(
  db: Database,
  viewer: Viewer,
  now: number,
): Promise<{ mail: AccountEmail; sessions: SessionView[] }> {
  const { userId, session } = viewer;
  const [preferences, waiting, sessions] = await db.batch([
    selectEmailPreferences(db, userId),
    selectWaitingAddress(db, userId, now),
    selectSessions(db, userId, now),
  ]);
  return {
    mail: { ...toEmailPreferences(preferences), waiting: waiting[0]?.address ?? null },
    sessions: sessionViews(sessions, session.id),
  };
}
