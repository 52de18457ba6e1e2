import { type Counts, probabilityOfRise } from "./beta";
import { ratingsForRange } from "./range";

/** From this probability on, a change between two submissions is named (rule 30). */
const sure = 0.95;

/** What two submissions of a song say about each other. */
export type Change = "more" | "less" | "unclear";

/**
 * Compares two submissions of a song; null while one of them has fewer than five ratings. Of songs that
 * listeners like as much as before, it names a change in fewer than one of ten cases.
 */
export function compareSubmissions(earlier: Counts, later: Counts): Change | null {
  const few = [earlier, later].some(({ liked, others }) => liked + others < ratingsForRange);
  if (few) return null;
  const rise = probabilityOfRise(earlier, later);
  if (rise >= sure) return "more";
  return rise <= 1 - sure ? "less" : "unclear";
}
