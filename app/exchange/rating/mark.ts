import type { Score } from "./scale";

/** A circle, full where the listener liked the song (rule 17, labels), and what is drawn within, around its middle. */
type Mark = { circle: "ring" | "full" } & (
  | { form: "half" | "plus"; path: string }
  | { form?: never; path?: never }
);

/** What the mark of each label is made of: they differ by form, and colour only repeats which of them mean "liked". */
export const marks: Record<Score, Mark> = {
  1: { circle: "ring" },
  2: { circle: "ring", form: "half", path: "M0-16A16 16 0 0 0 0 16z" },
  3: { circle: "full" },
  4: { circle: "full", form: "plus", path: "M-8 0H8M0-8V8" },
};
