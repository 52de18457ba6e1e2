import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { type Results, runBatch } from "~/db/gated";
import { outbox, sessions, songs, subscriptions, users } from "~/db/schema";
import { subscriptionColumns } from "~/db/subscription-columns";
import { deleteAccount } from "~/domain/account/delete.server";
import { exportAccount } from "~/domain/account/export.server";
import { contactAddress } from "~/domain/contact/email-preferences.server";
import { comparableAddress } from "~/domain/contact/mail-address";
import { lockReason } from "~/domain/marks/marks.server";
import { type Refusal, refuse } from "~/domain/refusal";
import { toSubscriptionRecord } from "~/domain/session/viewer.server";
import { resolveTier, tierConfigs } from "~/domain/tiers/tiers";
import { type Operator, type OperatorServices, writeLine } from "./audit.server";
import { decisionErrors } from "./decisions";

/** The most rows read for each list, the newest. */
const limits = { mails: 10, mailsOfKind: 3, songs: 20, logins: 5 };

/** The facts about a user that support questions need; nothing about whom they rated or who rated them. */
export interface Person {
  userId: string;
  spotifyId: string;
  name: string;
  /** The address of their mails, and whether they have confirmed it. */
  address: string | null;
  confirmed: boolean;
  createdAt: number;
  lastActiveAt: number;
  credits: number;
  ratedCount: number;
  submittedCount: number;
  tier: string;
  status: string | null;
  /** The customer at the payment provider. */
  customerId: string | null;
  /** The lock on their submissions; null if there is none. */
  lock: { id: string; reason: string } | null;
  logins: { device: string | null; createdAt: number; lastSeenAt: number }[];
  mails: { kind: string; state: string; fault: string | null; at: number }[];
  songs: {
    songId: string;
    title: string;
    received: number;
    entitled: number;
    resting: boolean;
    withdrawn: boolean;
    takenOut: boolean;
    at: number;
  }[];
}

/** The statements that read a user by Spotify id, confirmed address or id, for `toPerson`. */
export function selectPerson(db: Database, asked: string) {
  const isAsked = sql`users.id = (SELECT coalesce(
    (SELECT id FROM users WHERE spotify_id = ${asked}),
    (SELECT id FROM users WHERE own_email IS NOT NULL AND lower(own_email) = ${comparableAddress(asked)}),
    (SELECT id FROM users WHERE id = ${asked})))`;
  const whose = (column: SQL) => sql`${column} = (SELECT id FROM users WHERE ${isAsked})`;
  // Newest mails of each kind, because the index begins with the kind.
  const newest = sql`SELECT one.id FROM json_each(${JSON.stringify(outbox.kind.enumValues)}) AS kinds
    JOIN outbox AS one ON one.id IN (SELECT its.id FROM outbox AS its
      WHERE ${whose(sql`its.user_id`)} AND its.kind = kinds.value
      ORDER BY its.created_at DESC LIMIT ${limits.mailsOfKind})`;
  return {
    user: db
      .select({
        userId: users.id,
        spotifyId: users.spotifyId,
        name: users.displayName,
        address: contactAddress.as("contact_address"),
        ownEmail: users.ownEmail,
        createdAt: sql<number>`${users.createdAt}`.as("joined_at"),
        lastActiveAt: users.lastActiveAt,
        credits: users.credits,
        ratedCount: users.ratedCount,
        submittedCount: users.submittedCount,
        customerId: subscriptions.customerId,
        lockId: sql<string | null>`(SELECT submission_locks.id FROM submission_locks
          WHERE submission_locks.user_id = users.id)`.as("lock_id"),
        lockReason: lockReason(sql`users.id`).as("lock_reason"),
        ...subscriptionColumns,
      })
      .from(users)
      .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
      .where(isAsked),
    logins: db
      .select({
        device: sessions.device,
        createdAt: sessions.createdAt,
        lastSeenAt: sessions.lastSeenAt,
      })
      .from(sessions)
      .where(whose(sql`user_id`))
      .orderBy(desc(sessions.lastSeenAt))
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
        sql`${outbox.id} IN (${newest}) AND iif(kind = 'rating', mail_id, coalesce(mail_id, id)) = id`,
      )
      .orderBy(desc(outbox.createdAt))
      .limit(limits.mails),
    songs: db
      .select({
        songId: sql<string>`${songs.id}`.as("song"),
        title: songs.title,
        received: songs.received,
        entitled: songs.entitled,
        resting: sql`${songs.restingSince} IS NOT NULL`.mapWith(Boolean).as("resting"),
        withdrawn: songs.withdrawn,
        takenOut: sql`${songs.takenOut} IS NOT NULL`.mapWith(Boolean).as("is_out"),
        at: songs.activeAt,
      })
      .from(songs)
      .where(whose(sql`owner_id`))
      .orderBy(desc(songs.activeAt))
      .limit(limits.songs),
  };
}

