/** Takes from a musician everything there is to rate, and gives it back. */
import { artists } from "../../sandbox/catalogue.ts";
import { onDatabase } from "./local-database.ts";
import type { Musician } from "./musician.ts";

/**
 * Leaves a musician nothing to rate, whatever others submit of Spotify's meanwhile: they have a part in every song
 * there is, and play in the house band of those that come later. They have rated the own recordings that are there
 * with an earlier account.
 */
export async function emptyPool({ userId }: Musician): Promise<void> {
  const all = Object.fromEntries(artists.map(({ id, name }) => [id, name]));
  await setOwnArtists(userId, all);
  const departure = userId.padEnd(43, "-").slice(0, 43);
  const left = "INSERT INTO departures (id, user_id, left_at, recognised_at) VALUES (?, ?, ?, ?)";
  const at = String(Date.now() - 2 * 86_400_000);
  await onDatabase(left, [departure, userId, at, at]);
  const marks = `INSERT INTO rating_marks (departure_id, song_id)
    SELECT ?, id FROM songs WHERE track_id IS NULL`;
  await onDatabase(marks, [departure]);
}

/** Gives the songs back that `emptyPool` has taken. */
export async function refillPool({ userId }: Musician): Promise<void> {
  await setOwnArtists(userId, {});
  await onDatabase("DELETE FROM departures WHERE user_id = ?", [userId]);
  // It has passed what opens by that.
  await onDatabase("DELETE FROM pool_windows WHERE user_id = ?", [userId]);
}

async function setOwnArtists(userId: string, own: Record<string, string>): Promise<void> {
  const sql = "UPDATE users SET own_artists = ? WHERE id = ?";
  await onDatabase(sql, [JSON.stringify(own), userId]);
}
