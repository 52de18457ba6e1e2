/** Takes from a musician everything there is to rate, and gives it back. */
import { trackById } from "../../sandbox/catalogue.ts";
import { onDatabase } from "./local-database.ts";

const heldBack = "Held back";

/**
 * Leaves a musician who has logged in before nothing to rate, whatever others submit meanwhile: each
 * track of the catalogue counts as one that they have submitted, too.
 */
export function emptyPool(displayName: string): void {
  onDatabase((db) => {
    const user = "(SELECT id FROM users WHERE display_name = ?1)";
    db.prepare(`DELETE FROM packages WHERE user_id = ${user}`).run(displayName);
    db.prepare(
      `INSERT OR IGNORE INTO songs (id, owner_id, track_id, title, artists, album, duration_ms,
         spotify_url, fetched_at, entitled, received, owed, created_at)
       SELECT ?1 || value, ${user}, value, ?3, '[]', '', 180000, '', 0, 5, 5, 0, 0
       FROM json_each(?2)`,
    ).run(displayName, JSON.stringify([...trackById.keys()]), heldBack);
  });
}

/** Gives the songs back that `emptyPool` has taken. */
export function refillPool(displayName: string): void {
  onDatabase((db) =>
    db
      .prepare(
        `DELETE FROM songs WHERE title = ?
           AND owner_id = (SELECT id FROM users WHERE display_name = ?)`,
      )
      .run(heldBack, displayName),
  );
}
