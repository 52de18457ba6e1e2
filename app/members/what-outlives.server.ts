import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { type Batch, gated } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { departures, packages, ratingMarks, submissionLocks } from "~/db/schema";
import { sign } from "~/platform/crypto.server";
import { cooldownMs } from "./away";
import type { Identity } from "./identity";
import { mailboxOf } from "./mail-address";

/** By what a way in is known: the Spotify account, or the mailbox. */
const knownBy: Record<keyof Identity, { purpose: string; of(value: string): string }> = {
  spotifyId: { purpose: "account", of: (id) => id },
  ownEmail: { purpose: "address", of: mailboxOf },
};

export async function wayFingerprint(
  secret: string,
  way: keyof Identity,
  value: string,
): Promise<string> {
  const key = await sign(secret, "derive a key", "what outlives an account");
  return sign(key, knownBy[way].purpose, knownBy[way].of(value));
}

/** One for each way in: what outlives an account goes by all of them. */
export function accountFingerprints(secret: string, account: Identity): Promise<string[]> {
  const ways = Object.keys(knownBy) as (keyof Identity)[];
  return Promise.all(
    ways.flatMap((way) => {
      const value = account[way];
      return value === null ? [] : wayFingerprint(secret, way, value);
    }),
  );
}

export interface Leaver {
  userId: string;
  fingerprints: string[];
  now: number;
}

/**
 * Conditional insert that starts an account deletion: keeps a tombstone for each way in, with the songs that
 * the account rated or that Spotify did not play to it, in the batch that deletes the user, so that no rating
 * is missed. Marks of earlier accounts and a lock are passed on. `effects` run after that.
 */
export function keepDeparture<Effects extends Batch>(
  db: Database,
  { userId, fingerprints, now }: Leaver,
  condition: SQL,
  effects: (hasLeft: SQL) => Effects,
) {
  const gate = insertSelect(db, departures, {
    row: { id: sql`json_each.value`, leftAt: now },
    from: sql`FROM users, ${eachOf(fingerprints)} WHERE users.id = ${userId} AND ${condition}`,
  })
    .onConflictDoUpdate({
      target: departures.id,
      // Another's with the same address is theirs no more.
      set: { leftAt: sql`excluded.left_at`, userId: sql`iif(user_id = ${userId}, user_id, NULL)` },
    })
    .returning({ id: departures.id });
  const isWritten = sql`EXISTS (SELECT 1 FROM departures
    WHERE id = ${fingerprints[0] ?? ""} AND left_at = ${now})`;
  const earlier = sql`SELECT song_id FROM rating_marks
    JOIN departures ON departures.id = departure_id WHERE departures.user_id = ${userId}`;
  return gated(gate, isWritten, (hasLeft) => ({
    marks: insertSelect(db, ratingMarks, {
      row: { departureId: sql`json_each.value`, songId: sql`song_id` },
      from: sql`FROM ${eachOf(fingerprints)}, (
          SELECT song_id FROM ratings WHERE rater_id = ${userId}
          UNION SELECT song_id FROM unplayable_reports WHERE user_id = ${userId}
          UNION ${earlier}) WHERE ${hasLeft}`,
    }).onConflictDoNothing(),
    locks: lockWays(db, { userId, fingerprints }, hasLeft),
    others: effects(hasLeft),
  }));
}

function eachOf(fingerprints: string[]): SQL {
  return sql`json_each(${JSON.stringify(fingerprints)})`;
}

/** Links what outlives an account to the one that the same Spotify account, or address, now has. */
export function recogniseAccount(
  db: Database,
  fingerprint: string,
  userId: SQL<string> | string,
  only: SQL = sql`true`,
) {
  const now = sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
  return {
    left: db
      .update(departures)
      .set({ userId, recognisedAt: sql`iif(user_id IS ${userId}, recognised_at, ${now})` })
      .where(and(eq(departures.id, fingerprint), only)),
    locked: db
      .update(submissionLocks)
      .set({ userId })
      .where(and(eq(submissionLocks.id, fingerprint), only)),
  };
}

interface GainedWay {
  userId: SQL<string> | string;
  gained: string;
  /** Of all ways in, this one included. */
  fingerprints: string[];
  now: number;
}

/**
 * A user who exists already gets another way in. From now on the departures (rule 37, coming back) and the lock (rule 39, decisions)
 * of whoever had it before hold for them, and their lock holds for it.
 */
export function gainWay(db: Database, { userId, gained, fingerprints, now }: GainedWay, only: SQL) {
  return {
    earlier: recogniseAccount(db, gained, userId, only),
    lock: lockWays(db, { userId, fingerprints }, only),
    drawn: db
      .delete(packages)
      .where(sql`user_id = ${userId} AND ${isInCooldown(userId, now)} AND ${only}`),
  };
}

/** A lock has a row for each way in of its user. */
function lockWays(
  db: Database,
  { userId, fingerprints }: Pick<GainedWay, "userId" | "fingerprints">,
  only: SQL,
) {
  return insertSelect(db, submissionLocks, {
    row: {
      id: sql`json_each.value`,
      userId: sql`held.user_id`,
      reason: sql`held.reason`,
      lockedAt: sql`held.locked_at`,
    },
    from: sql`FROM ${eachOf(fingerprints)}, (SELECT * FROM submission_locks
        WHERE user_id = ${userId} ORDER BY locked_at DESC LIMIT 1) AS held WHERE ${only}`,
  }).onConflictDoNothing();
}

/** Null if the operator takes songs from the user (rule 39, decisions). */
export function lockReason(userId: string | SQL): SQL<string | null> {
  return sql<string | null>`(
    SELECT reason FROM submission_locks WHERE submission_locks.user_id = ${userId})`;
}

/** An earlier account of the user's was deleted less than a day ago. */
export function isInCooldown(userId: string | SQL, now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM departures
    WHERE departures.user_id = ${userId} AND left_at > ${now - cooldownMs})`;
}

/** A tombstone of an earlier account of the user's names the song under this id. */
export function isMarked(userId: string | SQL, songId: string | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM departures JOIN rating_marks ON departure_id = departures.id
    WHERE departures.user_id = ${userId} AND rating_marks.song_id = ${songId})`;
}
