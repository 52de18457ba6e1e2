import { and, asc, desc, eq, lte, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { columnToTheMinute, toTheMinute } from "~/db/minute";
import { type Given, prepared } from "~/db/prepared";
import { ratings, songs, users } from "~/db/schema";
import { toldWait } from "~/domain/community/community";
import { selectCommunity, toCommunity } from "~/domain/community/community.server";
import type { EmailPreferences } from "~/domain/contact/email-preferences";
import {
  keepFingerprint,
  selectEmailPreferences,
  toEmailPreferences,
} from "~/domain/contact/email-preferences.server";
import { addressFingerprint } from "~/domain/contact/suppression.server";
import { isScore } from "~/domain/rating/scale";
import {
  selectViewer,
  touchIfDue,
  toViewer,
  type Viewer,
  viewerIdGiven,
} from "~/domain/session/viewer.server";
import { touchIntervalMs } from "~/domain/session/visit";
import type { TierConfig } from "~/domain/tiers/tiers";
import {
  beginning,
  dotsPerPanel,
  isCompleteSince,
  type ListPlace,
  linesPerPanel,
  lookAgain,
  placeText,
  type RatingsLooks,
  type SongRatingsPanel,
  songsPerPage,
} from "./received";

/** How many of a song's ratings a tier shows. */
export function mostVisible({ maxVisibleRatings }: TierConfig): number {
  return maxVisibleRatings < 0 ? Number.MAX_SAFE_INTEGER : maxVisibleRatings;
}

/**
 * The statement that reads the ratings of all of a user's songs that the tier shows, newest first.
 * Hidden ratings never leave the database (rule 5).
 */
export function selectVisibleRatings(db: Database, ownerId: string, config: TierConfig) {
  const ranked = db
    .select({
      songId: ratings.songId,
      score: ratings.score,
      reasons: ratings.reasons,
      inPlaylist: ratings.inPlaylist,
      at: ratings.createdAt,
      ratedAt: columnToTheMinute(ratings.createdAt).as("rated_at"),
      place: sql<number>`row_number() OVER (
        PARTITION BY ${ratings.songId} ORDER BY ${ratings.createdAt} DESC, ${ratings.id})`.as(
        "place",
      ),
    })
    .from(songs)
    .innerJoin(ratings, eq(ratings.songId, songs.id))
    .where(eq(songs.ownerId, ownerId))
    .as("ranked");
  return db
    .select()
    .from(ranked)
    .where(lte(ranked.place, mostVisible(config)))
    .orderBy(asc(ranked.place));
}

/**
 * The statement that reads the panels of some of the songs of a login's user, by their last activity. Of
 * each song's ratings it reads the newest ones, however many there are.
 */
function selectSongs(db: Database, given: Given, { where, limit }: { where: SQL; limit: number }) {
  return db
    .select({
      songId: songs.id,
      entitled: songs.entitled,
      received: songs.received,
      owed: songs.owed,
      resting: sql`${songs.restingSince} IS NOT NULL`.mapWith(Boolean).as("resting"),
      withdrawn: songs.withdrawn,
      takenOut: songs.takenOut,
      activeAt: songs.activeAt,
      newest: sql`(SELECT json_group_array(json_array(score, created_at)) FROM (
          SELECT score, created_at FROM ratings AS one WHERE one.song_id = songs.id
          ORDER BY created_at DESC, id LIMIT ${dotsPerPanel}))`
        .mapWith((text: string) => JSON.parse(text) as [score: number, at: number][])
        .as("newest"),
      title: songs.title,
      artists: songs.artists,
      artUrl: songs.artUrl,
      smallerArt: songs.smallerArt,
      spotifyUrl: songs.spotifyUrl,
    })
    .from(songs)
    .where(and(eq(songs.ownerId, viewerIdGiven(given)), where))
    .orderBy(desc(songs.activeAt), desc(songs.id))
    .limit(limit);
}

const selectPage = prepared((db, given) => {
  const where = sql`(${songs.activeAt}, ${songs.id}) < (${given("at")}, ${given("songId")})`;
  return selectSongs(db, given, { where, limit: songsPerPage + 1 });
});
const selectSong = prepared((db, given) =>
  selectSongs(db, given, { where: eq(songs.id, given("song")), limit: 1 }),
);
const selectMails = prepared((db, given) =>
  selectEmailPreferences(db, viewerIdGiven(given), sql`${users.addressFingerprint}`),
);

/** What "Ratings of my songs" shows. */
export interface ReceivedRatings {
  viewer: Viewer;
  panels: SongRatingsPanel[];
  mail: EmailPreferences;
  /** How long a song usually waits for its five ratings. */
  wait: string;
  /** Where the next page of the list begins; null if this is the last one. */
  next: string | null;
}

/** What of the list is asked for. */
export interface ListQuery {
  /** The list goes on after this place; null for its beginning. */
  after: ListPlace | null;
  /** A song that is shown wherever it stands in the list. */
  song: string | null;
}

/**
 * A page of "Ratings of my songs": the songs with news first, then those with the newest activity. One
 * round trip reads it. A second one records the session's activity and that the user has looked, and
 * works out what their address has unsubscribed from, where that is due.
 * @param options `secret` keys the address's fingerprint; `now` is in epoch milliseconds; `isActivity`
 *   is false for a page that reads its own data again.
 * @returns null if the session has ended.
 */
export async function ratingsOfOwnSongs(
  db: Database,
  sessionId: string,
  { after, song }: ListQuery,
  { secret, now, isActivity }: { secret: string; now: number; isActivity: boolean },
): Promise<ReceivedRatings | null> {
  const login = { sessionId, now };
  const { found, askedFor, ...read } = await runBatch(db, {
    viewer: selectViewer(db, login),
    found: selectPage(db, { ...login, ...(after ?? beginning) }),
    askedFor: selectSong(db, { ...login, song: song ?? "" }),
    mail: selectMails(db, login),
    community: selectCommunity(db),
  });
  const viewer = toViewer(read.viewer);
  if (!viewer) return null;
  const looks = isActivity ? lookAgain(viewer.ratingsLooks, now) : viewer.ratingsLooks;
  const seenAt = viewer.ratingsLooks.seenAt ?? 0;
  const page = found.slice(0, songsPerPage);
  const last = page.at(-1);
  const shown = page.some(({ songId }) => songId === song) ? page : [...askedFor, ...page];
  const drawn = new Set(
    isActivity ? shown.filter((one) => isCompleteSince(one, seenAt)).map((one) => one.songId) : [],
  );
  // What is drawn is drawn once.
  const isLookDue = isActivity && (now - seenAt >= touchIntervalMs || drawn.size > 0);
  const { userId, address } = viewer;
  const fingerprint =
    address !== null && viewer.addressFingerprint === null
      ? { address, fingerprint: await addressFingerprint(secret, address) }
      : null;
  const { mail = read.mail } = await runBatch(db, {
    mail: fingerprint && selectEmailPreferences(db, userId, fingerprint.fingerprint),
    fingerprint: fingerprint && keepFingerprint(db, { userId, ...fingerprint }),
    touch: touchIfDue(db, viewer.session, { now, isActivity }),
    looks: isLookDue ? keepLooks(db, userId, looks, now) : null,
  });

  // What the tier hides does not leave the server (rule 5).
  const visible = mostVisible(viewer.limits);
  const panels = shown.map(({ activeAt: _activeAt, newest, ...one }) => {
    const lines = newest.slice(0, visible).flatMap(([score, at]) => {
      const isNew = looks.newsSince !== null && at > looks.newsSince;
      return isScore(score) ? [{ score, ratedAt: toTheMinute(at), isNew }] : [];
    });
    return {
      ...one,
      scores: lines.map(({ score }) => score).sort((a, b) => a - b),
      lines: lines.slice(0, linesPerPanel),
      hidden: Math.max(0, one.received - visible),
      drawn: drawn.has(one.songId),
    };
  });
  return {
    viewer,
    panels: panels.toSorted((a, b) => newsRank(a) - newsRank(b)),
    mail: toEmailPreferences(mail),
    wait: toldWait(toCommunity(read.community)),
    next: found.length > songsPerPage && last ? placeText({ ...last, at: last.activeAt }) : null,
  };
}

/** The statement that records a look, unless a later one has been recorded. */
function keepLooks(db: Database, userId: string, looks: RatingsLooks, now: number) {
  return db
    .update(users)
    .set({ ratingsSeenAt: looks.seenAt, ratingsNewsSince: looks.newsSince })
    .where(
      and(eq(users.id, userId), or(sql`ratings_seen_at IS NULL`, lte(users.ratingsSeenAt, now))),
    );
}

/** Songs with news come first, and otherwise keep their order. */
function newsRank({ lines }: SongRatingsPanel): number {
  return lines.some(({ isNew }) => isNew) ? 0 : 1;
}
