import { type maxScore, playlistScore } from "~/db/rules";

export { playlistScore };

/** From worst to best (rule 17, labels). There are as many as the database allows. */
export const ratingScale = [
  { score: 1, label: "Not for me" },
  { score: 2, label: "Mediocore" },
  { score: 3, label: "Great Song" },
  { score: 4, label: "Added to my playlist!" },
] as const satisfies { length: typeof maxScore };

export type Score = (typeof ratingScale)[number]["score"];

export function isScore(value: unknown): value is Score {
  return ratingScale.some((step) => step.score === value);
}

export function ratingLabel(score: Score): string {
  return ratingScale[score - 1]?.label ?? "";
}

/** The lowest score by which a listener liked the song (rule 17, labels). */
export const likedFrom = 3 satisfies Score;
