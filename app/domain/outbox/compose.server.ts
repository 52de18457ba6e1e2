import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import {
  emailConfirmations,
  emailPreferences,
  outbox,
  ratings,
  songs,
  submissions,
  subscriptions,
  users,
} from "~/db/schema";
import { subscriptionColumns } from "~/db/subscription-columns";
import { confirmationHours, confirmationToken, isOpen } from "~/domain/contact/address.server";
import { addressOf } from "~/domain/contact/preferences.server";
import { type MailKind, type MailTopic, topicOf } from "~/domain/contact/topics";
import { unsubscribeToken } from "~/domain/contact/unsubscribe.server";
import { confirmationMail } from "~/domain/mail-templates/confirmation-mail";
import type { MailBody, MailFrame } from "~/domain/mail-templates/mail";
import { pastDueMail } from "~/domain/mail-templates/past-due-mail";
import { type RatedSong, ratingMail } from "~/domain/mail-templates/rating-mail";
import { submissionMail } from "~/domain/mail-templates/submission-mail";
import { subscriptionEndedMail } from "~/domain/mail-templates/subscription-ended-mail";
import { isScore, ratingLabel } from "~/domain/rating/scale";
import { toSubscriptionRecord } from "~/domain/session/viewer.server";
import { resolveTier, type TierConfig, tierConfigs } from "~/domain/tiers/tiers";
import { logEvent } from "~/platform/log";

/** What the rendering of mails needs of the configuration. */
export interface MailConfig {
  appOrigin: string;
  operator: string;
  contactEmail: string;
  /** Signs the links that are mailed. */
  linkSecret: string;
  /** Who else gets the mails about songs, or null. */
  bcc: string | null;
}

/** Whom a mail goes to, and where one click ends such mails; or why nobody gets it. */
export type Addressed =
  | { to: string; bcc: string | null; unsubscribeUrl: string | null }
  | { skip: string };

/** What is known of mails about to be sent: for whom, and what they tell. */
export interface MailFacts {
  /** Read anew for every attempt: who has said no in the meantime gets nothing. */
  address(mailId: string): Promise<Addressed>;
  render(mailId: string, unsubscribeUrl: string | null): Promise<MailBody | { skip: string }>;
}

