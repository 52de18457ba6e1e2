import { betaQuantile, type Counts } from "./beta";

/** So many ratings say something of those who have not rated yet (rule 29). */
export const ratingsForRange = 5;
/** So many are compared with the average song. */
const ratingsForComparison = 10;

/** Between which shares something lies. */
export interface Range {
  low: number;
  high: number;
}

/**
 * Jeffreys's 90 % interval of the share of listeners who would like a song, each end between 0 and 1
 * (rule 29).
 */
export function jeffreysInterval(counts: Counts): Range {
  return { low: betaQuantile(counts, 0.05), high: betaQuantile(counts, 0.95) };
}

/** The interval as it is shown: of a hundred listeners, rounded to fives; null below five ratings. */
export function rangeOfHundred(counts: Counts): Range | null {
  if (counts.liked + counts.others < ratingsForRange) return null;
  const { low, high } = jeffreysInterval(counts);
  const rounded = { low: 5 * Math.round(low * 20), high: 5 * Math.round(high * 20) };
  if (rounded.low < rounded.high) return rounded;
  return { low: 5 * Math.floor(low * 20), high: 5 * Math.ceil(high * 20) };
}

/**
 * Whether a song is liked more or less than the average song here; null where that cannot be said. The
 * average must lie outside the interval, and outside the range that is shown.
 * @param average the share of ratings here that mean liked, or null if it is not known.
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
