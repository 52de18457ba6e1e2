import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { gated, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { mailboxIn } from "~/db/mailbox";
import { loginGrants, mailedProofs, users } from "~/db/schema";
import { confirmByCode, type MatchedCustomers, toMatched } from "~/mailing/address.server";
import { addressFingerprint } from "~/mailing/suppression.server";
import { mailboxOf } from "~/members/mail-address";
import { viewerIdOf } from "~/members/viewer.server";
import { activeAt } from "~/members/visit.server";
import { recogniseAccount, wayFingerprint } from "~/members/what-outlives.server";
import { sha256 } from "~/platform/crypto.server";
import { dayMs } from "~/platform/dates";
import { codeMs } from "./login-code";
import type { EmailGrant } from "./login-code.server";
import { type NewSession, openSession } from "./open-session.server";

/**
 * Opens a session, without a connection to Spotify, of the one account that has confirmed an address of the mailbox, or of the one
 * chosen among several. A grant opens one session at most. Who was asked to log in again comes in as the same user,
 * and only where nobody else has logged in since. False if nothing was written.
 */
export async function createEmailSession(
  db: Database,
  { ticket, address, again }: EmailGrant,
  { account, ...session }: NewSession & { account: string | null },
): Promise<boolean> {
  const { now, secret, replaces } = session;
  const isAsked =
    again === null
      ? sql`true`
      : sql`users.id = ${again} AND coalesce(${viewerIdOf(replaces ?? "", now)}, ${again}) = ${again}`;
  const isChosen = account === null ? sql`true` : sql`users.id = ${account}`;
  const theirs = sql`FROM users WHERE ${hasConfirmed(address)} AND ${isAsked} AND ${isChosen}`;
  const userId = sql<string>`(SELECT users.id ${theirs})`;
  const isOne = sql`(SELECT count(*) ${theirs}) = 1`;
  const fingerprint = await wayFingerprint(secret, "ownEmail", address);
  const { gate } = await runBatch(
    db,
    gated(...(await spend(db, ticket, session, isOne)), (only) => ({
      user: db
        .update(users)
        // The secret that keys it may have been changed since the last login.
        .set({ ...activeAt(now), addressFingerprint: null })
        .where(sql`id = ${userId} AND ${only}`),
      account: recogniseAccount(db, fingerprint, userId, only),
      session: openSession(db, session, { userId, way: "email" }, only),
    })),
  );
  return gate.length > 0;
}

/**
 * Makes an account that has confirmed the address, with a session of its own, unless there is one by now, or as many
 * were made within a day by codes that were asked for in the same place (rule 45, places). Null if nothing was written.
 */
export async function createEmailAccount(
  db: Database,
  { ticket, address }: EmailGrant,
  { name, mostFromPlace, ...session }: NewSession & { name: string; mostFromPlace: number },
): Promise<MatchedCustomers | "place is full" | null> {
  const { now, secret } = session;
  const id = crypto.randomUUID();
  const userId = sql<string>`${id}`;
  const isFree = sql`(SELECT again FROM mailed_proofs WHERE id = code_id) IS NULL AND NOT EXISTS (SELECT 1 FROM users WHERE ${hasConfirmed(address)})`;
  const code = sql`(SELECT code_id FROM login_grants WHERE ticket = ${await sha256(ticket)})`;
  const isPlaceFull = sql`(SELECT count(*) FROM mailed_proofs AS own JOIN mailed_proofs AS other
      ON own.asker_56 IS NULL AND other.asker = own.asker OR other.asker_56 = own.asker_56
    WHERE own.id = ${code} AND other.made_account AND other.created_at > ${now - dayMs})
    >= coalesce((SELECT max(seats, ${mostFromPlace}) ${seatsByLink(code)}), ${mostFromPlace})`;
  const [byAccount, byAddress] = await Promise.all([
    wayFingerprint(secret, "ownEmail", address),
    addressFingerprint(secret, address),
  ]);
  const mayMake = sql`${isFree} AND NOT ${isPlaceFull}`;
  const { place, account } = await runBatch(db, {
    place: db.select({ isFull: asBoolean(isPlaceFull, "is_full") }).from(sql`(SELECT 1)`),
    account: gated(...(await spend(db, ticket, session, mayMake)), (only) => ({
      user: insertSelect(db, users, {
        row: {
          ...{ id, ownEmail: address, displayName: name },
          ...{ createdAt: now, updatedAt: now, lastActiveAt: now },
        },
        from: sql`WHERE ${only}`,
      }),
      proof: db
        .update(mailedProofs)
        .set({ madeAccount: true })
        .where(sql`id = ${code} AND ${only}`),
      address: confirmByCode(db, { userId: id, address, fingerprint: byAddress, now }, only),
      account: recogniseAccount(db, byAccount, userId, only),
      session: openSession(db, session, { userId, way: "email" }, only),
    })),
  });
  if (account.gate.length > 0) return toMatched(account.effects.address.matched);
  return place[0]?.isFull ? "place is full" : null;
}

/** Who comes by a round's link may be in one place with all who sit in it, as a class is. */
function seatsByLink(code: SQL): SQL {
  const token = sql`substr(own.next, 9, instr(substr(own.next, 9) || '?', '?') - 1)`;
  return sql`FROM mailed_proofs AS own JOIN rounds ON own.next LIKE '/rounds/%' AND rounds.token = ${token}
    WHERE own.id = ${code} AND begun_at IS NULL AND ended_at IS NULL`;
}

/** The gate that spends a grant, once, for a session; and what is true only if it has. */
async function spend(db: Database, ticket: string, { id, now }: NewSession, condition: SQL) {
  const isGranted = sql`ticket = ${await sha256(ticket)}`;
  const gate = db
    .update(loginGrants)
    .set({ sessionId: id })
    .where(
      sql`${isGranted} AND session_id IS NULL AND verified_at > ${now - codeMs} AND ${condition}`,
    )
    .returning({ id: loginGrants.codeId });
  const hasSpent = sql`EXISTS (SELECT 1 FROM login_grants WHERE ${isGranted} AND session_id = ${id})`;
  return [gate, hasSpent] as const;
}

/** The grant of a browser, and the accounts that it can open. Null if it is over. */
export async function readGrant(db: Database, ticket: string | null, now: number) {
  if (ticket === null) return null;
  const rows = await db
    .select({
      address: mailedProofs.address,
      again: mailedProofs.again,
      next: mailedProofs.next,
      sessionId: loginGrants.sessionId,
      account: {
        id: users.id,
        name: users.displayName,
        hasSpotify: asBoolean(sql`users.spotify_id IS NOT NULL`, "has_spotify"),
        since: users.createdAt,
      },
    })
    .from(loginGrants)
    .innerJoin(mailedProofs, eq(mailedProofs.id, loginGrants.codeId))
    .leftJoin(
      users,
      sql`users.own_email IS NOT NULL AND users.own_mailbox = ${mailboxIn(mailedProofs.address)}
        AND users.id = coalesce(${mailedProofs.again}, users.id)`,
    )
    .where(sql`ticket = ${await sha256(ticket)} AND verified_at > ${now - codeMs}`)
    .orderBy(users.createdAt, users.id);
  const [grant] = rows;
  return grant
    ? { ...grant, ticket, accounts: rows.flatMap(({ account }) => account ?? []) }
    : null;
}

/** Spotify's own word for an address is no way in. */
function hasConfirmed(address: string): SQL {
  return sql`users.own_email IS NOT NULL AND users.own_mailbox = ${mailboxOf(address)}`;
}
