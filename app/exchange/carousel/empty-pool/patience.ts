import { dayMs } from "~/db/rules";

/**
 * Time that a wish waits for a full package once there is a song at all, in milliseconds. A mail for a
 * single song would call people back for a minute's work; in a small circle, a full package might never
 * come.
 */
const patienceMs = dayMs;

/**
 * Checks whether the mail is due: there are as many songs as a package of the user's tier holds, or there
 * was at least one all day.
 * @param found `songs` that the user can rate; `since` is when the first was there, in epoch milliseconds.
 */
export function areSongsBack(
  { songs, since }: { songs: number; since: number },
  packageSize: number,
  now: number,
): boolean {
  return songs >= packageSize || (songs > 0 && now - since >= patienceMs);
}
