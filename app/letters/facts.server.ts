/** Facts that the mails of some outbox rows are made of. */
import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import {
  emailConfirmations,
  emailPreferences,
  operatorLog,
  outbox,
  ratings,
  songs,
  submissions,
  subscriptions,
  users,
} from "~/db/schema";
import { subscriptionColumns } from "~/db/subscription-columns";
import { isOpen } from "~/members/address.server";
import type { Suppressed, SwitchedTopic } from "~/members/email-preferences";
import { contactAddress } from "~/members/email-preferences.server";
import type { RatingMailRhythm } from "~/members/rating-mail-rhythm";
import { readSuppressed } from "~/members/suppression.server";
import { type ResolvedTier, resolveTier } from "~/members/tiers";
import { toSubscriptionRecord } from "~/members/viewer.server";
import { touchIntervalMs } from "~/members/visit";
import type { MailKind } from "~/outbox/owe-mail.server";
import { logEvent } from "~/platform/log";
import type { Decision } from "./decision-mail";
import type { RestingSong } from "./resting-mail";
import type { AddedSong } from "./submission-mail";

/** The facts of a mail that is about to be sent. */
export interface MailFacts extends Suppressed {
  /** When they were read, in epoch milliseconds. */
  readAt: number;
  kind: MailKind;
  displayName: string;
  /** The address of the user's mails; null without one. */
  address: string | null;
  /** The reader has confirmed that address. Nobody has confirmed one from Spotify. */
  confirmed: boolean;
  subscription: ResolvedTier;
  /** The mails that the user wants, and the rhythm of those about ratings. */
  wants: Record<SwitchedTopic, boolean> & { rhythm: RatingMailRhythm };
  /** The ratings that it reports, newest first. */
  ratings: RatingFacts[];
  /** The added song that it confirms. */
  addedSong: AddedSong | null;
  /** The resting song that it is about; null once it does not rest any more. */
  restingSong: RestingSong | null;
  /** Songs were drawn since the mail was owed, and the user was there then or later, to a minute. */
  drawnSince: boolean;
  /** The confirmation that it asks for; `open` while its link works. */
  confirmation: { id: string; address: string; open: boolean } | null;
  /** What the operator has decided, of which it tells. */
  decision: Decision | null;
}

/** A rating that a mail reports, and its song. */
export type RatingFacts = Omit<Awaited<ReturnType<typeof selectRatings>>[number], "mailId">;

/**
 * Reads the facts of some mails: in one round trip beside the one for the preferences, and then in another
 * for what the addresses have unsubscribed from. If that one fails, no mail is sent.
 * @param options `secret` keys the addresses' fingerprints; `now` is in epoch milliseconds.
 * @returns the facts by the mail's id, without mails whose user is gone.
 * @throws if one of them cannot be read.
 */
