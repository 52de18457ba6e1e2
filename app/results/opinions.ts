import { likedFrom, ratingScale, type Score } from "~/exchange/rating/scale";
import type { Counts } from "./statistics";

/** Checks whether a score means that the listener liked the song (rule 17). */
export function isLiked(score: Score): boolean {
  return score >= likedFrom;
}

/** Counts the ratings that mean "liked", and the others. */
export function countLiked(scores: Score[]): Counts {
  const liked = scores.filter(isLiked).length;
  return { liked, others: scores.length - liked };
}

/** Counts the ratings by label, from worst to best. */
export function countByLabel(scores: Score[]): { score: Score; label: string; count: number }[] {
  return ratingScale.map(({ score, label }) => ({
    score,
    label,
    count: scores.filter((one) => one === score).length,
  }));
}

/** Ratings in words, from worst to best, e.g. "1 × Mediocore, 2 × Great Song". */
export function opinionWords(scores: Score[]): string {
  return countByLabel(scores)
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${count} × ${label}`)
    .join(", ");
}
