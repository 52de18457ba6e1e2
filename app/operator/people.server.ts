import { asc, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { deleteAccount } from "~/account/delete.server";
import { accountFile, exportAccount } from "~/account/export.server";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { asBoolean, listOf } from "~/db/expressions";
import { type Results, runBatch } from "~/db/gated";
import { outbox, sessions, songs, subscriptions, users } from "~/db/schema";
import { subscriptionColumns } from "~/db/subscription-columns";
import { exportMail } from "~/letters/export-mail";
import { renderMail } from "~/letters/render";
import { isOpen } from "~/mailing/mailed-proof.server";
import { contactAddress } from "~/members/contact-address";
import { identityOf } from "~/members/identity";
import { sessionLifetime } from "~/members/lifetime";
import { comparableAddress, mailboxOf } from "~/members/mail-address";
import { resolveTier, tierConfigOf } from "~/members/tiers";
import { toSubscriptionRecord } from "~/members/viewer.server";
import { lockReason } from "~/members/what-outlives.server";
import { MailError, type Mailer } from "~/outbox/mailer";
import { toBase64 } from "~/platform/base64";
import { minuteMs } from "~/platform/dates";
import type { Config } from "~/platform/env";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { type Operator, writeLogLine } from "./audit.server";
import { decisionErrors, kindsThatTell } from "./decisions";
import { ratingsFromOneDay } from "./same-day";

const limits = { people: 20, mails: 10, mailsOfKind: 3, songs: 20, logins: 5 };

/** For so long a look shows what it has found. */
const lookMs = 10 * minuteMs;

const mailKinds = outbox.kind.enumValues.filter((kind) => !kindsThatTell.includes(kind));

/**
 * Operators have songs too, so nothing here may change with what a user does with somebody else's song (rule
 * 5): no total, no time of activity. The lists are of the only person found.
 */
export type Look = ReturnType<typeof toLook>;
export type Person = Look["people"][number];

/** What finds somebody by an address, confirmed or not; without an @, by the beginning of the name. */
function foundBy(asked: string, now: number): SQL {
  if (!asked.includes("@")) {
    return sql`SELECT id FROM users WHERE lower(display_name) >= lower(${asked})
      AND lower(display_name) < lower(${asked}) || char(1114111)
      AND NOT EXISTS (SELECT 1 FROM users WHERE id = ${asked} OR spotify_id = ${asked})`;
  }
  const address = comparableAddress(asked);
  return sql`SELECT id FROM users WHERE own_email IS NOT NULL AND own_mailbox = ${mailboxOf(asked)}
    UNION SELECT id FROM users WHERE email IS NOT NULL AND lower(email) = ${address}
    UNION SELECT asked_by FROM mailed_proofs WHERE kind = 'confirmation' AND lower(address) = ${address} AND ${isOpen(now)}`;
}

/**
 * Looks for users by id, Spotify id, any address or name, and writes a log line for each, of the oldest alone where
 * there are many. Only these lines open what is found, to the operator alone and for ten minutes (`selectLook`).
 * Returns the time that names the look; null if nobody is found.
 */
export async function lookForPeople(
  { db, now }: DatabaseAndClock,
  operator: Operator,
  asked: string,
): Promise<number | null> {
  const at = now();
  const isAsked = sql`users.id IN (SELECT id FROM users WHERE id IN (
      SELECT id FROM users WHERE id = ${asked} UNION SELECT id FROM users WHERE spotify_id = ${asked}
      UNION ${foundBy(asked, at)})
    ORDER BY created_at, id LIMIT ${limits.people + 1})`;
  const line = {
    id: sql<string>`lower(hex(randomblob(16)))`,
    operator,
    action: "look" as const,
    target: sql<string>`users.id`,
    userId: sql<string>`users.id`,
    reason: "",
    now: at,
  };
  const lines = await writeLogLine(db, line, sql`FROM users WHERE ${isAsked}`);
  return lines.length > 0 ? at : null;
}

export function selectLook(
  db: Database,
  operator: Operator,
  { at, now }: { at: number; now: number },
) {
  const found = sql`(SELECT user_id FROM operator_log WHERE created_at = ${at}
    AND created_at > ${now - lookMs} AND operator = ${identityOf(operator)} AND action = 'look')`;
  const onlyUserId = sql`(SELECT iif(count(user_id) = 1, max(user_id), NULL) FROM ${found})`;
  // By kind, because the index begins with the kind.
  const newestOfEachKind = sql`SELECT one.id FROM ${listOf(mailKinds)} AS kinds
    JOIN outbox AS one ON one.id IN (SELECT its.id FROM outbox AS its
      WHERE its.user_id = ${onlyUserId} AND its.kind = kinds.value
      ORDER BY its.created_at DESC LIMIT ${limits.mailsOfKind})`;
  return {
    people: db
      .select({
        userId: users.id,
        spotifyId: users.spotifyId,
        name: users.displayName,
        address: contactAddress.as("contact_address"),
        ownEmail: users.ownEmail,
        spotifyAddress: users.email,
        waiting: sql<string | null>`(SELECT address FROM mailed_proofs
          WHERE asked_by = ${users.id} AND ${isOpen(now)} ORDER BY created_at DESC LIMIT 1)`.as(
          "waiting",
        ),
        sharing: sql<number>`(SELECT count(*) FROM users AS other
          WHERE other.own_email IS NOT NULL AND other.own_mailbox = users.own_mailbox
            AND other.id <> users.id)`.as("sharing"),
        createdAt: sql<number>`${users.createdAt}`.as("joined_at"),
        submittedCount: users.submittedCount,
        // Not one that has once gone by an address of theirs.
        customerId: sql<string | null>`CASE WHEN ${subscriptions.matchedAddress} IS NULL
          OR ${subscriptions.subscriptionId} IS NOT NULL THEN ${subscriptions.customerId} END`.as(
          "customer",
        ),
        lockId: sql<string | null>`(SELECT submission_locks.id FROM submission_locks
          WHERE submission_locks.user_id = users.id)`.as("lock_id"),
        lockReason: lockReason(sql`users.id`).as("lock_reason"),
        subscription: subscriptionColumns,
      })
      .from(users)
      .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
      .where(sql`users.id IN ${found}`)
      .orderBy(asc(users.createdAt), asc(users.id))
      .limit(limits.people + 1),
    logins: db
      .select({ device: sessions.device, way: sessions.way, createdAt: sessions.createdAt })
      .from(sessions)
      .where(sql`user_id = ${onlyUserId} AND created_at > ${now - sessionLifetime.idleMs}`)
      .orderBy(desc(sessions.createdAt))
      .limit(limits.logins),
    mails: db
      .select({
        kind: outbox.kind,
        state: outbox.state,
        fault: outbox.fault,
        at: sql<number>`${outbox.createdAt}`.as("mail_at"),
      })
      .from(outbox)
      // Without a line per rating, which would show when each was given.
      .where(
        sql`${outbox.id} IN (${newestOfEachKind}) AND iif(kind = 'rating', mail_id, coalesce(mail_id, id)) = id`,
      )
      .orderBy(desc(outbox.createdAt))
      .limit(limits.mails),
    songs: db
      .select({
        songId: sql<string>`${songs.id}`.as("song"),
        title: songs.title,
        received: songs.received,
        entitled: songs.entitled,
        fromOneDay: sql<number>`iif(owner_id = ${operator.userId}, 0, ${ratingsFromOneDay})`.as(
          "from_one_day",
        ),
        resting: asBoolean(isNotNull(songs.restingSince), "resting"),
        withdrawn: songs.withdrawn,
        takenOut: asBoolean(isNotNull(songs.takenOut), "is_out"),
        at: songs.activeAt,
      })
      .from(songs)
      .where(sql`owner_id = ${onlyUserId}`)
      .orderBy(desc(songs.activeAt))
      .limit(limits.songs),
  };
}

export function toLook({ people, ...lists }: Results<ReturnType<typeof selectLook>>) {
  return {
    ...lists,
    more: people.length > limits.people,
    people: people
      .slice(0, limits.people)
      .map(({ ownEmail, lockId, lockReason: reason, subscription, ...person }) => ({
        ...person,
        ownEmail,
        identity: identityOf({ spotifyId: person.spotifyId, ownEmail }),
        tier: resolveTier(toSubscriptionRecord(subscription)).tier,
        status: subscription?.status ?? null,
        lock: lockId === null ? null : { id: lockId, reason: reason ?? "" },
      })),
  };
}

/**
 * Mails somebody who cannot log in the data of their account. The operator does not see them, and so not who rated or
 * reported a song of theirs (rule 40, operators' looks).
 */
export async function mailExport(
  {
    db,
    now,
    config,
    secret,
    mailer,
  }: DatabaseAndClock & {
    secret: string;
    config: Pick<Config, "appOrigin" | "operator" | "contactEmail" | "offers">;
    mailer: () => Mailer;
  },
  operator: Operator,
  { target: userId, reason }: { target: string; reason: string },
): Promise<Rejection | null> {
  const at = now();
  const id = crypto.randomUUID();
  const line = { id, operator, action: "export" as const, target: userId, reason, now: at };
  const { person } = await runBatch(db, {
    written: writeLogLine(
      db,
      { ...line, userId: sql`users.id` },
      sql`FROM users WHERE users.id = ${userId} AND ${contactAddress} IS NOT NULL`,
    ),
    person: db
      .select({
        name: users.displayName,
        address: contactAddress.as("contact_address"),
        subscription: subscriptionColumns,
      })
      .from(users)
      .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
      .where(eq(users.id, userId)),
  });
  const [user] = person;
  if (!user) return reject(404, decisionErrors.gone);
  const { address: to } = user;
  if (to === null) return reject(409, decisionErrors.noAddress);
  const { tier } = resolveTier(toSubscriptionRecord(user.subscription));
  const whose = { userId, address: to, tierConfig: tierConfigOf(tier, config.offers.premium) };
  const everything = await exportAccount(db, whose, { now: at, secret });
  const content = toBase64(new TextEncoder().encode(JSON.stringify(everything, null, 2)));
  const mail = {
    to,
    bcc: null,
    ...renderMail(exportMail, user.name, { ...config, unsubscribeUrl: null }),
    file: { filename: accountFile, content },
  };
  try {
    await mailer().send(mail, `export:${id}`);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    logEvent("export_not_mailed", { error });
    return reject(502, decisionErrors.notMailed);
  }
  return null;
}

export async function deletePerson(
  services: Parameters<typeof deleteAccount>[0],
  operator: Operator,
  { target: userId, reason }: { target: string; reason: string },
): Promise<{ sharePaths: string[] } | Rejection> {
  const { db, now } = services;
  if (userId === operator.userId) return reject(403, decisionErrors.own);
  const id = crypto.randomUUID();
  const line = { id, operator, action: "delete" as const, target: userId, reason, now: now() };
  return deleteAccount(services, userId, (hasLeft) =>
    writeLogLine(db, line, sql`WHERE ${hasLeft}`),
  );
}
