import { type Counts, probabilityOfRise } from "./beta";
import { ratingsForRange } from "./range";

/** The least probability of a change for it to be reported (rule 30). */
const minProbability = 0.95;

/** The change from one submission of a song to the next. */
export type Change = "more" | "less" | "unclear";

/**
 * Compares two submissions of a song; null while either has fewer than five ratings. For songs that are liked
 * as much as before, it reports a change in fewer than one case in ten.
 */
export function compareSubmissions(earlier: Counts, later: Counts): Change | null {
  const tooFew = [earlier, later].some(({ liked, others }) => liked + others < ratingsForRange);
  if (tooFew) return null;
  const rise = probabilityOfRise(earlier, later);
  if (rise >= minProbability) return "more";
  return rise <= 1 - minProbability ? "less" : "unclear";
}
