/** Takes from a musician everything there is to rate, and gives it back. */
import { artists } from "../../sandbox/catalogue.ts";
import { onDatabase } from "./local-database.ts";
import type { Musician } from "./musician.ts";

/**
 * Leaves a musician nothing to rate, whatever others submit meanwhile: they have a part in every song
 * there is, and play in the house band of those that come later.
 */
export async function emptyPool({ userId }: Musician): Promise<void> {
  const all = Object.fromEntries(artists.map(({ id, name }) => [id, name]));
  await setOwnArtists(userId, all);
}

/** Gives the songs back that `emptyPool` has taken. */
export async function refillPool({ userId }: Musician): Promise<void> {
  await setOwnArtists(userId, {});
}

async function setOwnArtists(userId: string, own: Record<string, string>): Promise<void> {
  const sql = "UPDATE users SET own_artists = ? WHERE id = ?";
  await onDatabase(sql, [JSON.stringify(own), userId]);
}
