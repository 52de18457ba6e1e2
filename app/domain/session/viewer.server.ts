import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { sessions, subscriptions, users } from "~/db/schema";
import { subscriptionColumns } from "~/db/subscription-columns";
import { contactAddress } from "~/domain/contact/email-preferences.server";
import { type ResolvedTier, resolveTier, type TierConfig, tierConfigs } from "~/domain/tiers/tiers";
import { sessionLifetime } from "./lifetime";
import type { ViewerView } from "./views";
import { visitAt } from "./visit";

/** The logged-in user of a request, with the session of the request. */
export interface Viewer {
  userId: string;
  /** Spotify's key of the user's account there. */
  spotifyId: string;
  displayName: string;
  imageUrl: string | null;
  /** Where the user's mails go, if there is an address. */
  address: string | null;
  credits: number;
  ratedCount: number;
  submittedCount: number;
  subscription: ResolvedTier;
  limits: TierConfig;
  session: ViewerSession;
}

export interface ViewerSession {
  id: string;
  clientId: string;
  visit: number;
  slide: number;
  /** When the user logged in, epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds. */
  lastSeenAt: number;
  /** Both tokens are encrypted. */
  accessToken: string;
  refreshToken: string;
  /** Epoch milliseconds. */
  tokenExpiresAt: number;
}

/** The statement that reads a session's viewer; no row if the session has ended. */
export function selectViewer(db: Database, sessionId: string, now: number) {
  return db
    .select({
      userId: users.id,
      spotifyId: users.spotifyId,
      displayName: users.displayName,
      imageUrl: users.imageUrl,
      address: contactAddress.as("contact_address"),
      credits: users.credits,
      ratedCount: users.ratedCount,
      submittedCount: users.submittedCount,
      ...subscriptionColumns,
      sessionId: sql<string>`${sessions.id}`.as("session_id"),
      clientId: sessions.clientId,
      visit: sessions.visit,
      slide: sessions.slide,
      loggedInAt: sql<number>`${sessions.createdAt}`.as("logged_in_at"),
      lastSeenAt: sessions.lastSeenAt,
      accessToken: sessions.accessToken,
      refreshToken: sessions.refreshToken,
      tokenExpiresAt: sessions.tokenExpiresAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(and(eq(sessions.id, sessionId), gt(sessions.expiresAt, now)));
}

type ViewerRow = Awaited<ReturnType<typeof selectViewer>>[number];

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
    credits: row.credits,
    ratedCount: row.ratedCount,
    submittedCount: row.submittedCount,
    subscription: tier,
    limits: tierConfigs[tier.tier],
    session: {
      id: row.sessionId,
      clientId: row.clientId,
      visit: row.visit,
      slide: row.slide,
      createdAt: row.loggedInAt,
      lastSeenAt: row.lastSeenAt,
      accessToken: row.accessToken,
      refreshToken: row.refreshToken,
      tokenExpiresAt: row.tokenExpiresAt,
    },
  };
}

/** The subscription from a row that was joined with `subscriptions`, for `resolveTier`. */
export function toSubscriptionRecord(
  row: Pick<ViewerRow, "status" | "tier" | "subscriptionId" | "startedAt" | "cancelAt">,
): Parameters<typeof resolveTier>[0] {
  const { status, tier, subscriptionId, startedAt, cancelAt } = row;
  if (status === null || tier === null) return null;
  // A tier that another version of the product wrote must not break every request of its user.
  if (!Object.hasOwn(tierConfigs, tier)) return "unreadable";
  return { status, tier, subscriptionId, startedAt, cancelAt };
}

/** The viewer of a session, in one round trip; null without a session. */
export async function loadViewer(db: Database, sessionId: string | null, now: number) {
  if (!sessionId) return null;
  return toViewer(await selectViewer(db, sessionId, now));
}

/** The viewer as screens show them. */
export function viewerView(viewer: Viewer): ViewerView {
  const { displayName, imageUrl } = viewer;
  const { tier, subscriptionStatus, cancelAt, showPaymentWarning } = viewer.subscription;
  return {
    displayName,
    imageUrl,
    subscription: { tier, subscriptionStatus, cancelAt, showPaymentWarning },
  };
}

/**
 * The user id of a session as a value inside other statements, so that a page reads the viewer and the
 * viewer's data in one round trip. Without a login it is NULL, which matches nothing.
 */
export function viewerIdOf(sessionId: string, now: number): SQL<string> {
  return sql<string>`(SELECT user_id FROM sessions WHERE id = ${sessionId} AND expires_at > ${now})`;
}

/**
 * The statement that records the viewer's activity, which makes the session last longer; null if it was
 * recorded just before. Conditional on what was read, so that of two concurrent requests only one moves
 * the visit counter.
 */
export function touchSession(db: Database, session: ViewerSession, now: number) {
  const change = visitAt(session, now);
  if (!change) return null;
  return db
    .update(sessions)
    .set({
      ...change,
      expiresAt: sql`min(created_at + ${sessionLifetime.absoluteMs}, ${now + sessionLifetime.idleMs})`,
    })
    .where(and(eq(sessions.id, session.id), eq(sessions.lastSeenAt, session.lastSeenAt)));
}