/** The user, from the rows of `selectPerson`; null if there is none. */
export function toPerson({
  user: [user],
  logins,
  mails,
  songs,
}: Results<ReturnType<typeof selectPerson>>): Person | null {
  if (!user) return null;
  const { ownEmail, lockId, lockReason: reason, customerId, ...rest } = user;
  const { userId, spotifyId, name, address, createdAt, lastActiveAt } = rest;
  const { credits, ratedCount, submittedCount } = rest;
  return {
    ...{ userId, spotifyId, name, address, confirmed: ownEmail !== null, createdAt, lastActiveAt },
    ...{ credits, ratedCount, submittedCount, customerId, logins, mails, songs },
    tier: resolveTier(toSubscriptionRecord(rest)).tier,
    status: rest.status,
    lock: lockId === null ? null : { id: lockId, reason: reason ?? "" },
  };
}

/**
 * The export of a user's data on request by mail, with a line in the log. Leaves out what concerns songs of the
 * operator, who would read there who rated or reported them; another operator can send it.
 */
export async function exportPerson(
  { db, now, secret }: OperatorServices & { secret: string },
  operator: Operator,
  { userId, reason }: { userId: string; reason: string },
): Promise<object | Refusal> {
  const at = now();
  const id = crypto.randomUUID();
  const line = { id, operator, action: "export" as const, target: userId, reason, now: at };
  const isTheirs = sql`FROM users WHERE users.id = ${userId}`;
  const { written, person, own } = await runBatch(db, {
    written: writeLine(db, { ...line, userId: sql`users.id` }, isTheirs),
    person: selectPerson(db, userId).user,
    own: db.select({ songId: songs.id }).from(songs).where(eq(songs.ownerId, operator.userId)),
  });
  const [user] = person;
  if (written.length === 0 || !user) return refuse(404, decisionErrors.gone);
  const { tier } = resolveTier(toSubscriptionRecord(user));
  const whose = { userId, address: user.address, limits: tierConfigs[tier] };
  const everything = await exportAccount(db, whose, { now: at, secret });
  const ownIds = new Set<unknown>(own.map(({ songId }) => songId));
  return JSON.parse(JSON.stringify(everything), (_name, value) =>
    Array.isArray(value) ? value.filter((entry) => !ownIds.has(entry?.songId)) : value,
  );
}

/** Deletes a user's account on request by mail, just as the user could. */
export async function deletePerson(
  services: Parameters<typeof deleteAccount>[0],
  operator: Operator,
  { userId, reason }: { userId: string; reason: string },
): Promise<{ sharePaths: string[] } | Refusal> {
  const { db, now } = services;
  if (userId === operator.userId) return refuse(403, decisionErrors.own);
  const id = crypto.randomUUID();
  const line = { id, operator, action: "delete" as const, target: userId, reason, now: now() };
  return deleteAccount(services, userId, (hasLeft) => writeLine(db, line, sql`WHERE ${hasLeft}`));
}
