/** Answers of Spotify's that do not tell what plays, or where. */
import { describe, expect, test } from "vitest";
import { wantsReport, wantsTicks } from "~/player/machine/machine";
import { canResume, type PlayerInput } from "~/player/machine/state";
import { elapsed, playback, report, song, startOf, statesIn, wrongTrack } from "../support.ts";

const unknown: PlayerInput = { type: "unknown" };
const states = statesIn("app");

describe("where Spotify does not tell what plays", () => {
  const asked = elapsed([[4_000, unknown]], states.playing);

  test("the clock counts for a moment, and Spotify is asked again at each tick", () => {
    expect(asked).toMatchObject({ phase: "playing", heardMs: 3_000, errorType: null });
    expect(wantsReport(asked, 5_000, 2_000)).toBe(true);
    expect(elapsed([[8_999, unknown]], asked)).toMatchObject({ phase: "playing", heardMs: 7_999 });
  });

  test("what it tells then counts as if it had told it all along", () => {
    const known = elapsed([[7_000, report(playback({ progressMs: 6_000 }))]], asked);
    expect(known).toMatchObject({ phase: "playing", heardMs: 6_000, unknownSince: null });
    expect(wantsReport(known, 8_000, 2_000)).toBe(false);
    // The five seconds begin anew.
    expect(elapsed([[11_900, unknown]], known).phase).toBe("playing");
    const other = elapsed([[7_000, report(wrongTrack)]], asked);
    expect(other).toMatchObject({ phase: "interrupted", errorType: "wrongSong" });
  });

  test("for five seconds, nothing is taken to play, and what was heard stays", () => {
    const silent = elapsed([[9_000, unknown]], asked);
    expect(silent).toMatchObject({ phase: "interrupted", errorType: "noDevice", dialogOpen: true });
    expect(silent.heardMs).toBe(8_000);
    expect(canResume(silent)).toBe(true);
    const back = elapsed([[12_000, report(playback({ progressMs: 11_000 }))]], silent);
    expect(back).toMatchObject({ phase: "playing", dialogOpen: false, unknownSince: null });
  });

  test("a song that is confirmed meanwhile is left to the server", () => {
    const later = elapsed(
      [
        [36_100, unknown],
        [45_000, unknown],
      ],
      states.confirming,
    );
    expect(later).toMatchObject({ phase: "confirming" });
  });

  test("a song that was rated plays on", () => {
    const rated = elapsed([[37_000, { type: "rated" }]], states.unlocked);
    expect(elapsed([[201_000, unknown]], rated)).toMatchObject({ rated: true, sounding: true });
    const over = [201_000, 206_000].map((now): [number, PlayerInput] => [now, unknown]);
    expect(elapsed(over, rated)).toMatchObject({ phase: "idle", song: null });
  });

  test("a song that does not start for it asks for the app, not for another try", () => {
    const steps = [1_000, 4_000, 8_000].map((now): [number, PlayerInput] => [now, unknown]);
    const late = elapsed([...steps, [11_000, { type: "tick" }]], states.accepted);
    expect(late).toMatchObject({ phase: "interrupted", errorType: "noDevice", dialogOpen: true });
    expect(wantsTicks(late, 12_000)).toBe(true);
  });
});

describe("at an unknown position", () => {
  const unplaced = (changes = {}) => report(playback({ progressMs: null, ...changes }));

  test("the clock counts while the song plays", () => {
    const steps = [1_000, 3_000, 5_000, 7_000].map((now): [number, PlayerInput] => [
      now,
      unplaced(),
    ]);
    const state = elapsed([...startOf(song).slice(0, 4), ...steps]);
    expect(state).toMatchObject({ phase: "playing", heardMs: 6_000 });
  });

  test("a paused song keeps what was heard", () => {
    const state = elapsed([[6_000, unplaced({ playing: false })]], states.playing);
    expect(state).toMatchObject({ phase: "interrupted", errorType: "pause", heardMs: 5_000 });
  });

  test("another track is the wrong one", () => {
    const state = elapsed([[6_000, unplaced({ trackIds: ["track-9"] })]], states.playing);
    expect(state).toMatchObject({ phase: "interrupted", errorType: "wrongSong" });
  });
});

describe("a crossfade", () => {
  const shown = { ...song, durationMs: 30_000, requiredSeconds: 29 };
  const playing = (progressMs: number) => report(playback({ progressMs, durationMs: 30_000 }));
  const next = (progressMs: number) => report({ ...wrongTrack, progressMs });
  const before: [number, PlayerInput][] = [...startOf(shown), [17_000, playing(16_000)]];

  test("begins the next song up to twelve seconds early: the clock counts the rest", () => {
    const followed = elapsed([...before, [19_500, next(500)]]);
    expect(followed).toMatchObject({ phase: "playing", ended: true, pauses: 0, errorType: null });
    expect(elapsed([[31_000, { type: "tick" }]], followed).phase).toBe("confirming");
  });

  test("does not explain a song that began earlier, or plays further on", () => {
    for (const steps of [
      [[16_000, next(500)] as [number, PlayerInput]],
      [[17_000, playing(16_000)] as [number, PlayerInput], [19_500, next(4_000)]],
    ] as [number, PlayerInput][][]) {
      const replaced = elapsed([...startOf(shown), ...steps]);
      expect(replaced).toMatchObject({ phase: "interrupted", errorType: "wrongSong" });
    }
  });
});

describe("a confirmation that the server could not give", () => {
  const failed = (kept: boolean): PlayerInput => ({
    ...{ type: "confirm-failed", attempt: 1, text: "Not known." },
    kept,
  });

  test("but may still give leaves what was heard, to be resumed and asked about again", () => {
    const kept = elapsed([[40_000, failed(true)]], states.confirming);
    expect(kept).toMatchObject({
      phase: "interrupted",
      heardMs: 35_000,
      status: { text: "Not known.", tone: "error" },
      dialogOpen: false,
    });
    expect(canResume(kept)).toBe(true);
    // It does not ask by itself for ever.
    expect(wantsTicks(kept, 41_000)).toBe(false);
    const again = elapsed(
      [
        [50_000, { type: "resumed" }],
        [50_500, { type: "play-accepted", attempt: 3 }],
        [51_000, report(playback({ progressMs: 35_400 }))],
        [52_000, { type: "tick" }],
      ],
      kept,
    );
    expect(again.phase).toBe("confirming");
  });

  test("is final otherwise", () => {
    expect(elapsed([[40_000, failed(false)]], states.confirming)).toMatchObject({
      phase: "failed",
    });
  });
});
