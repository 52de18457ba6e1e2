import { counted } from "~/platform/text";

/** Figures about all songs together, as of their last computation. */
export interface CommunityFigures {
  /** Songs that were rated in the last seven days. */
  songsRatedThisWeek: number;
  /** Promises of five ratings that were kept in the last thirty days. */
  promisesKept: number;
  /** The longest time that half, and nine of ten, of those promises took, in milliseconds; 0 without any. */
  halfWithinMs: number;
  mostWithinMs: number;
  /** The share of ratings by which the song was liked, from 0 to 1; null below a hundred ratings. */
  likedShare: number | null;
}

/** Promises, and ratings, below which a figure says too little. */
const minPromises = 20;
const minRatings = 100;
/** So many times as long as half of the songs, nine of ten wait much longer. */
const longTailFactor = 5;
const hourMs = 60 * 60 * 1000;

/** The share of liked among the ratings of all songs; null if there are too few. */
export function likedShare(ratings: number, liked: number): number | null {
  return ratings < minRatings ? null : liked / ratings;
}

/** The usual wait for five ratings, in figures; null if too few songs have them. */
function knownWait(figures: CommunityFigures | null): string | null {
  if (!figures || figures.promisesKept < minPromises) return null;
  const [half, most] = [duration(figures.halfWithinMs), duration(figures.mostWithinMs)];
  return half === most
    ? `Lately nine of ten songs had all five ratings within ${most}.`
    : `Lately half of the songs had all five ratings within ${half}, and nine of ten within ${most}.`;
}

/** The same in few words: where some songs wait much longer than half of them, without figures for those. */
export function shortWait(figures: CommunityFigures | null): string | null {
  const known = knownWait(figures);
  if (!figures || !known || figures.mostWithinMs <= longTailFactor * figures.halfWithinMs)
    return known;
  return `Most songs have all five ratings within ${duration(figures.halfWithinMs)}. Some wait much longer.`;
}

/** The usual wait for five ratings in figures, beside a heading that says so. */
export function usualWait(figures: CommunityFigures | null): string {
  return knownWait(figures) ?? "Too few songs lately to say.";
}

/** The usual wait for five ratings, in a sentence that stands alone. */
export function toldWait(figures: CommunityFigures | null): string {
  return shortWait(figures) ?? "Too few songs lately to say how long that takes.";
}

/** Rounded up, in hours up to two days and in days beyond. */
function duration(ms: number): string {
  const hours = Math.max(1, Math.ceil(ms / hourMs));
  return hours <= 48 ? counted(hours, "hour") : counted(Math.ceil(hours / 24), "day");
}
