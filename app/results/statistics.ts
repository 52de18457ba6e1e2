/**
 * Beta(k + ½, n − k + ½) is the Jeffreys posterior of a share, after k of n liked the song. With parameters
 * that end in ½ it follows exactly from Beta(½, ½), in steps of one.
 */

export interface Counts {
  liked: number;
  others: number;
}

/** The probability that a Beta(liked + ½, others + ½) is at most x. */
function betaCdf({ liked, others }: Counts, x: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  let probability = (2 / Math.PI) * Math.asin(Math.sqrt(x));
  // The logarithm of x^a (1 − x)^b / B(a, b), which each step updates.
  let log = Math.log(x * (1 - x)) / 2 - Math.log(Math.PI);
  let a = 0.5;
  let b = 0.5;
  for (; a < liked; a += 1) {
    probability -= Math.exp(log) / a;
    log += Math.log((x * (a + b)) / a);
  }
  for (; b < others; b += 1) {
    probability += Math.exp(log) / b;
    log += Math.log(((1 - x) * (a + b)) / b);
  }
  return probability;
}

/** To six places. */
export function betaQuantile(counts: Counts, p: number): number {
  let low = 0;
  let high = 1;
  while (high - low > 1e-7) {
    const middle = (low + high) / 2;
    if (betaCdf(counts, middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The probability that the share of listeners who like a song is higher in `later`. Follows J. D. Cook,
 * "Exact calculation of beta inequalities" (2005).
 */
export function probabilityOfRise(earlier: Counts, later: Counts): number {
  let probability = 0.5;
  // The logarithm of B(a + c, b + d) / (B(a, b) B(c, d)), which each step updates.
  let log = -2 * Math.log(Math.PI);
  const parameters = { a: 0.5, b: 0.5, c: 0.5, d: 0.5 };
  const pairs = { a: "b", b: "a", c: "d", d: "c" } as const;
  const across = { a: "c", b: "d", c: "a", d: "b" } as const;
  function climb(which: keyof typeof parameters, times: number, sign: 1 | -1) {
    for (let time = 0; time < times; time += 1) {
      const value = parameters[which];
      probability += (sign * Math.exp(log)) / value;
      log += Math.log(
        ((value + parameters[across[which]]) * (value + parameters[pairs[which]])) /
          ((parameters.a + parameters.b + parameters.c + parameters.d) * value),
      );
      parameters[which] += 1;
    }
  }
  climb("a", later.liked, 1);
  climb("b", later.others, -1);
  climb("c", earlier.liked, -1);
  climb("d", earlier.others, 1);
  return probability;
}

/** Rule 29, results. */
export const ratingsForRange = 5;
/** Rule 30, differences. */
const ratingsForComparison = 10;

export interface Range {
  low: number;
  high: number;
}

/** The 90 % interval of the share of listeners who would like a song (rule 29, results). */
export function jeffreysInterval(counts: Counts): Range {
  return { low: betaQuantile(counts, 0.05), high: betaQuantile(counts, 0.95) };
}

export function rangeOfHundred(counts: Counts): Range | null {
  if (counts.liked + counts.others < ratingsForRange) return null;
  const { low, high } = jeffreysInterval(counts);
  const rounded = { low: 5 * Math.round(low * 20), high: 5 * Math.round(high * 20) };
  if (rounded.low < rounded.high) return rounded;
  return { low: 5 * Math.floor(low * 20), high: 5 * Math.ceil(high * 20) };
}

/**
 * Null if the difference is not clear: the average must lie outside both the interval and the range shown.
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

/** Rule 30, differences. */
const minProbability = 0.95;

export type Change = "more" | "less" | "unclear";

/** For songs that are liked as much as before, it reports a change in fewer than one case in ten. */
export function compareSubmissions(earlier: Counts, later: Counts): Change | null {
  const tooFew = [earlier, later].some(({ liked, others }) => liked + others < ratingsForRange);
  if (tooFew) return null;
  const rise = probabilityOfRise(earlier, later);
  if (rise >= minProbability) return "more";
  return rise <= 1 - minProbability ? "less" : "unclear";
}
