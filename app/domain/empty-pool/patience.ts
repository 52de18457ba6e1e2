import { dayMs } from "~/db/rules";

/**
 * How long a wish waits for a full package once there is a song at all, in milliseconds. A mail for
 * each single song would call people back for a minute's work; waiting for a full package alone could
 * last for ever in a small circle.
 */
const patienceMs = dayMs;

/**
 * Whether there are songs again, so that the mail is due: as many as a package of the user's tier
 * holds, or at least one and there was one all day.
 * @param found `songs` the user can rate; `since` when some were first there, in epoch milliseconds.
 */
export function areSongsBack(
  { songs, since }: { songs: number; since: number },
  packageSize: number,
  now: number,
): boolean {
  return songs >= packageSize || (songs > 0 && now - since >= patienceMs);
}
