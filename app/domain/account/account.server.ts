import type { Database } from "~/db/client.server";
import type { EmailPreferences } from "~/domain/contact/email-preferences";
import { selectEmailPreferences, toEmailPreferences } from "~/domain/contact/settings.server";
import { selectSessions, sessionViews } from "~/domain/session/sessions.server";
import type { Viewer } from "~/domain/session/viewer.server";
import type { SessionView } from "~/domain/session/views";

/** What the account page shows besides the viewer, in one round trip. */
export async function loadAccount(
  db: Database,
  viewer: Viewer,
  now: number,
): Promise<{ mail: EmailPreferences; sessions: SessionView[] }> {
  const { userId, session } = viewer;
  const [settings, waiting, sessions] = await db.batch([
    ...selectEmailPreferences(db, userId, now),
    selectSessions(db, userId, now),
  ]);
  return {
    mail: toEmailPreferences(settings, waiting),
    sessions: sessionViews(sessions, session.id),
  };
}
