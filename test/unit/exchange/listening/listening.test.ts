import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requiredListeningSeconds } from "~/exchange/listening/listening";
import type { Playback } from "~/sources/listen";
import { unlockMs, unlockSeconds, unlockTime } from "~/sources/listen";
import { judgeListen, type PlaybackAnswer } from "~/sources/spotify/progress";

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

test.each([
  [55, 200_000, 55],
  [34, 200_000, 34],
  [55, 55_000, 55],
  [34, 34_000, 34],
  [55, 54_999, 53],
  [55, 54_000, 53],
  [55, 34_000, 33],
  [34, 33_000, 32],
  [55, 5_000, 4],
  [55, 4_000, 3],
  [34, 4_000, 3],
  [55, 2_000, 3],
  [55, 1, 3],
])("required listening at %i s of a song of %i ms is %i s", (tier, durationMs, required) => {
  expect(requiredListeningSeconds(tier, durationMs)).toBe(required);
});

test("required listening is whole seconds, from 3 to the tier's, and never falls as songs get longer", () => {
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

test("required listening is unlocked at the required seconds plus one", () => {
  expect(unlockSeconds(55)).toBe(56);
  expect(unlockMs(55)).toBe(56_000);
  expect(unlockMs(3)).toBe(4_000);
  expect(unlockTime(long, secondsIn(0))).toBe(secondsIn(56));
  expect(unlockTime(short, secondsIn(0))).toBe(secondsIn(4));
});

const heard = { is: "heard", evidence: "spotify" };
const byTheClock = { is: "heard", evidence: "clock" };
const not = (why: string, secondsLeft: number) => ({ is: why, secondsLeft });
type Case = [name: string, atSecond: number, word: PlaybackAnswer, judgement: object];
const at = (progressMs: number) => playback({ progressMs });
const pausedAt = (progressMs: number) => playback({ playing: false, progressMs });

const other = playback({ trackIds: ["0other"], isrc: "ZZ2", progressMs: 90_000 });
test.each<Case>([
  ["too early a millisecond before, whatever Spotify says", 55.999, at(120_000), not("early", 1)],
  ["too early by the clock if Spotify is unreachable", 10, "unreachable", not("early", 46)],
  ["heard at the unlock with Spotify at that point", 56, playback(), heard],
  ["heard if Spotify lags by a second", 56, at(55_000), heard],
  ["too early if Spotify lags by more than a second", 56, at(54_999), not("early", 2)],
  ["too early if Spotify is halfway, however late it is", 600, at(28_000), not("early", 28)],
  ["heard if it was paused past the point", 70, pausedAt(57_000), heard],
  ["not heard if it was paused before the point", 70, pausedAt(20_000), not("paused", 36)],
  ["not heard if it is paused at its beginning before its end", 70, pausedAt(0), not("paused", 56)],
  ["heard if it is paused at its beginning after its end", 201, pausedAt(0), heard],
  ["heard if it is paused at its beginning right at its end", 200, pausedAt(0), heard],
  [
    "not heard if it was paused early on, even by its end",
    201,
    pausedAt(20_000),
    not("paused", 36),
  ],
  ["not heard if it plays again from its beginning after its end", 201, at(0), not("early", 56)],
  ["not heard if another song plays", 60, other, not("wrong-song", 56)],
  [
    "asked about again in a second if Spotify does not tell what plays",
    60,
    null,
    not("unknown", 1),
  ],
  [
    "heard by the clock if it plays at an unknown position",
    56,
    playback({ progressMs: null }),
    byTheClock,
  ],
  [
    "not heard if it is paused at an unknown position",
    70,
    playback({ playing: false, progressMs: null }),
    not("paused", 56),
  ],
  [
    "not heard if another song plays at an unknown position",
    60,
    { ...other, progressMs: null },
    not("wrong-song", 56),
  ],
  ["heard by the clock alone if Spotify is unreachable", 56, "unreachable", byTheClock],
])("a listen of a long song is %s", (_name, atSecond, word, judgement) => {
  expect(judgeListen(long, secondsIn(atSecond), word)).toEqual(judgement);
});

const wrong = not("wrong-song", 56);
const twin = (isrc: string | null) => playback({ trackIds: ["0twin"], isrc });
test.each([
  ["by its own id", playback({ isrc: null }), heard],
  ["by the id it was relinked from", playback({ trackIds: ["0twin", track], isrc: null }), heard],
  ["by its ISRC", twin("ZZ1"), heard],
  ["not by another ISRC", twin("ZZ2"), wrong],
])("the right song is playing %s", (_name, word, judgement) => {
  expect(judgeListen(long, secondsIn(57), word)).toEqual(judgement);
});

test("the right song is not playing if neither side has an ISRC", () => {
  expect(judgeListen({ ...long, isrc: null }, secondsIn(57), twin(null))).toEqual(wrong);
});

describe("a listen of a song that is over soon after its unlock is", () => {
  const next = (progressMs: number) => playback({ trackIds: ["0next"], isrc: "ZZ2", progressMs });
  const wrong = not("wrong-song", 4);
  test.each<Case>([
    ["heard if it still plays", 4.2, at(4_100), heard],
    ["heard if it is paused at its beginning", 5, pausedAt(0), heard],
    ["heard if the player has just gone on to the next song", 5.6, next(900), byTheClock],
    ["heard if the next song begins right at the end", 4.6, next(0), byTheClock],
    ["heard if the next song has played for three seconds since", 7.6, next(3_000), byTheClock],
    ["not heard if the next song has played for longer", 7.601, next(3_000), wrong],
    ["not heard if the other song is further on than the end allows", 5.6, next(1_100), wrong],
    ["not heard if another song plays before the end", 4.5, next(0), wrong],
    ["not heard if the other song began long after the end", 30, next(500), wrong],
  ])("%s", (_name, atSecond, word, judgement) => {
    expect(judgeListen(short, secondsIn(atSecond), word)).toEqual(judgement);
  });
});

const next = (progressMs: number | null) =>
  playback({ trackIds: ["0next"], isrc: "ZZ2", progressMs });
const shown = { ...long, durationMs: 60_000 };
test.each<Case>([
  ["heard if the next song began twelve seconds before its end", 56, next(8_000), byTheClock],
  ["heard if it began just now", 56, next(0), byTheClock],
  ["heard if it was begun a second later than that", 57, next(10_000), byTheClock],
  ["not heard if it began earlier", 56, next(9_001), not("wrong-song", 56)],
  ["asked about again if the next one's position is unknown", 56, next(null), not("unknown", 1)],
  ["not heard before its time", 55, next(1_000), not("early", 1)],
])("a song that a crossfade ends early is %s", (_name, atSecond, word, judgement) => {
  expect(judgeListen(shown, secondsIn(atSecond), word)).toEqual(judgement);
});

test("a song that a crossfade ends early is not skipped: thirteen seconds of it have to play, whatever its length", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 4_000, max: 100_000 }),
      fc.nat(100_000),
      (durationMs, startMs) => {
        const requiredSeconds = requiredListeningSeconds(55, durationMs);
        const open = { ...long, durationMs, requiredSeconds };
        const now = unlockTime(open, startedAt);
        const said = next(Math.max(0, now - startedAt - startMs));
        const isEarly = startMs < Math.max(durationMs - 13_000, Math.min(durationMs, 13_000));
        const judged = judgeListen(open, now, said);
        if (isEarly && startMs <= now - startedAt) expect(judged.is).not.toBe("heard");
      },
    ),
  );
});

test("no listen is confirmed before its time, whatever Spotify says", () => {
  const word = fc.oneof(
    fc.constant(null),
    fc.constant("unreachable" as const),
    fc.record({
      playing: fc.boolean(),
      progressMs: fc.option(fc.nat(300_000)),
      trackIds: fc.subarray([track, "0other"], { minLength: 1 }),
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
        const why = said === null ? "unknown" : "early";
        expect(judgement).toMatchObject({ is: why });
      }
      if (judgement.is !== "heard") expect(judgement.secondsLeft).toBeGreaterThan(0);
    }),
  );
});
