import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean, listOf } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import {
  declarations,
  emailPreferences,
  mailedProofs,
  notices,
  operatorLog,
  outbox,
  ratings,
  releases,
  roundMembers,
  rounds,
  songs,
  submissions,
  subscriptions,
  users,
} from "~/db/schema";
import { hasDrawnCover } from "~/db/song-columns";
import { subscriptionColumns } from "~/db/subscription-columns";
import { selectWaiting, toWaiting } from "~/exchange/pool/pool.server";
import { roundSongsLeft } from "~/exchange/round/round.server";
import type { RatingMailRhythm, SwitchedTopic } from "~/mailing/email-preferences";
import { isOpen } from "~/mailing/mailed-proof.server";
import { readSuppressed } from "~/mailing/suppression.server";
import { contactAddress } from "~/members/contact-address";
import { hearsSpotifySomewhere } from "~/members/hearing.server";
import { resolveTier } from "~/members/tiers";
import { toSubscriptionRecord } from "~/members/viewer.server";
import { touchIntervalMs } from "~/members/visit";
import type { MailKind } from "~/outbox/owe-mail.server";
import { logEvent } from "~/platform/log";
import { withdrawalMs } from "~/premium/declaration";
import { doneAt, isSubscriberAt } from "~/premium/declare.server";
import type { Declaration } from "./declaration-mails";
import type { Decision } from "./song-mails";

export type MailFacts =
  Awaited<ReturnType<typeof readMailFacts>> extends Map<string, infer Facts> ? Facts : never;

type Wants = Record<SwitchedTopic, boolean> & { rhythm: RatingMailRhythm };

type NewestRatings = [score: number, reasons: number | null, at: number][];

/**
 * Reads the facts of some mails by their ids, without mails whose user is gone. What the addresses have
 * unsubscribed from takes another round trip; if that one fails, no mail is sent.
 * @throws if the facts of one mail cannot be read.
 */
export async function readMailFacts(
  db: Database,
  mailIds: string[],
  { secret, now }: { secret: string; now: number },
) {
  const ids = listOf(mailIds);
  const [preferences, waiting, read] = await Promise.all([
    readPreferences(db, ids),
    readWaiting(db, mailIds, now),
    runBatch(db, selectFacts(db, ids, now)),
  ]);
  const declaredAt = read.declarations.map(({ address }) => address);
  const addresses = [...read.users.flatMap(({ address }) => address ?? []), ...declaredAt];
  const suppressedAt = await readSuppressed(db, secret, addresses);
  return new Map(
    read.users.map(({ mailId, userId, ownAddress, ...user }) => {
      const isOfMail = (row: { mailId: string }) => row.mailId === mailId;
      const declaration = read.declarations.find(isOfMail) ?? null;
      const answer = read.decisions.find(isOfMail) ?? null;
      const facts = {
        readAt: now,
        kind: user.kind,
        displayName: user.displayName ?? "",
        address: user.address,
        /** Songs were drawn since the mail was owed, while or before the user was active. */
        drawnSince: user.drawnSince,
        /** Nobody has confirmed an address that comes from Spotify. */
        confirmed: ownAddress !== null,
        subscription: resolveTier(toSubscriptionRecord(user.subscription)),
        wants: preferences.get(userId ?? "") ?? allWanted,
        ...suppressedAt(declaration?.address ?? user.address),
        /** Newest first. */
        ratings: read.ratings.filter(isOfMail),
        submittedSong: read.submittedSongs.find(isOfMail) ?? null,
        /** Null once the song does not rest any more. */
        restingSong: read.restingSongs.find(isOfMail) ?? null,
        /** Of it, or a new mix. Null once its link is taken back, the mix is there, or the song is taken out. */
        releasedSong: read.releasedSongs.find(isOfMail) ?? null,
        /** `open` while its code, or else its link, works. */
        proof: read.proofs.find(isOfMail) ?? null,
        decision: answer && isDecision(answer) ? answer : null,
        /** The same for who had reported it. */
        answer,
        notice: read.notices.find(isOfMail) ?? null,
        round: read.rounds.find(isOfMail) ?? null,
        declaration,
        /** Of a mail about ratings: how many songs wait for its reader. */
        waiting: toWaiting(waiting[mailId] ?? [], userId ?? "", now),
      };
      return [mailId, facts];
    }),
  );
}

const allWanted: Wants = { rating: true, subscription: true, rhythm: "each" };

