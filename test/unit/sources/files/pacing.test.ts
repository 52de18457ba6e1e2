import fc from "fast-check";
import { expect, test } from "vitest";
import { deliverableTo, dueAt, type PacedFile, playedBefore } from "~/sources/files/pacing";
import { positionOf } from "~/sources/listen";

const startedAt = 1_700_000_000_000;

/** From four seconds at 8 kbit/s to ten minutes in forty megabytes, with or without something behind the sound. */
const files: fc.Arbitrary<PacedFile> = fc
  .record({
    durationMs: fc.integer({ min: 4000, max: 600_000 }),
    bytesPerSecond: fc.integer({ min: 1000, max: 200_000 }),
    audioStart: fc.nat(2_000_000),
    bytesBehind: fc.option(fc.integer({ min: 1, max: 500_000 })),
  })
  .map(({ durationMs, bytesPerSecond, audioStart, bytesBehind }) => {
    const end = audioStart + Math.ceil((durationMs * bytesPerSecond) / 1000);
    return {
      durationMs,
      audioStart,
      bytes: end + (bytesBehind ?? 0),
      audioEnd: bytesBehind === null ? null : end,
    };
  });

const ranged = files.chain((file) =>
  fc.record({
    file: fc.constant(file),
    from: fc.integer({ min: 0, max: file.bytes - 1 }),
    elapsed: fc.integer({ min: -5000, max: 700_000 }),
  }),
);

const soundEnd = ({ audioEnd, bytes }: PacedFile) => audioEnd ?? bytes;
const msPerByte = (file: PacedFile) => file.durationMs / (soundEnd(file) - file.audioStart);
const deliverable = (file: PacedFile, elapsed: number, range: { from: number; to: number }) =>
  deliverableTo(file, { startedAt, now: startedAt + elapsed }, range);

/** 16 kB a second: 4,000 bytes before the sound, a minute of it. */
const minute: PacedFile = {
  bytes: 964_000,
  durationMs: 60_000,
  audioStart: 4000,
  audioEnd: null,
};

test.each([
  [0, 164_000],
  [-9999, 164_000],
  [10_000, 340_000],
  [45_454, 963_990],
  [45_455, 964_000],
  [999_999, 964_000],
])(
  "after %i ms a file may be delivered to byte %i: ten seconds ahead, and a tenth faster",
  (elapsed, to) => {
    const all = { from: 0, to: minute.bytes };
    expect(Math.abs(deliverable(minute, elapsed, all) - to)).toBeLessThanOrEqual(4);
  },
);

test("no byte of sound is delivered before its time, wherever a range begins", () => {
  fc.assert(
    fc.property(ranged, ({ file, from, elapsed }) => {
      const to = deliverable(file, elapsed, { from, to: file.bytes });
      if (to === from || to <= file.audioStart || from >= soundEnd(file)) return;
      const playsAt = (Math.min(to, soundEnd(file)) - file.audioStart) * msPerByte(file);
      expect(playsAt).toBeLessThanOrEqual(10_000 + 1.1 * Math.max(0, elapsed) + 0.01);
    }),
  );
});

test("a small file does not come whole, wherever in it one begins", () => {
  const small = { bytes: 14_000, durationMs: 40_000, audioStart: 3000, audioEnd: 13_000 };
  for (const from of [0, 2999, 3000, 5500, 12_999]) {
    const to = deliverable(small, 300, { from, to: small.bytes });
    expect(to).toBeLessThanOrEqual(Math.max(from, 5583));
  }
});

test("what is before the sound never waits, nor what is asked for behind it", () => {
  fc.assert(
    fc.property(ranged, ({ file, from }) => {
      const to = deliverable(file, 0, { from, to: file.bytes });
      if (from < file.audioStart) expect(to).toBeGreaterThan(from);
      if (from >= soundEnd(file)) expect(to).toBe(file.bytes);
    }),
  );
});

test("a range is never delivered beyond its end, nor backwards", () => {
  fc.assert(
    fc.property(ranged, fc.nat(100_000), ({ file, from, elapsed }, length) => {
      const range = { from, to: Math.min(file.bytes, from + length) };
      const to = deliverable(file, elapsed, range);
      expect(to).toBeGreaterThanOrEqual(range.from);
      expect(to).toBeLessThanOrEqual(range.to);
    }),
  );
});

test("more time never takes a byte back", () => {
  fc.assert(
    fc.property(ranged, fc.nat(60_000), ({ file, from, elapsed }, more) => {
      const range = { from, to: file.bytes };
      expect(deliverable(file, elapsed + more, range)).toBeGreaterThanOrEqual(
        deliverable(file, elapsed, range),
      );
    }),
  );
});

test("the moment at which bytes are due is the first that delivers them", () => {
  fc.assert(
    fc.property(files, fc.double({ min: 0, max: 1, noNaN: true }), (file, part) => {
      const byte = Math.round(part * file.bytes);
      const all = { from: 0, to: file.bytes };
      const elapsed = dueAt(file, startedAt, byte) - startedAt;
      expect(deliverable(file, elapsed, all)).toBeGreaterThanOrEqual(byte);
      if (elapsed > 0) {
        expect(deliverable(file, elapsed - 1, all)).toBeLessThan(byte);
      }
    }),
  );
});

test("everything is due before the file has played to its end", () => {
  fc.assert(
    fc.property(files, (file) => {
      expect(dueAt(file, startedAt, file.bytes) - startedAt).toBeLessThanOrEqual(file.durationMs);
      expect(deliverable(file, file.durationMs, { from: 0, to: file.bytes })).toBe(file.bytes);
    }),
  );
});

test.each([
  [0, 0],
  [4000, 0],
  [4015, 0],
  [4016, 1],
  [20_000, 1000],
  [963_999, 59_999],
  [964_000, 60_000],
])("the bytes before %i hold %i ms of sound", (byte, ms) => {
  expect(playedBefore(minute, byte)).toBe(ms);
});

test("the whole sound is the whole duration, with or without something behind it", () => {
  fc.assert(
    fc.property(files, (file) => {
      expect(playedBefore(file, soundEnd(file))).toBe(file.durationMs);
      expect(playedBefore(file, file.bytes)).toBe(file.durationMs);
      expect(playedBefore(file, file.audioStart)).toBe(0);
    }),
  );
});

test("nobody is led on past what they can have heard", () => {
  fc.assert(
    fc.property(files, fc.nat(700_000), (file, elapsed) => {
      const to = deliverable(file, elapsed, { from: 0, to: file.bytes });
      expect(positionOf(playedBefore(file, to))).toBeLessThanOrEqual(elapsed);
      expect(positionOf(playedBefore(file, to))).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("a file that holds no sound can be computed with", () => {
  const broken = { bytes: 100, durationMs: 4000, audioStart: 200, audioEnd: null };
  expect(deliverable(broken, 0, { from: 0, to: 100 })).toBe(100);
  expect(playedBefore(broken, 100)).toBe(0);
});
