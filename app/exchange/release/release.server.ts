import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { firstFailing, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { playlistScore } from "~/db/rules";
import { ratings, releases, releaseWishes, songs } from "~/db/schema";
import { takenOutText } from "~/exchange/rotation/room";
import { addressTexts, fingerprintOf, isSuppressed } from "~/mailing/suppression.server";
import type { Viewer } from "~/members/viewer.server";
import { lockReason } from "~/members/what-outlives.server";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import {
  type ReleaseView,
  readReleaseLink,
  releaseWaitMs,
  releaseWindowMs,
  serviceNames,
} from "./release-link";

const wishTexts = {
  notChosen:
    "You can be told once you have rated an artist's own recording “Added to my playlist!”, unless we have taken it out.",
  out: "This song is out already. You find its link among the songs you rated.",
  told: "We have already told you about this song.",
  ...addressTexts,
} as const;

const linkTexts = {
  unreadable: `Paste the song's https link at ${serviceNames.slice(0, -1).join(", ")} or ${serviceNames.at(-1)}.`,
  noSong: "This is not one of your own recordings.",
  locked: "You cannot give a link at the moment, because you cannot submit songs.",
} as const;

/** The key of the one mail that tells somebody of a song. */
function releaseMailKey(songId: SQL | string, userId: SQL | string): SQL<string> {
  return sql<string>`'release:' || ${songId} || ':' || ${userId}`;
}

/** What a rater sees of a song's release, for a query that has `ratings` and `songs`. */
export function releaseColumns(raterId: string | SQL<string>) {
  const isMailed = sql`SELECT 1 FROM outbox
    WHERE dedupe_key = ${releaseMailKey(sql`${songs.id}`, sql`${raterId}`)}`;
  return {
    releaseUrl: sql<string | null>`(SELECT url FROM releases
      WHERE releases.song_id = ${songs.id} AND ${songs.takenOut} IS NULL)`.as("release_url"),
    releaseWish: sql<"asked" | "can ask" | null>`CASE
      WHEN ${ratings.score} <> ${playlistScore} OR ${songs.trackId} IS NOT NULL
        OR ${songs.takenOut} IS NOT NULL THEN NULL
      WHEN EXISTS (SELECT 1 FROM release_wishes
        WHERE release_wishes.user_id = ${raterId} AND release_wishes.song_id = ${songs.id}) THEN 'asked'
      WHEN NOT EXISTS (${isMailed}) THEN 'can ask' END`.as("release_wish"),
  };
}

export function toReleaseView({
  releaseUrl,
  releaseWish,
}: {
  releaseUrl: string | null;
  releaseWish: "asked" | "can ask" | null;
}): ReleaseView {
  return releaseUrl === null ? releaseWish : readReleaseLink(releaseUrl);
}

/**
 * Records that a rater wants one mail once an own recording is out (rule 44, release), and notes it on a rating of the last
 * day, for the song's owner. Refuses where it is out, where they were told of it in the last thirty days, and where no
 * mail would reach them.
 */
export async function askForRelease(
  { db, secret, now }: DatabaseAndClock & { secret: string },
  { userId, address }: Viewer,
  songId: string,
): Promise<{ ok: true } | Rejection> {
  if (address === null) return reject(409, wishTexts.noAddress);
  const why = firstFailing({
    out: sql`NOT EXISTS (SELECT 1 FROM releases WHERE song_id = ${songId})`,
    told: sql`NOT EXISTS (SELECT 1 FROM outbox WHERE dedupe_key = ${releaseMailKey(songId, userId)})`,
    ended: sql`NOT ${isSuppressed(await fingerprintOf(secret, address), "songs")}`,
  });
  const isTheirs = sql`rater_id = ${userId} AND ratings.song_id = ${songId} AND score = ${playlistScore}`;
  const at = now();
  const {
    refused: [refused],
    wishes,
  } = await runBatch(db, {
    refused: db.select({ why: why.as("why") }).from(sql`(SELECT 1)`),
    wish: insertSelect(db, releaseWishes, {
      row: { userId, songId: sql`songs.id`, askedAt: at },
      from: sql`FROM ratings JOIN songs ON songs.id = ratings.song_id
        WHERE ${isTheirs} AND track_id IS NULL AND taken_out IS NULL AND ${why} IS NULL`,
    }).onConflictDoNothing(),
    wishes: db
      .select({ songId: releaseWishes.songId })
      .from(releaseWishes)
      .where(isWish(userId, songId)),
    rating: markRating(db, { userId, songId, wants: true, now: at }),
  });
  if (wishes.length > 0) return { ok: true };
  return reject(409, wishTexts[refused?.why ?? "notChosen"]);
}

/** Within a day of the rating its owner's count forgets it too; later that stays as it is. */
export async function endReleaseWish(
  { db, now }: DatabaseAndClock,
  { userId }: Viewer,
  songId: string,
): Promise<{ ok: true }> {
  await runBatch(db, {
    // Before the wish, so that only who has one changes the mark.
    rating: markRating(db, { userId, songId, wants: false, now: now() }),
    wish: db.delete(releaseWishes).where(isWish(userId, songId)),
  });
  return { ok: true };
}

function isWish(userId: string, songId: string) {
  return and(eq(releaseWishes.userId, userId), eq(releaseWishes.songId, songId));
}

function markRating(
  db: Database,
  { userId, songId, wants, now }: { userId: string; songId: string; wants: boolean; now: number },
) {
  return db
    .update(ratings)
    .set({ wantsRelease: wants })
    .where(
      and(
        eq(ratings.raterId, userId),
        eq(ratings.songId, songId),
        gt(ratings.createdAt, now - releaseWindowMs),
        sql`EXISTS (SELECT 1 FROM release_wishes WHERE user_id = ${userId} AND song_id = ${songId})`,
      ),
    );
}

/**
 * Says where an own recording is out (rule 44, release). The mails go an hour later, and a change within that hour begins it
 * anew; a later one changes the link alone. Refuses a link anywhere else, and one for a song that is taken out or whose
 * owner is locked.
 */
export async function giveRelease(
  { db, now }: DatabaseAndClock,
  { userId }: Viewer,
  { songId, link }: { songId: string; link: string },
): Promise<{ ok: true } | Rejection> {
  const read = readReleaseLink(link);
  if (!read) return reject(422, linkTexts.unreadable);
  const { url } = read;
  const at = now();
  const {
    own: [own],
    given,
  } = await runBatch(db, {
    own: selectOwn(db, userId, songId),
    given: insertSelect(db, releases, {
      row: { songId: sql`songs.id`, url, mailsAt: at + releaseWaitMs },
      from: sql`FROM songs WHERE ${isOwn(userId, songId)} AND taken_out IS NULL
        AND ${lockReason(userId)} IS NULL`,
    })
      .onConflictDoUpdate({
        target: releases.songId,
        set: {
          url: sql`excluded.url`,
          mailsAt: sql`iif(mails_at > ${at}, excluded.mails_at, mails_at)`,
        },
        setWhere: sql`releases.url <> excluded.url`,
      })
      .returning({ songId: releases.songId }),
  });
  if (!own) return reject(404, linkTexts.noSong);
  if (own.takenOut !== null) return reject(409, takenOutText(own.takenOut));
  if (own.locked !== null) return reject(409, linkTexts.locked);
  if (given.length > 0) logEvent("release_given");
  return { ok: true };
}

/** Takes the link back. Mails that are owed by then are not sent. */
export async function endRelease(
  db: Database,
  { userId }: Viewer,
  songId: string,
): Promise<{ ok: true } | Rejection> {
  const { own } = await runBatch(db, {
    own: selectOwn(db, userId, songId),
    ended: db
      .delete(releases)
      .where(sql`song_id = (SELECT id FROM songs WHERE ${isOwn(userId, songId)})`),
  });
  return own.length > 0 ? { ok: true } : reject(404, linkTexts.noSong);
}

function isOwn(userId: string, songId: string): SQL {
  return sql`songs.id = ${songId} AND songs.owner_id = ${userId} AND songs.track_id IS NULL`;
}

function selectOwn(db: Database, userId: string, songId: string) {
  return db
    .select({ takenOut: songs.takenOut, locked: lockReason(userId).as("locked") })
    .from(songs)
    .where(isOwn(userId, songId));
}

const wishesPerRun = 200;

/**
 * Owes the mail to those who asked to be told of songs that are out (rule 44, release), a portion a run. A batch owes mails and
 * deletes the same wishes, so that each is spent once. Songs that are taken out, and those of locked owners, wait.
 */
export async function mailReleases({
  db,
  mailQueue,
  now,
}: OwedMailServices & { now: number }): Promise<{ count: number }> {
  const due = sql`SELECT wish.user_id, wish.song_id
    FROM releases JOIN songs ON songs.id = releases.song_id
      JOIN release_wishes AS wish ON wish.song_id = releases.song_id
    WHERE mailed = 0 AND mails_at <= ${now} AND taken_out IS NULL
      AND NOT EXISTS (SELECT 1 FROM submission_locks WHERE submission_locks.user_id = songs.owner_id)
    ORDER BY mails_at, wish.song_id, wish.asked_at, wish.user_id LIMIT ${wishesPerRun}`;
  const { spent } = await runBatch(db, {
    mails: oweMail(
      { db, mailQueue },
      {
        id: sql`lower(hex(randomblob(16)))`,
        userId: sql`user_id`,
        kind: "release",
        subjectId: sql`song_id`,
        dedupeKey: releaseMailKey(sql`song_id`, sql`user_id`),
        now,
      },
      sql`FROM (${due})`,
    ),
    spent: db
      .delete(releaseWishes)
      .where(sql`(user_id, song_id) IN (${due})`)
      .returning({ songId: releaseWishes.songId }),
    done: db
      .update(releases)
      .set({ mailed: true })
      .where(
        sql`mailed = 0 AND mails_at <= ${now} AND NOT EXISTS (SELECT 1 FROM release_wishes
          WHERE release_wishes.song_id = releases.song_id)`,
      ),
  });
  return { count: spent.length };
}
