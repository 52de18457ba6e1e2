import fc from "fast-check";
import { expect, test } from "vitest";
import { gainOf, readLoudness, soundedAgainst } from "~/sources/files/loudness";

test.each([
  ["-142", -142],
  ["0", 0],
  ["100", 100],
  ["-700", -700],
  ["101", null],
  ["-701", null],
  ["", null],
  ["-14.2", null],
  ["1e2", null],
  [" 10", null],
  ["null", null],
])("an upload that says %j has the loudness %j", (text, loudness) => {
  expect(readLoudness(text)).toBe(loudness);
});

const decibels = (gain: number) => 20 * Math.log10(gain);

test.each([
  [-240, 0],
  [-160, 0],
  [-100, -6],
  [-40, -12],
  [100, -12],
])("a recording of %i tenths of LUFS is played by %i dB", (loudness, lower) => {
  expect(decibels(gainOf(loudness))).toBeCloseTo(lower, 6);
});

test("what is not known is played as it is", () => {
  expect([gainOf(null), gainOf(undefined)]).toEqual([1, 1]);
});

const loudness = fc.integer({ min: -700, max: 100 });

test("nothing is played louder, and what is louder never sounds quieter", () => {
  fc.assert(
    fc.property(loudness, loudness, (one, other) => {
      expect(gainOf(one)).toBeLessThanOrEqual(1);
      expect(gainOf(one)).toBeGreaterThan(0.25);
      if (one > other) expect(soundedAgainst(other, one)).not.toBe("quieter");
    }),
  );
});

test.each([
  [-140, -90, "alike"],
  [-160, -180, "alike"],
  [-160, -181, "quieter"],
  [-60, -200, "quieter"],
  [-200, -60, "louder"],
  [-90, 0, "louder"],
  [null, -90, "unknown"],
  [-90, null, "unknown"],
] as const)("after a mix of %j one of %j sounds %s", (earlier, later, sounded) => {
  expect(soundedAgainst(earlier, later)).toBe(sounded);
});
