import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { type Param, prepared, type RowsOf } from "~/db/prepared";
import { sessions, subscriptions, users } from "~/db/schema";
import { subscriptionColumns } from "~/db/subscription-columns";
import { contactAddress } from "./email-preferences.server";
import { sessionLifetime } from "./lifetime";
import { subscriptionView } from "./subscription-view";
import {
  type ResolvedTier,
  resolveTier,
  type SubscriptionRecord,
  type TierConfig,
  tierConfigs,
} from "./tiers";
import type { ViewerView } from "./views";
import { touchIntervalMs } from "./visit";
import { activeAt } from "./visit.server";

/** The logged-in user of a request, with the session of the request. */
export interface Viewer {
  userId: string;
  /** Spotify's id of the user's account there. */
  spotifyId: string;
  displayName: string;
  imageUrl: string | null;
  /** The address of the user's mails; null without one. */
  address: string | null;
  /** Fingerprint of that address (`mail_suppressions`); null until it has been computed. */
  addressFingerprint: string | null;
  credits: number;
  ratedCount: number;
  submittedCount: number;
  /** Positions in the two cycles of three (`visitAt`). */
  visit: number;
  slide: number;
  /** The last activity in any of their logins, epoch milliseconds. */
  lastActiveAt: number;
  /** Looks at the ratings of their songs, in epoch milliseconds; null if never (`users`). */
  ratingsLooks: { seenAt: number | null; newsSince: number | null };
  subscription: ResolvedTier;
  tierConfig: TierConfig;
  session: ViewerSession;
}

export interface ViewerSession {
  id: string;
  clientId: string;
  /** When the user logged in, epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds. */
  lastSeenAt: number;
  /** Both tokens are encrypted. */
  accessToken: string;
  refreshToken: string;
  /** Epoch milliseconds. */
  tokenExpiresAt: number;
  /** The account is Premium at Spotify; null if that is not known. */
  hasSpotifyPremium: boolean | null;
  /** The tokens of this login may read and change the user's playlists. */
  mayAddToPlaylists: boolean;
}