/** What waits for the readers of mails about ratings. Where that cannot be read, the mails do without it. */
async function readWaiting(db: Database, mailIds: string[], now: number) {
  try {
    const each = mailIds.map((id) => [id, selectWaitingOf(db, id, now)] as const);
    return await runBatch(db, Object.fromEntries(each));
  } catch (error) {
    logEvent("waiting_unreadable", { error });
    return {};
  }
}

function selectWaitingOf(db: Database, mailId: string, now: number) {
  const reader = sql<string>`(SELECT user_id FROM outbox WHERE id = ${mailId} AND kind = 'rating')`;
  return selectWaiting(db, reader, hearsSpotifySomewhere(reader, now));
}

/** The preferences by user id. Where they cannot be read, the mails are sent all the same (rule 32, rating mails). */
async function readPreferences(db: Database, ids: SQL): Promise<Map<string, Wants>> {
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
const mailId = sql<string>`${outbox.id}`.as("mail");

/** Those of these mails that are of one of the kinds. */
function isOfKind(ids: SQL, ...kinds: MailKind[]): SQL {
  return sql`${outbox.id} IN ${ids} AND ${inArray(outbox.kind, kinds)}`;
}

const song = {
  songId: songs.id,
  title: songs.title,
  artists: songs.artists,
  spotifyUrl: songs.spotifyUrl,
  tint: songs.tint,
  hasDrawnCover,
};

const maxRatingsPerSong = 100;

function selectFacts(db: Database, ids: SQL, now: number) {
  return {
    users: db
      .select({
        mailId,
        kind: sql<MailKind>`${outbox.kind}`.as("kind"),
        userId: users.id,
        displayName: users.displayName,
        // Who sends a notice has no account here.
        address: sql<string | null>`coalesce(${contactAddress}, (
          SELECT notices.address FROM notices WHERE notices.id = ${outbox.subjectId}))`.as(
          "address",
        ),
        ownAddress: users.ownEmail,
        // A page that nobody is looking at draws songs, too, but records no activity.
        drawnSince: asBoolean(
          sql`EXISTS (SELECT 1 FROM packages
            WHERE packages.user_id = ${users.id} AND packages.drawn_at >= ${outbox.createdAt})
          AND ${users.lastActiveAt} > ${outbox.createdAt} - ${touchIntervalMs}`,
          "drawn_since",
        ),
        subscription: subscriptionColumns,
      })
      .from(outbox)
      .leftJoin(users, eq(users.id, outbox.userId))
      .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
      .where(sql`${outbox.id} IN ${ids}`),
    ratings: db
      .select({
        mailId: sql<string>`${outbox.mailId}`.as("mail"),
        score: ratings.score,
        // How many of the song's are newer, in the order of "Ratings of my songs".
        newer: sql<number>`(SELECT count(*) FROM ratings AS other
          WHERE other.song_id = ${ratings.songId} AND other.sealed = 0
            AND (other.created_at > ${ratings.createdAt}
              OR (other.created_at = ${ratings.createdAt} AND other.id < ${ratings.id})))`.as(
          "newer",
        ),
        ...song,
        received: songs.received,
        entitled: songs.entitled,
        // The song's, newest first, if this one completes a submission.
        newest: sql`iif(EXISTS (SELECT 1 FROM submissions
            WHERE submissions.song_id = ${songs.id}
              AND submissions.completed_at = ${ratings.createdAt}),
          (SELECT json_group_array(json_array(score, reasons, created_at)) FROM (
            SELECT score, reasons, created_at FROM ratings AS one
            WHERE one.song_id = ${songs.id} AND one.sealed = 0 ORDER BY one.created_at DESC, one.id LIMIT ${maxRatingsPerSong})),
          NULL)`
          .mapWith((text: string) => JSON.parse(text) as NewestRatings)
          .as("newest") as SQL.Aliased<NewestRatings | null>,
      })
      .from(outbox)
      .innerJoin(ratings, eq(ratings.id, outbox.subjectId))
      .innerJoin(songs, eq(songs.id, ratings.songId))
      .where(and(sql`${outbox.mailId} IN ${ids}`, eq(outbox.kind, "rating")))
      .orderBy(sql`${ratings.createdAt} DESC, ${ratings.id}`),
    submittedSongs: db
      .select({ mailId, ...song, entitled: songs.entitled })
      .from(outbox)
      .innerJoin(submissions, eq(submissions.id, outbox.subjectId))
      .innerJoin(songs, eq(songs.id, submissions.songId))
      .where(isOfKind(ids, "submission")),
    restingSongs: db
      .select({ mailId, ...song, owed: songs.owed })
      .from(outbox)
      .innerJoin(songs, eq(songs.id, outbox.subjectId))
      .where(sql`${isOfKind(ids, "resting")} AND resting_since IS NOT NULL AND taken_out IS NULL`),
    releasedSongs: db
      .select({ mailId, ...song, url: sql<string | null>`${releases.url}`.as("release_url") })
      .from(outbox)
      .innerJoin(songs, eq(songs.id, outbox.subjectId))
      .leftJoin(releases, eq(releases.songId, songs.id))
      .where(
        sql`${outbox.id} IN ${ids} AND taken_out IS NULL AND (${outbox.kind} = 'release'
          AND url IS NOT NULL OR ${outbox.kind} = 'new_mix' AND owed = 0)`,
      ),
    proofs: db
      .select({
        mailId,
        id: sql<string>`${mailedProofs.id}`.as("proof"),
        address: mailedProofs.address,
        open: asBoolean(isOpen(now, "code"), "open"),
      })
      .from(outbox)
      .innerJoin(mailedProofs, eq(mailedProofs.id, outbox.subjectId))
      .where(isOfKind(ids, "confirmation", "login_code")),
    decisions: db
      .select({
        mailId,
        action: operatorLog.action,
        reason: operatorLog.reason,
        ground: operatorLog.ground,
        isReported: asBoolean(
          sql`(EXISTS (SELECT 1 FROM reports
              WHERE reports.song_id = songs.id AND reports.closed_at = operator_log.created_at)
            OR EXISTS (SELECT 1 FROM notices
              WHERE notices.song_id = songs.id AND notices.decision_id = operator_log.id))`,
          "is_reported",
        ),
        song,
      })
      .from(outbox)
      .innerJoin(
        operatorLog,
        sql`${operatorLog.id} = coalesce((SELECT notices.decision_id FROM notices
          WHERE notices.id = ${outbox.subjectId}), ${outbox.subjectId})`,
      )
      .leftJoin(songs, eq(songs.id, operatorLog.target))
      .where(isOfKind(ids, "decision", "notice_decision", "report_decision")),
    // Of a round that their reader is still in.
    rounds: db
      .select({
        mailId,
        name: rounds.name,
        token: rounds.token,
        endsAt: rounds.endsAt,
        at: sql<number>`${now}`.as("read_at"),
        isTheirs: asBoolean(sql`rounds.opened_at IS NULL AND listened_at IS NULL`, "is_theirs"),
        hasListened: asBoolean(sql`listened_at IS NOT NULL`, "has_listened"),
        left: roundSongsLeft.as("songs_left"),
      })
      .from(outbox)
      .innerJoin(rounds, eq(rounds.id, outbox.subjectId))
      .innerJoin(
        roundMembers,
        and(eq(roundMembers.roundId, rounds.id), eq(roundMembers.userId, outbox.userId)),
      )
      .where(isOfKind(ids, "round_begins", "round_ends", "round_open")),
    declarations: db
      .select({
        mailId,
        id: sql<string>`${declarations.id}`.as("declaration"),
        kind: sql<Declaration["kind"]>`${declarations.kind}`.as("declared"),
        address: declarations.address,
        createdAt: sql<number>`${declarations.createdAt}`.as("declared_at"),
        isDone: asBoolean(sql`${doneAt} IS NOT NULL`, "is_done"),
        isKnown: asBoolean(
          sql`(SELECT count(*) = 1 AND (declarations.kind = 'cancel'
            OR declarations.created_at - max(subscriptions.started_at) <= ${withdrawalMs})
            FROM subscriptions WHERE ${isSubscriberAt(sql`declarations.address`)})`,
          "is_known",
        ),
      })
      .from(outbox)
      .innerJoin(declarations, eq(declarations.id, outbox.subjectId))
      .where(isOfKind(ids, "declaration", "declaration_open")),
    notices: db
      .select({
        mailId,
        id: sql<string>`${notices.id}`.as("notice"),
        createdAt: sql<number>`${notices.createdAt}`.as("filed_at"),
      })
      .from(outbox)
      .innerJoin(notices, eq(notices.id, outbox.subjectId))
      .where(isOfKind(ids, "notice", "notice_decision")),
  };
}

function isDecision<Row extends { action: string }>(
  row: Row,
): row is Row & { action: Decision["action"] } {
  return ["take_out", "put_back", "delete_file", "lock", "unlock"].includes(row.action);
}
