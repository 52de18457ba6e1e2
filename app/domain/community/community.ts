import { counted } from "~/platform/text";

/** What all songs have in common, as of the last time that it was computed. */
export interface CommunityFigures {
  /** Songs that were rated in the last seven days. */
  songsRatedThisWeek: number;
  /** Promises of five ratings that were kept in the last thirty days. */
  promisesKept: number;
  /** How long half and nine of ten of those promises took at most, in milliseconds; 0 without any. */
  halfWithinMs: number;
  mostWithinMs: number;
  /** The share of ratings that say that the song was liked, from 0 to 1; null below a hundred ratings. */
  likedShare: number | null;
}

/** With fewer promises kept, how long they took says little about the next one. */
const minPromises = 20;
const minRatings = 100;
const hourMs = 60 * 60 * 1000;

/** The share of liked among the ratings of all songs; null if there are too few to tell. */
export function likedShare(ratings: number, liked: number): number | null {
  return ratings < minRatings ? null : liked / ratings;
}

/**
 * How long a song usually waits for its five ratings, or null if too few songs tell.
 * @param longestMs what takes longer than this, in milliseconds, is left out: it is about few songs.
 */
export function knownWait(
  figures: CommunityFigures | null,
  longestMs = Number.POSITIVE_INFINITY,
): string | null {
  if (!figures || figures.promisesKept < minPromises) return null;
  const [half, most] = [duration(figures.halfWithinMs), duration(figures.mostWithinMs)];
  if (figures.mostWithinMs > longestMs) {
    return `Lately half of the songs had all five ratings within ${half}.`;
  }
  return half === most
    ? `Lately nine of ten songs had all five ratings within ${most}.`
    : `Lately half of the songs had all five ratings within ${half}, and nine of ten within ${most}.`;
}

/** How long a song usually waits for its five ratings. */
export function usualWait(figures: CommunityFigures | null): string {
  return knownWait(figures) ?? "Too few songs lately to say.";
}

/** The same where nothing beside it says what the sentence is about. */
export function toldWait(figures: CommunityFigures | null): string {
  return knownWait(figures) ?? "Too few songs lately to say how long that takes.";
}

/** Rounded up, in hours up to two days and in days beyond. */
function duration(ms: number): string {
  const hours = Math.max(1, Math.ceil(ms / hourMs));
  return hours <= 48 ? counted(hours, "hour") : counted(Math.ceil(hours / 24), "day");
}
