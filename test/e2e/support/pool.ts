/** Takes from a musician everything there is to rate, and gives it back. */
import { trackById } from "../../sandbox/catalogue.ts";
import { onDatabase, userNamed } from "./local-database.ts";

const heldBack = "Held back";

/**
 * Leaves a musician who has logged in before nothing to rate, whatever others submit meanwhile: each
 * track of the catalogue counts as one that they have submitted, too.
 * @param own the tracks that do not, so that they can be submitted.
 */
export async function emptyPool(displayName: string, own: string[] = []): Promise<void> {
  const tracks = [...trackById.keys()].filter((id) => !own.includes(id));
  await onDatabase(
    `INSERT OR IGNORE INTO songs (id, owner_id, track_id, title, artists, album, duration_ms,
       spotify_url, fetched_at, entitled, received, owed, created_at)
     SELECT ? || value, ${userNamed}, value, ?, '[]', '', 180000, '', unixepoch() * 1000, 5, 5, 0, 0
     FROM json_each(?)`,
    [displayName, displayName, heldBack, JSON.stringify(tracks)],
  );
  await onDatabase(`DELETE FROM packages WHERE user_id = ${userNamed}`, [displayName]);
}

/** Gives the songs back that `emptyPool` has taken, in this try or an earlier one. */
export async function refillPool(displayName: string): Promise<void> {
  await onDatabase("DELETE FROM songs WHERE substr(id, 1, length(?)) = ?", [
    displayName,
    displayName,
  ]);
}