export async function readMailFacts(
  db: Database,
  mailIds: string[],
  { secret, now }: { secret: string; now: number },
): Promise<Map<string, MailFacts>> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(mailIds)}))`;
  const [preferences, { users, ratings, addedSongs, restingSongs, confirmations, decisions }] =
    await Promise.all([
      readPreferences(db, ids),
      runBatch(db, {
        users: selectUsers(db, ids),
        ratings: selectRatings(db, ids),
        addedSongs: selectAddedSongs(db, ids),
        restingSongs: selectRestingSongs(db, ids),
        confirmations: selectConfirmations(db, ids, now),
        decisions: selectDecisions(db, ids),
      }),
    ]);
  const addresses = users.flatMap(({ address }) => address ?? []);
  const suppressedAt = await readSuppressed(db, secret, addresses);
  return new Map(
    users.map(({ mailId, userId, ownAddress, ...user }) => [
      mailId,
      {
        readAt: now,
        kind: user.kind,
        displayName: user.displayName,
        address: user.address,
        drawnSince: user.drawnSince,
        confirmed: ownAddress !== null,
        subscription: resolveTier(toSubscriptionRecord(user)),
        wants: preferences.get(userId) ?? { rating: true, subscription: true, rhythm: "each" },
        ...suppressedAt(user.address),
        ratings: ratings.filter((one) => one.mailId === mailId),
        addedSong: addedSongs.find((one) => one.mailId === mailId) ?? null,
        restingSong: restingSongs.find((one) => one.mailId === mailId) ?? null,
        confirmation: confirmations.find((one) => one.mailId === mailId) ?? null,
        decision: toDecision(decisions.find((one) => one.mailId === mailId)),
      },
    ]),
  );
}

/**
 * Reads the stored preferences by user id. None if they cannot be read: the mails are sent all the same
 * (rule 32).
 */
async function readPreferences(db: Database, ids: SQL): Promise<Map<string, MailFacts["wants"]>> {
  try {
    const rows = await db
      .selectDistinct({
        userId: emailPreferences.userId,
        rating: emailPreferences.receiveRatingEmails,
        subscription: emailPreferences.receiveSubscriptionEmails,
        rhythm: emailPreferences.ratingMailRhythm,
      })
      .from(outbox)
      .innerJoin(emailPreferences, eq(emailPreferences.userId, outbox.userId))
      .where(sql`${outbox.id} IN ${ids}`);
    return new Map(rows.map(({ userId, ...wants }) => [userId, wants]));
  } catch (error) {
    logEvent("preferences_unreadable", { error });
    return new Map();
  }
}

// In a batch, D1 returns a row's values by the columns' names alone, so columns of the same name in two
// tables need an alias.

function selectUsers(db: Database, ids: SQL) {
  return db
    .select({
      mailId: sql<string>`${outbox.id}`.as("mail"),
      kind: sql<MailKind>`${outbox.kind}`.as("kind"),
      userId: users.id,
      displayName: users.displayName,
      address: contactAddress.as("address"),
      ownAddress: users.ownEmail,
      // A page that nobody is looking at draws songs, too, but records no activity.
      drawnSince: sql`EXISTS (SELECT 1 FROM packages
          WHERE packages.user_id = ${users.id} AND packages.drawn_at >= ${outbox.createdAt})
        AND EXISTS (SELECT 1 FROM sessions WHERE sessions.user_id = ${users.id}
          AND sessions.last_seen_at > ${outbox.createdAt} - ${touchIntervalMs})`
        .mapWith(Boolean)
        .as("drawn_since"),
      ...subscriptionColumns,
    })
    .from(outbox)
    .innerJoin(users, eq(users.id, outbox.userId))
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(sql`${outbox.id} IN ${ids}`);
}

/** Ratings that a mail reads at most of a song whose submission is complete, the newest. */
const maxRead = 100;

type NewestRatings = [score: number, reasons: number | null, at: number][];

/** The ratings in the mails, newest first. */
function selectRatings(db: Database, ids: SQL) {
  return db
    .select({
      mailId: sql<string>`${outbox.mailId}`.as("mail"),
      score: ratings.score,
      // Number of the song's ratings that are newer, in the order of "Ratings of my songs".
      newer: sql<number>`(SELECT count(*) FROM ratings AS other
        WHERE other.song_id = ${ratings.songId}
          AND (other.created_at > ${ratings.createdAt}
            OR (other.created_at = ${ratings.createdAt} AND other.id < ${ratings.id})))`.as(
        "newer",
      ),
      songId: songs.id,
      title: songs.title,
      artists: songs.artists,
      spotifyUrl: songs.spotifyUrl,
      received: songs.received,
      entitled: songs.entitled,
      // Where the rating completes a submission: the newest ratings with reasons and times, newest first.
      newest: sql`iif(EXISTS (SELECT 1 FROM submissions
          WHERE submissions.song_id = ${songs.id}
            AND submissions.completed_at = ${ratings.createdAt}),
        (SELECT json_group_array(json_array(score, reasons, created_at)) FROM (
          SELECT score, reasons, created_at FROM ratings AS one
          WHERE one.song_id = ${songs.id} ORDER BY one.created_at DESC, one.id LIMIT ${maxRead})),
        NULL)`
        .mapWith((text: string) => JSON.parse(text) as NewestRatings)
        .as("newest") as SQL.Aliased<NewestRatings | null>,
    })
    .from(outbox)
    .innerJoin(ratings, eq(ratings.id, outbox.subjectId))
    .innerJoin(songs, eq(songs.id, ratings.songId))
    .where(and(sql`${outbox.mailId} IN ${ids}`, eq(outbox.kind, "rating")))
    .orderBy(sql`${ratings.createdAt} DESC, ${ratings.id}`);
}

function selectAddedSongs(db: Database, ids: SQL) {
  return db
    .select({
      mailId: sql<string>`${outbox.id}`.as("mail"),
      songId: songs.id,
      title: songs.title,
      artists: songs.artists,
      spotifyUrl: songs.spotifyUrl,
      entitled: songs.entitled,
    })
    .from(outbox)
    .innerJoin(submissions, eq(submissions.id, outbox.subjectId))
    .innerJoin(songs, eq(songs.id, submissions.songId))
    .where(and(sql`${outbox.id} IN ${ids}`, eq(outbox.kind, "submission")));
}

function selectRestingSongs(db: Database, ids: SQL) {
  return db
    .select({
      mailId: sql<string>`${outbox.id}`.as("mail"),
      songId: songs.id,
      title: songs.title,
      artists: songs.artists,
      spotifyUrl: songs.spotifyUrl,
      owed: songs.owed,
    })
    .from(outbox)
    .innerJoin(songs, eq(songs.id, outbox.subjectId))
    .where(
      and(sql`${outbox.id} IN ${ids}`, eq(outbox.kind, "resting"), isNotNull(songs.restingSince)),
    );
}

function selectConfirmations(db: Database, ids: SQL, now: number) {
  return db
    .select({
      mailId: sql<string>`${outbox.id}`.as("mail"),
      id: sql<string>`${emailConfirmations.id}`.as("confirmation"),
      address: emailConfirmations.address,
      open: isOpen(now).mapWith(Boolean).as("open"),
    })
    .from(outbox)
    .innerJoin(emailConfirmations, eq(emailConfirmations.id, outbox.subjectId))
    .where(and(sql`${outbox.id} IN ${ids}`, eq(outbox.kind, "confirmation")));
}

function selectDecisions(db: Database, ids: SQL) {
  return db
    .select({
      mailId: sql<string>`${outbox.id}`.as("mail"),
      action: operatorLog.action,
      reason: operatorLog.reason,
      songId: sql<string | null>`${songs.id}`.as("song"),
      title: songs.title,
      artists: songs.artists,
      spotifyUrl: songs.spotifyUrl,
    })
    .from(outbox)
    .innerJoin(operatorLog, eq(operatorLog.id, outbox.subjectId))
    .leftJoin(songs, eq(songs.id, operatorLog.target))
    .where(and(sql`${outbox.id} IN ${ids}`, eq(outbox.kind, "decision")));
}

function toDecision(
  row: Awaited<ReturnType<typeof selectDecisions>>[number] | undefined,
): Decision | null {
  if (!row) return null;
  const { action, reason, songId, title, artists, spotifyUrl } = row;
  if (!isMailed(action)) return null;
  const isThere = songId !== null && title !== null && artists !== null && spotifyUrl !== null;
  return { action, reason, song: isThere ? { songId, title, artists, spotifyUrl } : null };
}

function isMailed(action: string): action is Decision["action"] {
  return ["take_out", "put_back", "lock", "unlock"].includes(action);
}
