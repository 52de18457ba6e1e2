import { and, desc, eq, isNotNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { columnToTheMinute, toTheMinute } from "~/db/minute";
import { type Param, prepared } from "~/db/prepared";
import { ratingsPerSubmission } from "~/db/rules";
import { ratings, songs, users } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import { toldWait, usuallyBy } from "~/exchange/community/community";
import { selectCommunity, toCommunity } from "~/exchange/community/community.server";
import { sealedRatings } from "~/exchange/pool/circle.server";
import { isScore } from "~/exchange/rating/scale";
import {
  keepFingerprint,
  selectEmailPreferences,
  toEmailPreferences,
} from "~/mailing/email-preferences.server";
import { addressFingerprint } from "~/mailing/suppression.server";
import type { TierConfig } from "~/members/tiers";
import { selectViewer, touchIfDue, toViewer, viewerIdGiven } from "~/members/viewer.server";
import { touchIntervalMs } from "~/members/visit";
import type { PremiumSale } from "~/platform/env";
import { counted } from "~/platform/text";
import { sourceOf } from "~/sources/song";
import { countLiked } from "./opinions";
import {
  beginning,
  type Cursor,
  dotsPerPanel,
  isCompleteSince,
  linesPerPanel,
  newestOfEach,
  placeText,
  type RatingsLooks,
  recordLook,
  type SongRatingsPanel,
  songsPerPage,
} from "./received";
import { shortVerdict } from "./sentences";

export function mostVisible({ maxVisibleRatings }: TierConfig): number {
  return maxVisibleRatings < 0 ? Number.MAX_SAFE_INTEGER : maxVisibleRatings;
}

/**
 * The mix of a song that a rating is for, by its time: a new one comes once the one before is owed nothing. Null for a
 * track.
 */
export function mixAt(ratedAt: SQL): SQL<string | null> {
  return sql<string | null>`iif(songs.track_id IS NULL, (SELECT hash FROM submissions
    JOIN recordings ON recordings.id = submissions.own_recording_id
    WHERE submissions.song_id = songs.id AND submissions.created_at <= ${ratedAt}
    ORDER BY number DESC LIMIT 1), NULL)`;
}

/** Newest first. Hidden and sealed ratings never leave the database (rules 5 and 46). */
export function selectVisibleRatings(db: Database, ownerId: string, config: TierConfig) {
  const ranked = db
    .select({
      songId: ratings.songId,
      score: ratings.score,
      reasons: ratings.reasons,
      inPlaylist: ratings.inPlaylist,
      wantsRelease: ratings.wantsRelease,
      at: ratings.createdAt,
      ratedAt: columnToTheMinute(ratings.createdAt).as("rated_at"),
      place: sql<number>`row_number() OVER (
        PARTITION BY ${ratings.songId}, ${mixAt(sql`ratings.created_at`)} ORDER BY ${ratings.createdAt} DESC, ${ratings.id})`.as(
        "place",
      ),
    })
    .from(songs)
    .innerJoin(ratings, eq(ratings.songId, songs.id))
    .where(and(eq(songs.ownerId, ownerId), eq(ratings.sealed, false)))
    .as("ranked");
  return db
    .select()
    .from(ranked)
    .where(lte(ranked.place, mostVisible(config)))
    .orderBy(desc(ranked.at));
}

/** By last activity. Reads only the newest ratings of each song, however many there are. */
function selectSongs(db: Database, param: Param, { where, limit }: { where: SQL; limit: number }) {
  return db
    .select({
      songId: songs.id,
      entitled: songs.entitled,
      received: songs.received,
      sealed: sealedRatings.as("sealed_ratings"),
      owed: songs.owed,
      resting: asBoolean(isNotNull(songs.restingSince), "resting"),
      withdrawn: songs.withdrawn,
      takenOut: songs.takenOut,
      activeAt: songs.activeAt,
      newsSince: songs.newsSince,
      newest: sql`(SELECT json_group_array(json_object('score', score, 'at', rated_at,
            'mix', ${mixAt(sql`rated_at`)})) FROM (
          SELECT score, created_at AS rated_at FROM ratings AS one WHERE one.song_id = songs.id AND one.sealed = 0
          ORDER BY created_at DESC, id LIMIT ${dotsPerPanel}))`
        .mapWith((text: string) => JSON.parse(text) as RatingOfMix[])
        .as("newest"),
      title: songs.title,
      artists: songs.artists,
      artUrl: songColumns.artUrl,
      smallerArt: songs.smallerArt,
      tint: songs.tint,
      waitsSince: sql<number | null>`(SELECT created_at FROM submissions AS one
        WHERE one.song_id = songs.id AND one.number = 1 + songs.received / ${sql.raw(String(ratingsPerSubmission))})`.as(
        "waits_since",
      ),
      spotifyUrl: songs.spotifyUrl,
      explicit: songs.explicit,
    })
    .from(songs)
    .where(and(eq(songs.ownerId, viewerIdGiven(param)), where))
    .orderBy(desc(songs.activeAt), desc(songs.id))
    .limit(limit);
}

const selectPage = prepared((db, param) => {
  const where = sql`(${songs.activeAt}, ${songs.id}) < (${param("at")}, ${param("songId")})`;
  return selectSongs(db, param, { where, limit: songsPerPage + 1 });
});
const selectSong = prepared((db, param) =>
  selectSongs(db, param, { where: eq(songs.id, param("song")), limit: 1 }),
);
const selectMails = prepared((db, param) =>
  selectEmailPreferences(db, viewerIdGiven(param), sql`${users.addressFingerprint}`),
);

interface RatingOfMix {
  score: number;
  at: number;
  mix: string | null;
}

export interface ListQuery {
  after: Cursor | null;
  song: string | null;
}

/**
 * A page of "Ratings of my songs": songs with news first, then by last activity. Null if the session has
 * ended. One round trip; a second one, when due, records the activity and the look.
 */
export async function ratingsOfOwnSongs(
  db: Database,
  sessionId: string,
  { after, song }: ListQuery,
  {
    secret,
    now,
    sale,
    isActivity,
  }: { secret: string; now: number; sale?: PremiumSale; isActivity: boolean },
) {
  const login = { sessionId, now };
  const { found, askedFor, ...read } = await runBatch(db, {
    viewer: selectViewer(db, login),
    found: selectPage(db, { ...login, ...(after ?? beginning) }),
    askedFor: selectSong(db, { ...login, song: song ?? "" }),
    mail: selectMails(db, login),
    community: selectCommunity(db),
  });
  const viewer = toViewer(read.viewer, sale);
  if (!viewer) return null;
  const looks = isActivity ? recordLook(viewer.ratingsLooks, now) : viewer.ratingsLooks;
  const seenAt = viewer.ratingsLooks.seenAt ?? 0;
  const page = found.slice(0, songsPerPage);
  const last = page.at(-1);
  const shown = page.some(({ songId }) => songId === song) ? page : [...askedFor, ...page];
  const drawn = new Set(
    isActivity ? shown.filter((one) => isCompleteSince(one, seenAt)).map((one) => one.songId) : [],
  );
  // Strokes are drawn once, so the next look must know of this one.
  const isLookDue = isActivity && (now - seenAt >= touchIntervalMs || drawn.size > 0);
  const news = isActivity ? shown.filter(({ newsSince }) => newsSince !== null) : [];
  const { userId, address } = viewer;
  const fingerprint =
    address !== null && viewer.addressFingerprint === null
      ? { address, fingerprint: await addressFingerprint(secret, address) }
      : null;
  const { mail = read.mail } = await runBatch(db, {
    mail: fingerprint && selectEmailPreferences(db, userId, fingerprint.fingerprint),
    fingerprint: fingerprint && keepFingerprint(db, { userId, ...fingerprint }),
    touch: touchIfDue(db, viewer, { now, isActivity }),
    looks: isLookDue ? writeLooks(db, userId, looks, now) : null,
    news: news.length > 0 ? seeNews(db, userId, asRead(news)) : null,
  });

  // Hidden ratings do not leave the server (rule 5, anonymity).
  const most = mostVisible(viewer.tierConfig);
  const communities = {
    spotify: toCommunity(read.community),
    files: toCommunity(read.community, "files"),
  };
  const panels = shown.map(
    ({ activeAt: _activeAt, newsSince: _newsSince, newest, waitsSince, ...one }) => {
      const shown = newestOfEach(newest, most);
      const lines = shown.flatMap(({ score, at }) => {
        const isNew = looks.newsSince !== null && at > looks.newsSince;
        return isScore(score) ? [{ score, ratedAt: toTheMinute(at), isNew }] : [];
      });
      const scores = lines.map(({ score }) => score).sort((a, b) => a - b);
      const open = one.received - one.sealed;
      const hidden = shown.length < newest.length ? open - shown.length : 0;
      return {
        ...one,
        scores,
        lines: lines.slice(0, linesPerPanel),
        hidden,
        said:
          one.entitled === 0
            ? "Only in rounds"
            : open - hidden > scores.length
              ? counted(one.received, "rating")
              : shortVerdict(countLiked(scores), one),
        usuallyBy:
          waitsSince === null || one.resting
            ? null
            : usuallyBy(communities[sourceOf(one)], waitsSince, now),
        drawn: drawn.has(one.songId),
      };
    },
  );
  return {
    viewer,
    panels: panels.toSorted((a, b) => newsRank(a) - newsRank(b)),
    mail: toEmailPreferences(mail),
    wait: toldWait(communities.spotify),
    waitOfOwn: toldWait(communities.files, "files"),
    next: found.length > songsPerPage && last ? placeText({ ...last, at: last.activeAt }) : null,
  };
}

function writeLooks(db: Database, userId: string, looks: RatingsLooks, now: number) {
  return db
    .update(users)
    .set({ ratingsSeenAt: looks.seenAt, ratingsNewsSince: looks.newsSince })
    .where(
      and(eq(users.id, userId), or(sql`ratings_seen_at IS NULL`, lte(users.ratingsSeenAt, now))),
    );
}

function newsRank({ lines }: SongRatingsPanel): number {
  return lines.some(({ isNew }) => isNew) ? 0 : 1;
}

/** The owner sees the ratings of these songs, which are no news any more. */
export function seeNews(db: Database, ownerId: string, which: SQL) {
  return db
    .update(songs)
    .set({ newsSince: null })
    .where(sql`${songs.ownerId} = ${ownerId} AND ${songs.newsSince} IS NOT NULL AND ${which}`);
}

/** A song that was rated again since it was read is not among them. */
function asRead(read: { songId: string; received: number }[]): SQL {
  const seen = JSON.stringify(read.map(({ songId, received }) => [songId, received]));
  return sql`(id, received) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${seen}))`;
}
