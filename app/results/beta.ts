/**
 * The Beta(k + ½, n − k + ½) distribution: the Jeffreys posterior of a share, after k of n liked the song.
 * With parameters that end in ½ it follows exactly from Beta(½, ½), in steps of one.
 */

/** Number of ratings that mean "liked", and of all others. */
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

/** The p-quantile of Beta(liked + ½, others + ½), to six places. */
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
 * The probability that the share of listeners who like a song is higher in `later` than in `earlier`, each
 * Beta(liked + ½, others + ½). Follows J. D. Cook, "Exact calculation of beta inequalities" (2005).
 */
export function probabilityOfRise(earlier: Counts, later: Counts): number {
  let probability = 0.5;
  // The logarithm of B(a + c, b + d) / (B(a, b) B(c, d)), which each step updates.
  let log = -2 * Math.log(Math.PI);
  const at = { a: 0.5, b: 0.5, c: 0.5, d: 0.5 };
  const pairs = { a: "b", b: "a", c: "d", d: "c" } as const;
  const across = { a: "c", b: "d", c: "a", d: "b" } as const;
  function climb(which: keyof typeof at, times: number, sign: 1 | -1) {
    for (let time = 0; time < times; time += 1) {
      const value = at[which];
      probability += (sign * Math.exp(log)) / value;
      log += Math.log(
        ((value + at[across[which]]) * (value + at[pairs[which]])) /
          ((at.a + at.b + at.c + at.d) * value),
      );
      at[which] += 1;
    }
  }
  climb("a", later.liked, 1);
  climb("b", later.others, -1);
  climb("c", earlier.liked, -1);
  climb("d", earlier.others, 1);
  return probability;
}
