import { likedFrom, ratingScale, type Score } from "~/exchange/rating/scale";
import type { Counts } from "./statistics";

/** Rule 17, labels. */
export function isLiked(score: Score): boolean {
  return score >= likedFrom;
}

export function countLiked(scores: Score[]): Counts {
  const liked = scores.filter(isLiked).length;
  return { liked, others: scores.length - liked };
}

export function countByLabel(scores: Score[]): { score: Score; label: string; count: number }[] {
  return ratingScale.map(({ score, label }) => ({
    score,
    label,
    count: scores.filter((one) => one === score).length,
  }));
}

/** "1 × Mediocore, 2 × Great Song", from worst to best. */
export function opinionWords(scores: Score[]): string {
  return countByLabel(scores)
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${count} × ${label}`)
    .join(", ");
}