/** The statement that reads the viewer of `sessionId` at `now`; no row if the session has ended. */
export const selectViewer = prepared((db, param) =>
  db
    .select({
      userId: users.id,
      spotifyId: users.spotifyId,
      displayName: users.displayName,
      imageUrl: users.imageUrl,
      address: contactAddress.as("contact_address"),
      addressFingerprint: users.addressFingerprint,
      credits: users.credits,
      ratedCount: users.ratedCount,
      submittedCount: users.submittedCount,
      visit: users.visit,
      slide: users.slide,
      lastActiveAt: users.lastActiveAt,
      ratingsSeenAt: users.ratingsSeenAt,
      ratingsNewsSince: users.ratingsNewsSince,
      ...subscriptionColumns,
      sessionId: sql<string>`${sessions.id}`.as("session_id"),
      clientId: sessions.clientId,
      loggedInAt: sql<number>`${sessions.createdAt}`.as("logged_in_at"),
      lastSeenAt: sessions.lastSeenAt,
      accessToken: sessions.accessToken,
      refreshToken: sessions.refreshToken,
      tokenExpiresAt: sessions.tokenExpiresAt,
      hasSpotifyPremium: sessions.hasSpotifyPremium,
      mayAddToPlaylists: sessions.mayAddToPlaylists,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(and(eq(sessions.id, param("sessionId")), gt(sessions.expiresAt, param("now")))),
);

type ViewerRow = RowsOf<typeof selectViewer>[number];

/** The viewer from the rows of `selectViewer`, or null. */
export function toViewer(rows: ViewerRow[]): Viewer | null {
  const row = rows[0];
  if (!row) return null;
  const tier = resolveTier(toSubscriptionRecord(row));
  return {
    userId: row.userId,
    spotifyId: row.spotifyId,
    displayName: row.displayName,
    imageUrl: row.imageUrl,
    address: row.address,
    addressFingerprint: row.addressFingerprint,
    credits: row.credits,
    ratedCount: row.ratedCount,
    submittedCount: row.submittedCount,
    visit: row.visit,
    slide: row.slide,
    lastActiveAt: row.lastActiveAt,
    ratingsLooks: { seenAt: row.ratingsSeenAt, newsSince: row.ratingsNewsSince },
    subscription: tier,
    tierConfig: tierConfigs[tier.tier],
    session: {
      id: row.sessionId,
      clientId: row.clientId,
      createdAt: row.loggedInAt,
      lastSeenAt: row.lastSeenAt,
      accessToken: row.accessToken,
      refreshToken: row.refreshToken,
      tokenExpiresAt: row.tokenExpiresAt,
      hasSpotifyPremium: row.hasSpotifyPremium,
      mayAddToPlaylists: row.mayAddToPlaylists,
    },
  };
}

/** The subscription in a row that was joined with `subscriptions`, for `resolveTier`. */
export function toSubscriptionRecord(
  row: Pick<ViewerRow, keyof SubscriptionRecord>,
): Parameters<typeof resolveTier>[0] {
  const { status, tier, subscriptionId, startedAt, cancelAt } = row;
  const { renewsAt, price, failedAt, retryAt, endedAt } = row;
  if (status === null || tier === null) return null;
  // A tier that another version of the product wrote must not break every request of its user.
  if (!Object.hasOwn(tierConfigs, tier)) return "unreadable";
  const payment = { renewsAt, price, failedAt, retryAt, endedAt };
  return { status, tier, subscriptionId, startedAt, cancelAt, ...payment };
}

/**
 * The viewer of a session, in one round trip; null without a session.
 * @param options `isActivity` records activity of the session first; `now` is in epoch milliseconds.
 */
export async function loadViewer(
  db: Database,
  sessionId: string | null,
  { now, isActivity = false }: { now: number; isActivity?: boolean },
): Promise<Viewer | null> {
  if (!sessionId) return null;
  const { viewer } = await runBatch(db, {
    touch: isActivity ? touchSession(db, sessionId, now) : null,
    viewer: selectViewer(db, { sessionId, now }),
  });
  return toViewer(viewer);
}

/** The viewer as screens show them. @param now epoch milliseconds. */
export function viewerView(viewer: Viewer, now = Date.now()): ViewerView {
  const { displayName, imageUrl, subscription } = viewer;
  return { displayName, imageUrl, subscription: subscriptionView(subscription, now) };
}

/**
 * The user id of a session as a value inside other statements, so that a page reads the viewer and the
 * viewer's data in one round trip. Without a login it is NULL, which matches nothing.
 */
export function viewerIdOf(
  sessionId: string | SQL<string>,
  now: number | SQL<number>,
): SQL<string> {
  return sql<string>`(SELECT user_id FROM sessions WHERE id = ${sessionId} AND expires_at > ${now})`;
}

/** `viewerIdOf` for a prepared statement, from its values `sessionId` and `now`. */
export function viewerIdGiven(param: Param): SQL<string> {
  return viewerIdOf(param("sessionId"), param("now"));
}

/**
 * The statements that record activity, of a session, which lasts longer for it, and of its user, whose visit
 * counter moves on after thirty minutes without any (rule 10). Each does nothing if activity was recorded
 * just before or the session has ended, so that of two concurrent requests, in one login or in two, only one
 * moves the counter.
 */
export function touchSession(db: Database, sessionId: string, now: number) {
  const before = now - touchIntervalMs;
  return [
    db
      .update(users)
      .set(activeAt(now))
      .where(and(eq(users.id, viewerIdOf(sessionId, now)), lte(users.lastActiveAt, before))),
    db
      .update(sessions)
      .set({
        lastSeenAt: now,
        expiresAt: sql`min(created_at + ${sessionLifetime.absoluteMs}, ${now + sessionLifetime.idleMs})`,
      })
      .where(
        and(
          eq(sessions.id, sessionId),
          gt(sessions.expiresAt, now),
          lte(sessions.lastSeenAt, before),
        ),
      ),
  ] as const;
}

/**
 * The statements that record activity of a session that was read already; none within a minute of the last
 * record, so that most pages only read.
 * @param options `isActivity` is false for a page that reads its own data again.
 */
export function touchIfDue(
  db: Database,
  session: ViewerSession,
  { now, isActivity }: { now: number; isActivity: boolean },
) {
  const isDue = isActivity && now - session.lastSeenAt >= touchIntervalMs;
  return isDue ? touchSession(db, session.id, now) : [];
}
