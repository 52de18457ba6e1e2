import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { type Batch, gated } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { departures, ratingMarks, ratings, submissionLocks, unplayableReports } from "~/db/schema";
import { sign } from "~/platform/crypto.server";
import { cooldownMs } from "./away";
import { type Identity, identityOf } from "./identity";

export async function accountFingerprint(secret: string, account: Identity): Promise<string> {
  const key = await sign(secret, "derive a key", "what outlives an account");
  return sign(key, account.spotifyId === null ? "address" : "account", identityOf(account));
}

export interface Leaver {
  userId: string;
  fingerprint: string;
  now: number;
}

/**
 * Conditional insert that starts an account deletion: keeps a tombstone and the songs it rated, or that
 * Spotify did not play to it, in the batch that deletes the user, so that no rating is missed. `effects` run
 * after that.
 */
export function keepDeparture<Effects extends Batch>(
  db: Database,
  { userId, fingerprint, now }: Leaver,
  condition: SQL,
  effects: (hasLeft: SQL) => Effects,
) {
  const gate = insertSelect(db, departures, {
    row: { id: fingerprint, leftAt: now },
    from: sql`FROM users WHERE id = ${userId} AND ${condition}`,
  })
    .onConflictDoUpdate({ target: departures.id, set: { leftAt: sql`excluded.left_at` } })
    .returning({ id: departures.id });
  const isWritten = sql`EXISTS (SELECT 1 FROM departures WHERE id = ${fingerprint} AND left_at = ${now})`;
  return gated(gate, isWritten, (hasLeft) => {
    const markSongs = (table: typeof ratings | typeof unplayableReports, isTheirs: SQL) =>
      insertSelect(db, ratingMarks, {
        row: { departureId: fingerprint, songId: sql`song_id` },
        from: sql`FROM ${table} WHERE ${isTheirs} AND ${hasLeft}`,
      }).onConflictDoNothing();
    return {
      rated: markSongs(ratings, sql`rater_id = ${userId}`),
      refused: markSongs(unplayableReports, sql`user_id = ${userId}`),
      others: effects(hasLeft),
    };
  });
}

/** Links what outlives an account to the one that the same Spotify account or address now has, if `only` is true. */
export function recogniseAccount(
  db: Database,
  fingerprint: string,
  userId: SQL<string>,
  only: SQL = sql`true`,
) {
  const isTheirs = (table: typeof departures | typeof submissionLocks) =>
    sql`${table.id} = ${fingerprint} AND ${only}`;
  return {
    left: db.update(departures).set({ userId }).where(isTheirs(departures)),
    locked: db.update(submissionLocks).set({ userId }).where(isTheirs(submissionLocks)),
  };
}

/** Null if the operator takes songs from the user (rule 39). */
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
