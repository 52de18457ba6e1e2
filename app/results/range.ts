import { betaQuantile, type Counts } from "./beta";

/** Ratings needed before a range is shown (rule 29). */
export const ratingsForRange = 5;
/** Ratings needed before a song is compared with the average (rule 30). */
const ratingsForComparison = 10;

/** The ends of a range. */
export interface Range {
  low: number;
  high: number;
}

/**
 * The 90 % Jeffreys interval of the share of listeners who would like a song; both ends between 0 and 1 (rule
 * 29).
 */
export function jeffreysInterval(counts: Counts): Range {
  return { low: betaQuantile(counts, 0.05), high: betaQuantile(counts, 0.95) };
}

/** The interval as shown: of a hundred listeners, rounded to fives; null below five ratings. */
export function rangeOfHundred(counts: Counts): Range | null {
  if (counts.liked + counts.others < ratingsForRange) return null;
  const { low, high } = jeffreysInterval(counts);
  const rounded = { low: 5 * Math.round(low * 20), high: 5 * Math.round(high * 20) };
  if (rounded.low < rounded.high) return rounded;
  return { low: 5 * Math.floor(low * 20), high: 5 * Math.ceil(high * 20) };
}

/**
 * Compares a song with the average song; null if the difference is not clear. The average must lie outside
 * both the interval and the range that is shown.
 * @param average the share of all ratings that mean "liked"; null if unknown.
 */
export function comparedWithAverage(
  counts: Counts,
  average: number | null,
): "more" | "less" | null {
  const range = rangeOfHundred(counts);
  if (average === null || !range || counts.liked + counts.others < ratingsForComparison)
    return null;
  const { low, high } = jeffreysInterval(counts);
  if (Math.min(low, range.low / 100) > average) return "more";
  if (Math.max(high, range.high / 100) < average) return "less";
  return null;
}
