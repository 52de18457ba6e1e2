import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Playback } from "~/adapters/spotify/spotify";
import { judgeListen, requiredListeningSeconds } from "~/domain/listening/listening";
import { unlockMs, unlockSeconds, unlockTime } from "~/domain/listening/progress";

const startedAt = Date.UTC(2026, 10, 1);
const track = "0songs0songs0songs0son";
const long = {
  ...{ startedAt, requiredSeconds: 55, trackId: track, isrc: "ZZ1", durationMs: 200_000 },
  // No spot check has run yet.
  ...{ observedAt: null, heardMs: 0, positionMs: 0, recheckAt: null },
};
/** 4.6 s long: over 0.6 s after its unlock at 4 s. */
const short = { ...long, requiredSeconds: 3, durationMs: 4_600 };

function playback(changes: Partial<Playback> = {}): Playback {
  return { playing: true, progressMs: 56_000, trackIds: [track], isrc: "ZZ1", ...changes };
}

function secondsIn(seconds: number): number {
  return startedAt + seconds * 1000;
}

describe("required listening", () => {
  test.each([
    { tier: 55, durationMs: 200_000, required: 55 },
    { tier: 34, durationMs: 200_000, required: 34 },
    { tier: 55, durationMs: 55_000, required: 55 },
    { tier: 34, durationMs: 34_000, required: 34 },
    { tier: 55, durationMs: 54_999, required: 53 },
    { tier: 55, durationMs: 54_000, required: 53 },
    { tier: 55, durationMs: 34_000, required: 33 },
    { tier: 34, durationMs: 33_000, required: 32 },
    { tier: 55, durationMs: 5_000, required: 4 },
    { tier: 55, durationMs: 4_000, required: 3 },
    { tier: 34, durationMs: 4_000, required: 3 },
    { tier: 55, durationMs: 2_000, required: 3 },
    { tier: 55, durationMs: 1, required: 3 },
  ])("of $durationMs ms at $tier s is $required s", ({ tier, durationMs, required }) => {
    expect(requiredListeningSeconds(tier, durationMs)).toBe(required);
  });

  test("is whole seconds, from 3 to the tier's, and never falls as songs get longer", () => {
    const tier = fc.constantFrom(55, 34);
    fc.assert(
      fc.property(tier, fc.integer({ min: 1, max: 600_000 }), (seconds, durationMs) => {
        const required = requiredListeningSeconds(seconds, durationMs);
        expect(Number.isInteger(required)).toBe(true);
        expect(required).toBeGreaterThanOrEqual(3);
        expect(required).toBeLessThanOrEqual(seconds);
        const longer = requiredListeningSeconds(seconds, durationMs + 1000);
        expect(longer).toBeGreaterThanOrEqual(required);
      }),
    );
  });

  test("is unlocked at the required seconds plus one", () => {
    expect(unlockSeconds(55)).toBe(56);
    expect(unlockMs(55)).toBe(56_000);
    expect(unlockMs(3)).toBe(4_000);
    expect(unlockTime(long, secondsIn(0))).toBe(secondsIn(56));
    expect(unlockTime(short, secondsIn(0))).toBe(secondsIn(4));
  });
});

describe("a listen of a long song is", () => {
  const other = playback({ trackIds: ["0other"], isrc: "ZZ2", progressMs: 90_000 });
  test.each([
    {
      name: "too early a millisecond before the unlock, whatever Spotify says",
      at: 55.999,
      word: playback({ progressMs: 120_000 }),
      judgement: { heard: false, why: "early", secondsLeft: 1 },
    },
    {
      name: "too early by the clock alone where Spotify is unreachable",
      at: 10,
      word: "unreachable" as const,
      judgement: { heard: false, why: "early", secondsLeft: 46 },
    },
    {
      name: "heard at the unlock with Spotify at that point",
      at: 56,
      word: playback(),
      judgement: { heard: true, evidence: "spotify" },
    },
    {
      name: "heard where Spotify lags by a second",
      at: 56,
      word: playback({ progressMs: 55_000 }),
      judgement: { heard: true, evidence: "spotify" },
    },
    {
      name: "too early where Spotify lags by more than a second",
      at: 56,
      word: playback({ progressMs: 54_999 }),
      judgement: { heard: false, why: "early", secondsLeft: 2 },
    },
    {
      name: "too early while Spotify is only half way, however late it is",
      at: 600,
      word: playback({ progressMs: 28_000 }),
      judgement: { heard: false, why: "early", secondsLeft: 28 },
    },
    {
      name: "heard where it was paused past the point",
      at: 70,
      word: playback({ playing: false, progressMs: 57_000 }),
      judgement: { heard: true, evidence: "spotify" },
    },
    {
      name: "not heard where it was paused before the point",
      at: 70,
      word: playback({ playing: false, progressMs: 20_000 }),
      judgement: { heard: false, why: "paused", secondsLeft: 36 },
    },
    {
      name: "not heard where it stands at its beginning before it can have ended",
      at: 70,
      word: playback({ playing: false, progressMs: 0 }),
      judgement: { heard: false, why: "paused", secondsLeft: 56 },
    },
    {
      name: "heard where it stands at its beginning after its end",
      at: 201,
      word: playback({ playing: false, progressMs: 0 }),
      judgement: { heard: true, evidence: "spotify" },
    },
    {
      name: "heard where it stands at its beginning right at its end",
      at: 200,
      word: playback({ playing: false, progressMs: 0 }),
      judgement: { heard: true, evidence: "spotify" },
    },
    {
      name: "not heard where it was paused early on, even once it could have ended",
      at: 201,
      word: playback({ playing: false, progressMs: 20_000 }),
      judgement: { heard: false, why: "paused", secondsLeft: 36 },
    },
    {
      name: "not heard where it plays from its beginning again after its end",
      at: 201,
      word: playback({ playing: true, progressMs: 0 }),
      judgement: { heard: false, why: "early", secondsLeft: 56 },
    },
    {
      name: "not heard where another song plays",
      at: 60,
      word: other,
      judgement: { heard: false, why: "wrong-song", secondsLeft: 56 },
    },
    {
      name: "not heard where nothing is active",
      at: 60,
      word: null,
      judgement: { heard: false, why: "nothing-playing", secondsLeft: 56 },
    },
    {
      name: "heard by the clock alone where Spotify is unreachable",
      at: 56,
      word: "unreachable" as const,
      judgement: { heard: true, evidence: "clock" },
    },
  ])("$name", ({ at, word, judgement }) => {
    expect(judgeListen(long, secondsIn(at), word)).toEqual(judgement);
  });
});

