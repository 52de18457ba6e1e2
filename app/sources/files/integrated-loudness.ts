/** Numerator and denominator of a filter of second order, the latter without its first 1. */
type Coefficients = [b0: number, b1: number, b2: number, a1: number, a2: number];

/** Surround channels count more, and the low-frequency one not at all. */
const weights: Record<number, number[]> = {
  4: [1, 1, 1.41, 1.41],
  5: [1, 1, 1, 1.41, 1.41],
  6: [1, 1, 1, 0, 1.41, 1.41],
};

const blocksPerSecond = 10;
const absoluteGate = -70;
const relativeGate = 0.1;

/**
 * The integrated loudness of sound after ITU-R BS.1770-4, in LUFS: K-weighted, in blocks of 400 ms of which each begins
 * 100 ms after the one before, gated at -70 LUFS and at 10 LU below what is left. Null for silence.
 */
export function integratedLoudness(channels: Float32Array[], rate: number): number | null {
  const step = Math.round(rate / blocksPerSecond);
  const steps = new Float64Array(Math.floor((channels[0]?.length ?? 0) / step));
  for (const [place, samples] of channels.entries()) {
    addPower(steps, samples, { step, rate, weight: weights[channels.length]?.[place] ?? 1 });
  }
  const blocks = steps.slice(3).map((_, at) => mean(steps.subarray(at, at + 4)));
  const heard = blocks.filter((power) => loudnessOf(power) > absoluteGate);
  const gate = mean(heard) * relativeGate;
  const loud = heard.filter((power) => power > gate);
  return loud.length > 0 ? loudnessOf(mean(loud)) : null;
}

/** Adds the K-weighted power of a channel, step by step. */
function addPower(
  steps: Float64Array,
  samples: Float32Array,
  { step, rate, weight }: { step: number; rate: number; weight: number },
): void {
  const [b0, b1, b2, a1, a2] = shelf(rate);
  const [c0, c1, c2, d1, d2] = highPass(rate);
  let [s1, s2, t1, t2] = [0, 0, 0, 0];
  for (let at = 0; at < steps.length; at += 1) {
    let sum = 0;
    for (let place = at * step; place < (at + 1) * step; place += 1) {
      const x = samples[place] ?? 0;
      const y = b0 * x + s1;
      s1 = b1 * x - a1 * y + s2;
      s2 = b2 * x - a2 * y;
      const z = c0 * y + t1;
      t1 = c1 * y - d1 * z + t2;
      t2 = c2 * y - d2 * z;
      sum += z * z;
    }
    steps[at] = (steps[at] ?? 0) + (weight * sum) / step;
  }
}

/** The first filter of the K-weighting, for the head. The standard gives it for 48 kHz alone, and so the second. */
export function shelf(rate: number): Coefficients {
  const k = Math.tan((Math.PI * 1681.974450955533) / rate);
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const q = k / 0.7071752369554196;
  const a0 = 1 + q + k * k;
  return [
    (high + band * q + k * k) / a0,
    (2 * (k * k - high)) / a0,
    (high - band * q + k * k) / a0,
    (2 * (k * k - 1)) / a0,
    (1 - q + k * k) / a0,
  ];
}

export function highPass(rate: number): Coefficients {
  const k = Math.tan((Math.PI * 38.13547087602444) / rate);
  const q = k / 0.5003270373238773;
  const a0 = 1 + q + k * k;
  return [1, -2, 1, (2 * (k * k - 1)) / a0, (1 - q + k * k) / a0];
}

function loudnessOf(power: number): number {
  return 10 * Math.log10(power) - 0.691;
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