/** Reads what the mails of some outbox rows tell, in one round trip beside that for preferences. */
export async function readMailFacts(
  db: Database,
  mailIds: string[],
  settings: MailConfig,
  now: number,
): Promise<MailFacts> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(mailIds)}))`;
  const [unwanted, [people, rated, added, confirmations]] = await Promise.all([
    readUnwanted(db, ids),
    db.batch([
      selectPeople(db, ids),
      selectRated(db, ids),
      selectAdded(db, ids),
      selectConfirmations(db, ids, now),
    ]),
  ]);

  function frame(unsubscribeUrl: string | null): MailFrame {
    const { appOrigin, operator, contactEmail } = settings;
    return { appOrigin, operator, contactEmail, unsubscribeUrl };
  }

  return {
    async address(mailId) {
      const person = people.find((one) => one.mailId === mailId);
      if (!person) return { skip: "gone" };
      const topic = topicOf[person.kind];
      if (topic === null) {
        const asked = confirmations.find((one) => one.mailId === mailId);
        if (!asked?.open) return { skip: "superseded" };
        // Nobody else is to hold the link.
        return { to: asked.address, bcc: null, unsubscribeUrl: null };
      }
      if (isOver(person)) return { skip: "over" };
      if (unwanted.has(`${person.userId} ${topic}`)) return { skip: "unwanted" };
      if (!person.address) return { skip: "no address" };
      const { linkSecret, appOrigin, bcc } = settings;
      const token = await unsubscribeToken(linkSecret, person.userId, topic, person.address);
      return {
        to: person.address,
        bcc: topic === "rating" ? bcc : null,
        unsubscribeUrl: `${appOrigin}/unsubscribe?token=${token}`,
      };
    },

    async render(mailId, unsubscribeUrl) {
      const person = people.find((one) => one.mailId === mailId);
      if (!person) return { skip: "gone" };
      const { displayName: name, kind } = person;
      const around = frame(unsubscribeUrl);
      switch (kind) {
        case "rating": {
          const { tier } = resolveTier(toSubscriptionRecord(person));
          const news = rated.filter((one) => one.mailId === mailId);
          const told = ratedSongs(news, tierConfigs[tier]);
          return told.length > 0 ? ratingMail(name, told, around) : { skip: "gone" };
        }
        case "submission": {
          const song = added.find((one) => one.mailId === mailId);
          return song ? submissionMail(name, song, around) : { skip: "gone" };
        }
        case "confirmation": {
          const asked = confirmations.find((one) => one.mailId === mailId);
          if (!asked) return { skip: "gone" };
          const token = await confirmationToken(settings.linkSecret, asked.id);
          const url = `${settings.appOrigin}/confirm-email?token=${token}`;
          const link = { address: asked.address, url, hours: confirmationHours };
          return confirmationMail(name, link, around);
        }
        case "past_due":
          return pastDueMail(name, around);
        case "premium_ended":
          return subscriptionEndedMail(name, around);
      }
    },
  };
}

/**
 * Who does not want mails on which topic, as "user topic". A preference that cannot be read does not
 * stand in the way (spec section 4, "Notification mail").
 */
async function readUnwanted(db: Database, ids: SQL): Promise<Set<string>> {
  const unwanted = new Set<string>();
  function refuse(userId: string, topic: MailTopic) {
    unwanted.add(`${userId} ${topic}`);
  }
  try {
    const rows = await db
      .selectDistinct({
        userId: emailPreferences.userId,
        rating: emailPreferences.receiveRatingEmails,
        subscription: emailPreferences.receiveSubscriptionEmails,
      })
      .from(outbox)
      .innerJoin(emailPreferences, eq(emailPreferences.userId, outbox.userId))
      .where(sql`${outbox.id} IN ${ids}`);
    for (const { userId, rating, subscription } of rows) {
      if (!rating) refuse(userId, "rating");
      if (!subscription) refuse(userId, "subscription");
    }
  } catch (error) {
    logEvent("preferences_unreadable", { error });
  }
  return unwanted;
}

function selectPeople(db: Database, ids: SQL) {
  return db
    .select({
      mailId: sql<string>`${outbox.id}`.as("mail"),
      kind: sql<MailKind>`${outbox.kind}`.as("kind"),
      userId: users.id,
      displayName: users.displayName,
      address: addressOf.as("address"),
      ...subscriptionColumns,
    })
    .from(outbox)
    .innerJoin(users, eq(users.id, outbox.userId))
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(sql`${outbox.id} IN ${ids}`);
}

/** Whether what a mail about the subscription tells is so no more. */
function isOver(person: Awaited<ReturnType<typeof selectPeople>>[number]): boolean {
  const { tier, showPaymentWarning } = resolveTier(toSubscriptionRecord(person));
  if (person.kind === "past_due") return !showPaymentWarning;
  return person.kind === "premium_ended" && tier === "premium";
}

/** Newest first. */
function selectRated(db: Database, ids: SQL) {
  return db
    .select({
      mailId: sql<string>`${outbox.mailId}`.as("mail"),
      score: ratings.score,
      // How many of the song's ratings are newer, as on "Ratings of my songs".
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
    })
    .from(outbox)
    .innerJoin(ratings, eq(ratings.id, outbox.subjectId))
    .innerJoin(songs, eq(songs.id, ratings.songId))
    .where(and(sql`${outbox.mailId} IN ${ids}`, eq(outbox.kind, "rating")))
    .orderBy(sql`${ratings.createdAt} DESC, ${ratings.id}`);
}

/** The news, song by song; of each the labels that the tier shows, which are the song's newest. */
function ratedSongs(
  news: Awaited<ReturnType<typeof selectRated>>,
  { maxVisibleRatings }: TierConfig,
): RatedSong[] {
  const told = new Map<string, RatedSong>();
  for (const { mailId: _mailId, score, newer, ...song } of news) {
    if (!isScore(score)) continue;
    const known = told.get(song.songId) ?? { ...song, labels: [], hidden: 0 };
    const shown = maxVisibleRatings < 0 || newer < maxVisibleRatings;
    if (shown) known.labels.push(ratingLabel(score));
    else known.hidden += 1;
    told.set(song.songId, known);
  }
  return [...told.values()];
}

function selectAdded(db: Database, ids: SQL) {
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
