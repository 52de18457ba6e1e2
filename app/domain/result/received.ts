import type { Track } from "~/adapters/spotify/track";
import { ratingsPerSubmission } from "~/db/rules";
import type { Score } from "~/domain/rating/scale";
import { visitTimeoutMs } from "~/domain/session/visit";

/** One line in a panel of "Ratings of my songs". No id, no rater. */
export interface RatingLine {
  score: Score;
  /** Epoch milliseconds. */
  ratedAt: number;
  /** It came in since the owner's last visit. */
  isNew: boolean;
}

export interface SongRatingsPanel
  extends Pick<Track, "title" | "artists" | "artUrl" | "smallerArt" | "spotifyUrl"> {
  songId: string;
  entitled: number;
  received: number;
  /** Ratings still owed. */
  owed: number;
  /** Whether it is out of the rotation, and if so, whether the owner has withdrawn it. */
  resting: boolean;
  withdrawn: boolean;
  /** Why the operator has taken it out; null if they have not. */
  takenOut: string | null;
  /** The newest that the tier shows, from worst to best. */
  scores: Score[];
  /** The newest of these, newest first; for free users at most two. */
  lines: RatingLine[];
  /** How many there are that this tier does not show. */
  hidden: number;
  /** Its last five have become complete since its owner looked last: this look is the first at them. */
  drawn: boolean;
}

/** Songs on a page of a list. */
export const songsPerPage = 20;
/** Ratings of a song that its panel shows as dots, and as lines. Its own page has all of them. */
export const dotsPerPanel = 20;
export const linesPerPanel = 10;

/** When a user has looked at the ratings of their songs (the columns of `users`). */
export interface RatingsLooks {
  /** The last time, or null. */
  seenAt: number | null;
  /** The last time before the visit in which that was, or null. */
  newsSince: number | null;
}

/**
 * The looks after one more of them, for which ratings since `newsSince` are news. Songs marked as news
 * stay so until the visit is over, whichever pages are opened meanwhile. The first look has no news.
 * @param now epoch milliseconds.
 */
export function lookAgain({ seenAt, newsSince }: RatingsLooks, now: number): RatingsLooks {
  if (seenAt === null) return { seenAt: now, newsSince: now };
  return { seenAt: now, newsSince: now - seenAt >= visitTimeoutMs ? seenAt : newsSince };
}

/**
 * Whether the last five of a song's ratings have become complete since a time.
 * @param song `newest` are the scores and times of its newest ratings, newest first.
 * @param since epoch milliseconds, as are these times.
 */
export function isCompleteSince(
  { received, newest }: { received: number; newest: [score: number, at: number][] },
  since: number,
): boolean {
  const [, at = 0] = newest[received % ratingsPerSubmission] ?? [];
  return received >= ratingsPerSubmission && at > since;
}

/** The place of a song in a list, newest first: the time by which it stands there, and its id. */
export interface ListPlace {
  /** Epoch milliseconds. */
  at: number;
  songId: string;
}

/** Before the newest song of a list. */
export const beginning: ListPlace = { at: Number.MAX_SAFE_INTEGER, songId: "" };

/** A place as it stands in an address. */
export function placeText({ at, songId }: ListPlace): string {
  return `${at.toString(36)}.${songId}`;
}

/** The place that an address names, or null if it names none. */
export function placeFrom(text: string | null): ListPlace | null {
  const [, time = "", songId = ""] = /^([0-9a-z]{1,11})\.(.{1,64})$/.exec(text ?? "") ?? [];
  const at = Number.parseInt(time, 36);
  return songId && Number.isSafeInteger(at) ? { at, songId } : null;
}
