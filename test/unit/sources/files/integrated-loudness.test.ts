/** Against the signals of ITU-R BS.1770 and EBU Tech 3341, made here, and by what must hold of any sound. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { highPass, integratedLoudness, shelf } from "~/sources/files/integrated-loudness";

const rate = 48_000;

type Part = [dBFS: number, seconds: number];

/** A tone whose peaks have these levels, one after the other. */
function tone(parts: Part[], { hertz = 1000, at = rate } = {}): Float32Array {
  const levels = parts.flatMap(([level, seconds]) =>
    new Array<number>(Math.round(seconds * at)).fill(10 ** (level / 20)),
  );
  return Float32Array.from(levels, (peak, n) => peak * Math.sin((2 * Math.PI * hertz * n) / at));
}

function stereo(...parts: Part[]): Float32Array[] {
  const channel = tone(parts);
  return [channel, channel];
}

const surround = [-28, -28, -24, -30, -30].map((level) => tone([[level, 20]]));

test.each<[string, Float32Array[], number]>([
  ["case 1", stereo([-23, 20]), -23],
  ["case 2", stereo([-33, 20]), -33],
  ["case 3", stereo([-36, 10], [-23, 60], [-36, 10]), -23],
  ["case 4", stereo([-72, 10], [-36, 10], [-23, 60], [-36, 10], [-72, 10]), -23],
  ["case 5", stereo([-26, 20], [-20, 20.1], [-26, 20]), -23],
  ["case 6", surround, -23],
])("EBU Tech 3341, %s", (_name, channels, loudness) => {
  expect(Math.abs((integratedLoudness(channels, rate) ?? 0) - loudness)).toBeLessThan(0.1);
});

test.each([22_050, 44_100, 48_000, 96_000])(
  "a full tone of 997 Hz in one of two channels has -3.01 LKFS at %i Hz",
  (at) => {
    const full = tone([[0, 5]], { hertz: 997, at });
    const silent = new Float32Array(full.length);
    for (const channels of [[full], [full, silent], [silent, full]]) {
      expect(integratedLoudness(channels, at)).toBeCloseTo(-3.01, 1);
    }
  },
);

test("the filters are those that BS.1770 prints for 48 kHz", () => {
  const printed = [
    ...[1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241],
    ...[0.73248077421585, 1, -2, 1, -1.99004745483398, 0.99007225036621],
  ];
  for (const [n, value] of [...shelf(rate), ...highPass(rate)].entries()) {
    expect(value).toBeCloseTo(printed[n] ?? 0, 10);
  }
});

const silence = new Float32Array(rate);

test.each<[string, Float32Array[]]>([
  ["nothing", []],
  ["silence", [silence]],
  ["less than a block", [tone([[-3, 0.39]])]],
  ["what is below -70 LUFS", stereo([-71, 5])],
  ["what is no number", [silence.map(() => Number.NaN)]],
  ["what has no end", [silence.map(() => Number.POSITIVE_INFINITY)]],
  ["a low-frequency channel", [0, 1, 2, 3, 4, 5].map((n) => (n === 3 ? tone([[0, 1]]) : silence))],
])("%s has no loudness", (_name, channels) => {
  expect(integratedLoudness(channels, rate)).toBeNull();
});

/** Two seconds of noise at a low rate, which is quick. */
const noise = fc
  .tuple(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.double({ min: 0.05, max: 1, noNaN: true }))
  .map(([seed, peak]) => {
    let state = seed;
    return Float32Array.from({ length: 16_000 }, () => {
      state = (state * 48_271) % (2 ** 31 - 1);
      return peak * ((2 * state) / 2 ** 31 - 1);
    });
  });

const loudnessOf = (...channels: Float32Array[]) =>
  integratedLoudness(channels, 8000) ?? Number.NaN;

test("sound that is turned down by so many decibels is as much less loud", () => {
  fc.assert(
    fc.property(noise, fc.double({ min: 0, max: 20, noNaN: true }), (sound, decibels) => {
      const quieter = sound.map((sample) => sample * 10 ** (-decibels / 20));
      expect(loudnessOf(quieter)).toBeCloseTo(loudnessOf(sound) - decibels, 3);
    }),
    { numRuns: 20 },
  );
});

test("both sides count alike, the same on both is 3 dB louder, and silence around it changes nothing", () => {
  fc.assert(
    fc.property(noise, noise, (one, other) => {
      expect(loudnessOf(one, other)).toBeCloseTo(loudnessOf(other, one), 9);
      expect(loudnessOf(one, one)).toBeCloseTo(loudnessOf(one) + 3.0103, 3);
      const within = new Float32Array(160_000);
      within.set(one, 80_000);
      expect(Math.abs(loudnessOf(within) - loudnessOf(one))).toBeLessThan(0.7);
    }),
    { numRuns: 20 },
  );
});
