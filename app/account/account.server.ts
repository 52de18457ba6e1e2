import { eq } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { users } from "~/db/schema";
import { selectSongWish } from "~/exchange/carousel/empty-pool/empty-pool.server";
import { selectSessions, sessionViews } from "~/login/sessions.server";
import { selectWaitingAddress } from "~/mailing/address.server";
import type { AccountEmail } from "~/mailing/email-preferences";
import { selectEmailPreferences, toEmailPreferences } from "~/mailing/email-preferences.server";
import { fingerprintOf } from "~/mailing/suppression.server";
import type { Viewer } from "~/members/viewer.server";
import type { SessionView, WaysView } from "~/members/views";
import { type OwnRecordingView, ownRecordingView } from "~/sources/files/own-list";
import { selectOwnRecordings } from "~/sources/files/own-list.server";

/** The account page's data besides the viewer, in one round trip. */
export async function loadAccount(
  db: Database,
  { userId, address, spotifyId, session }: Viewer,
  { secret, now, spotifyOpen }: { secret: string; now: number; spotifyOpen: boolean },
): Promise<{
  ways: WaysView;
  mail: AccountEmail;
  sessions: SessionView[];
  recordings: OwnRecordingView[];
}> {
  const { names, preferences, waiting, sessions, wishes, recordings } = await runBatch(db, {
    names: db.select({ spotifyName: users.spotifyName }).from(users).where(eq(users.id, userId)),
    preferences: selectEmailPreferences(db, userId, await fingerprintOf(secret, address)),
    waiting: selectWaitingAddress(db, userId, now),
    sessions: selectSessions(db, userId, now),
    wishes: selectSongWish(db, userId),
    recordings: selectOwnRecordings(db, userId),
  });
  return {
    ways: {
      spotify: spotifyId && (names[0]?.spotifyName ?? spotifyId),
      connected: session.spotify !== null,
      spotifyOpen,
    },
    mail: {
      ...toEmailPreferences(preferences),
      spotifyAddress: preferences[0]?.spotifyAddress ?? null,
      waiting: waiting[0]?.address ?? null,
      waitingBounced: waiting[0]?.bounced ?? false,
      songMailAsked: wishes.length > 0,
    },
    sessions: await sessionViews(sessions, session.id),
    recordings: recordings.map(ownRecordingView),
  };
}
