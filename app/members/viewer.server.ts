import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { type Param, prepared, type RowsOf } from "~/db/prepared";
import { sessions, subscriptions, users } from "~/db/schema";
import { settlesAt } from "~/db/settled";
import { subscriptionColumns } from "~/db/subscription-columns";
import { contactAddress } from "~/members/contact-address";
import type { PremiumSale } from "~/platform/env";
import { hearsSpotify } from "./hearing";
import { sessionLifetime } from "./lifetime";
import { type SpotifyConnection, toConnection } from "./spotify-connection";
import { subscriptionView } from "./subscription-view";
import {
  type ResolvedTier,
  resolveTier,
  type SubscriptionRecord,
  type TierConfig,
  tierConfigOf,
  tierConfigs,
} from "./tiers";
import { mostNews, type ViewerView } from "./views";
import { sessionTouchMs, touchIntervalMs } from "./visit";
import { activeAt } from "./visit.server";

/** Unseen ratings, the songs of those that are settled, and one of these songs. */
interface NewsRow {
  unseen: number;
  songs: number;
  songId: string | null;
  title: string | null;
}

/** No row if the session has ended. */
export const selectViewer = prepared((db, param) =>
  db
    .select({
      user: {
        userId: users.id,
        spotifyId: users.spotifyId,
        ownEmail: users.ownEmail,
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
        hasRounds: asBoolean(
          sql`(EXISTS (SELECT 1 FROM round_members WHERE round_members.user_id = users.id)
            OR EXISTS (SELECT 1 FROM rounds WHERE rounds.host_id = users.id))`,
          "has_rounds",
        ),
      },
      // Few are read, however many songs have news.
      news: sql`(SELECT json_object('unseen', count(*), 'songs', total(settled),
          'songId', max(iif(settled, id, NULL)), 'title', max(iif(settled, title, NULL))) FROM (
          SELECT id, title, ${settlesAt(sql`news_since`)} <= ${param("now")} AS settled
          FROM songs INDEXED BY songs_with_news
          WHERE owner_id = users.id AND news_since IS NOT NULL LIMIT ${sql.raw(String(mostNews))}))`
        .mapWith((text: string) => JSON.parse(text) as NewsRow)
        .as("news"),
      ratingsLooks: { seenAt: users.ratingsSeenAt, newsSince: users.ratingsNewsSince },
      subscription: subscriptionColumns,
      session: {
        id: sql<string>`${sessions.id}`.as("session_id"),
        way: sessions.way,
        clientId: sessions.clientId,
        createdAt: sql<number>`${sessions.createdAt}`.as("logged_in_at"),
        /** Both are encrypted. */
        accessToken: sessions.accessToken,
        refreshToken: sessions.refreshToken,
        tokenExpiresAt: sessions.tokenExpiresAt,
        hasSpotifyPremium: sessions.hasSpotifyPremium,
        mayAddToPlaylists: sessions.mayAddToPlaylists,
        endedBySpotify: sessions.endedBySpotify,
      },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(and(eq(sessions.id, param("sessionId")), gt(sessions.expiresAt, param("now")))),
);

type ViewerRow = RowsOf<typeof selectViewer>[number];
type ViewerUser = ViewerRow["user"];
type SessionRow = ViewerRow["session"];

export interface ViewerSession
  extends Pick<SessionRow, "id" | "way" | "createdAt" | "endedBySpotify"> {
  /** Null where the session has no connection to Spotify. */
  spotify: SpotifyConnection | null;
}

export interface Viewer extends ViewerUser, Pick<ViewerRow, "ratingsLooks" | "news"> {
  session: ViewerSession;
  subscription: ResolvedTier;
  tierConfig: TierConfig;
}

/** Where no ratings are shown, it makes no difference whether premium is sold. */
export function toViewer([row]: ViewerRow[], sale: PremiumSale = "sold"): Viewer | null {
  if (!row) return null;
  const { user, session, subscription: record, ...looks } = row;
  const subscription = resolveTier(toSubscriptionRecord(record));
  return {
    ...user,
    ...looks,
    session: toViewerSession(session),
    subscription,
    tierConfig: tierConfigOf(subscription.tier, sale),
  };
}

function toViewerSession(row: SessionRow): ViewerSession {
  const { id, way, createdAt, endedBySpotify } = row;
  return { id, way, createdAt, endedBySpotify, spotify: toConnection(row) };
}

export function toSubscriptionRecord(
  row: { [Name in keyof SubscriptionRecord]: SubscriptionRecord[Name] | null } | null,
): SubscriptionRecord | "unreadable" | null {
  if (!row) return null;
  const { status, tier } = row;
  if (status === null || tier === null) return null;
  // A tier that another version of the product wrote must not break every request of its user.
  if (!Object.hasOwn(tierConfigs, tier)) return "unreadable";
  return { ...row, status, tier };
}

/** `isActivity` records activity of the session first. */
export async function loadViewer(
  db: Database,
  sessionId: string | null,
  { now, sale, isActivity = false }: { now: number; sale?: PremiumSale; isActivity?: boolean },
): Promise<Viewer | null> {
  if (!sessionId) return null;
  const { viewer } = await runBatch(db, {
    touch: isActivity ? touchSession(db, sessionId, now) : null,
    viewer: selectViewer(db, { sessionId, now }),
  });
  return toViewer(viewer, sale);
}

export function viewerView(viewer: Viewer, now = Date.now()): ViewerView {
  const { displayName, imageUrl, subscription, session, hasRounds } = viewer;
  const { songs, songId, title } = viewer.news;
  const only = songs === 1 && songId !== null && title !== null ? { songId, title } : null;
  return {
    hasRounds,
    displayName,
    imageUrl,
    subscription: subscriptionView(subscription, now),
    hasSpotify: session.spotify !== null,
    hearsSpotify: hearsSpotify(viewer),
    news: songs === 0 ? null : { songs, only },
  };
}

/**
 * The user id of a session as a value inside other statements, so that a page needs one round trip. NULL
 * without a login, which matches nothing.
 */
export function viewerIdOf(
  sessionId: string | SQL<string>,
  now: number | SQL<number>,
): SQL<string> {
  return sql<string>`(SELECT user_id FROM sessions WHERE id = ${sessionId} AND expires_at > ${now})`;
}

export function viewerIdGiven(param: Param): SQL<string> {
  return viewerIdOf(param("sessionId"), param("now"));
}

/**
 * Records activity of a session, which lasts longer for it, and of its user, whose visit counter moves on
 * after thirty minutes without any (rule 10, counters). Each does nothing if activity was just recorded, so that of two
 * concurrent requests only one moves the counter.
 */
export function touchSession(db: Database, sessionId: string, now: number) {
  return [
    db
      .update(users)
      .set(activeAt(now))
      .where(
        and(
          eq(users.id, viewerIdOf(sessionId, now)),
          lte(users.lastActiveAt, now - touchIntervalMs),
        ),
      ),
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
          lte(sessions.lastSeenAt, now - sessionTouchMs),
        ),
      ),
  ] as const;
}

/**
 * Nothing within a minute of the last record, so that most pages only read. A page that reads its own data
 * again is no activity.
 */
export function touchIfDue(
  db: Database,
  { session, lastActiveAt }: Pick<Viewer, "session" | "lastActiveAt">,
  { now, isActivity }: { now: number; isActivity: boolean },
) {
  const isDue = isActivity && now - lastActiveAt >= touchIntervalMs;
  return isDue ? touchSession(db, session.id, now) : [];
}