describe("the song that plays is the right one", () => {
  const right = { heard: true, evidence: "spotify" };
  const wrong = { heard: false, why: "wrong-song", secondsLeft: 56 };
  test.each([
    { name: "by its own id", word: playback({ isrc: null }), judgement: right },
    {
      name: "by the id it was relinked from",
      word: playback({ trackIds: ["0twin", track], isrc: null }),
      judgement: right,
    },
    { name: "by its ISRC", word: playback({ trackIds: ["0twin"] }), judgement: right },
    {
      name: "not by another ISRC",
      word: playback({ trackIds: ["0twin"], isrc: "ZZ2" }),
      judgement: wrong,
    },
    {
      name: "not where nothing identifies it, as with a local file",
      word: playback({ trackIds: [], isrc: null }),
      judgement: wrong,
    },
  ])("$name", ({ word, judgement }) => {
    expect(judgeListen(long, secondsIn(57), word)).toEqual(judgement);
  });

  test("not by an ISRC that neither side has", () => {
    const unnamed = { ...long, isrc: null };
    const word = playback({ trackIds: ["0twin"], isrc: null });
    expect(judgeListen(unnamed, secondsIn(57), word)).toEqual(wrong);
  });
});

describe("a listen of a song that is over soon after its unlock is", () => {
  const next = playback({ trackIds: ["0next"], isrc: "ZZ2" });
  test.each([
    {
      name: "heard where it still plays",
      at: 4.2,
      word: playback({ progressMs: 4_100 }),
      judgement: { heard: true, evidence: "spotify" },
    },
    {
      name: "heard where it stands at its beginning",
      at: 5,
      word: playback({ playing: false, progressMs: 0 }),
      judgement: { heard: true, evidence: "spotify" },
    },
    {
      name: "heard where the player has just gone on to the next song",
      at: 5.6,
      word: { ...next, progressMs: 900 },
      judgement: { heard: true, evidence: "clock" },
    },
    {
      name: "heard where the next song begins right at the end",
      at: 4.6,
      word: { ...next, progressMs: 0 },
      judgement: { heard: true, evidence: "clock" },
    },
    {
      name: "heard where the next song has played for all of three seconds since the end",
      at: 7.6,
      word: { ...next, progressMs: 3_000 },
      judgement: { heard: true, evidence: "clock" },
    },
    {
      name: "not heard where the next song has played for longer than that",
      at: 7.601,
      word: { ...next, progressMs: 3_000 },
      judgement: { heard: false, why: "wrong-song", secondsLeft: 4 },
    },
    {
      name: "not heard where the other song is further on than the end allows",
      at: 5.6,
      word: { ...next, progressMs: 1_100 },
      judgement: { heard: false, why: "wrong-song", secondsLeft: 4 },
    },
    {
      name: "not heard where another song plays before the end",
      at: 4.5,
      word: { ...next, progressMs: 0 },
      judgement: { heard: false, why: "wrong-song", secondsLeft: 4 },
    },
    {
      name: "not heard where the other song began long after the end",
      at: 30,
      word: { ...next, progressMs: 500 },
      judgement: { heard: false, why: "wrong-song", secondsLeft: 4 },
    },
  ])("$name", ({ at, word, judgement }) => {
    expect(judgeListen(short, secondsIn(at), word)).toEqual(judgement);
  });
});

test("nothing unlocks before its time, whatever Spotify says", () => {
  const word = fc.oneof(
    fc.constant(null),
    fc.constant("unreachable" as const),
    fc.record({
      playing: fc.boolean(),
      progressMs: fc.nat(300_000),
      trackIds: fc.subarray([track, "0other"]),
      isrc: fc.constantFrom("ZZ1", "ZZ2", null),
    }),
  );
  const listen = fc
    .tuple(fc.constantFrom(55, 34), fc.integer({ min: 1, max: 300_000 }))
    .map(([tier, durationMs]) => ({
      ...long,
      durationMs,
      requiredSeconds: requiredListeningSeconds(tier, durationMs),
    }));
  fc.assert(
    fc.property(listen, fc.nat(400_000), word, (open, elapsedMs, said) => {
      const judgement = judgeListen(open, startedAt + elapsedMs, said);
      if (elapsedMs < (open.requiredSeconds + 1) * 1000) {
        expect(judgement).toMatchObject({ heard: false, why: "early" });
      }
      if (!judgement.heard) expect(judgement.secondsLeft).toBeGreaterThan(0);
    }),
  );
});
