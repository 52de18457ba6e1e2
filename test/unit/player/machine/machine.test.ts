import { expect, test } from "vitest";
import { reduce } from "~/player/machine/machine";
import type { Phase, PlayerInput, PlayerState } from "~/player/machine/state";
import {
  elapsed,
  otherSong as other,
  playback,
  report,
  song,
  statesIn,
  wrongTrack,
} from "../support.ts";

const states = statesIn("page");
const tick: PlayerInput = { type: "tick" };

/** A representative state of each phase, and when it was reached. */
const representatives: Record<Phase, [state: keyof typeof states, at: number]> = {
  idle: ["idle", 0],
  loading: ["loading", 0],
  starting: ["accepted", 900],
  playing: ["playing", 1_000],
  interrupted: ["paused", 11_000],
  confirming: ["confirming", 36_000],
  unlocked: ["unlocked", 36_500],
  failed: ["failed", 800],
};
const phases = Object.keys(representatives) as Phase[];

/** An answer of the server or the driver to an attempt. */
type Answer = (attempt: number) => PlayerInput;
const opened: Answer = (attempt) => ({ type: "listen-opened", attempt, requiredSeconds: 34 });
const accepted: Answer = (attempt) => ({ type: "play-accepted", attempt });
const notStarted: Answer = (attempt) => ({ type: "start-failed", attempt, failure: "failed" });
const refused: Answer = (attempt) => ({ type: "refused", attempt, text: "No." });
const confirmed: Answer = (attempt) => ({ type: "confirmed", attempt });
const delayed: Answer = (attempt) => ({ type: "confirm-delayed", attempt, text: "Wait." });
const unconfirmed: Answer = (attempt) => ({
  type: "confirm-failed",
  attempt,
  text: "No.",
  kept: false,
});

const right = playback({ progressMs: 2_000 });

/** Each input with the phase that it leads to from each of the phases; "-": it stays the same. */
const matrix: [input: PlayerInput | Answer, to: string, afterMs?: number][] = [
  // from: idle, loading, starting, playing, interrupted, confirming, unlocked, failed
  [{ type: "place-changed", place: "app" }, "- idle idle idle idle idle idle idle"],
  [{ type: "reconnecting", place: "page" }, "- - interrupted interrupted - - - -"],
  [{ type: "volume-set", volume: 0.5 }, "- - - - - - - -"],
  [{ type: "other-tab-plays", song }, "failed failed failed failed failed - - -"],
  [{ type: "ready" }, "- starting - - - - - -"],
  [{ type: "not-ready" }, "- - - - - - - -"],
  [{ type: "driver-failed", failure: "script" }, "- failed failed - - - - -"],
  [{ type: "chosen", song }, "starting - - - starting - starting starting"],
  [{ type: "chosen", song: other }, "starting - - - starting - starting starting"],
  [{ type: "reset" }, "- idle idle idle idle idle idle idle"],
  [{ type: "steered" }, "- - - - - - - -"],
  [{ type: "resumed" }, "- - - - starting - - -"],
  [{ type: "followed", song }, "interrupted - - - - - - -"],
  [opened, "- - - - - - - -"],
  [accepted, "- - - - - - - -"],
  [notStarted, "- - failed - - - - -"],
  [refused, "- - failed - - - - -"],
  [report(right), "- - playing - playing - - -"],
  [report({ ...right, playing: false }), "- - - interrupted - interrupted - -"],
  [report(wrongTrack), "- - - interrupted - interrupted - -"],
  [report({ ...wrongTrack, playing: false }), "- - - interrupted - - - -"],
  [report(null), "- - - interrupted - - - -"],
  [{ type: "unanswered" }, "- - - - - - - -"],
  [{ type: "unanswered", limited: true }, "- - - - - - - -"],
  [{ type: "autoplay-failed" }, "- - interrupted interrupted - - - -"],
  [{ type: "playback-error" }, "- - failed failed - - - -"],
  [tick, "- - - - - - - -"],
  [tick, "- failed interrupted - - - - -", 60_000],
  [confirmed, "- - - - - unlocked - -"],
  [delayed, "- - - - - - - -"],
  [unconfirmed, "- - - - - failed - -"],
  [{ type: "dialog-closed" }, "- - - - - - - -"],
  [{ type: "rated" }, "- - - unlocked idle unlocked - idle"],
  [{ type: "stopped" }, "- idle idle idle idle idle idle idle"],
];

test.each(matrix)("%o leads to: %s", (input, to, afterMs = 2_000) => {
  for (const place of ["page", "app"] as const) {
    const outcomes = phases.map((phase) => {
      const [name, at] = representatives[phase];
      const state = statesIn(place)[name];
      expect(state).toMatchObject({ phase, place });
      const given = typeof input === "function" ? input(state.attempt) : input;
      const next = reduce(state, { ...given, now: at + afterMs }).phase;
      return next === phase ? "-" : next;
    });
    expect([place, ...outcomes]).toEqual([place, ...to.split(" ")]);
  }
});

/** Where answers are waited for. */
const awaited: [Answer, Phase[]][] = [
  [opened, ["starting"]],
  [accepted, ["starting", "interrupted"]],
  [notStarted, ["starting"]],
  [refused, ["starting"]],
  [confirmed, ["confirming"]],
  [delayed, ["confirming"]],
  [unconfirmed, ["confirming"]],
];

test.each(awaited)(
  "nothing changes by an answer that is late or not waited for: %o",
  (answer, by) => {
    for (const phase of phases) {
      const [name, at] = representatives[phase];
      const state = statesIn("app")[name];
      const now = at + 2_000;
      expect(reduce(state, { ...answer(state.attempt - 1), now })).toBe(state);
      if (!by.includes(phase)) expect(reduce(state, { ...answer(state.attempt), now })).toBe(state);
    }
  },
);

type Transition = [
  from: keyof typeof states,
  now: number,
  input: PlayerInput,
  to: Partial<PlayerState>,
];

test.each<Transition>([
  ["connecting", 1, { type: "ready" }, { phase: "idle", driver: "ready" }],
  ["connecting", 1, { type: "chosen", song }, { phase: "loading" }],
  ["broken", 1, { type: "chosen", song }, { phase: "failed" }],
  ["idle", 1, { type: "chosen", song }, { requiredSeconds: 34, totalMs: 200_000 }],
  ["idle", 1, { type: "not-ready" }, { driver: "not-ready" }],
  ["loading", 8_000, tick, { phase: "loading" }],
  ["loading", 8_001, tick, { phase: "failed" }],
  ["loading", 3, { type: "chosen", song: other }, { song, attempt: 1 }],
  ["loading", 3, { type: "stopped" }, { attempt: 2 }],
  ["starting", 800, report(playback()), { phase: "starting" }],
  ["starting", 30_500, tick, { phase: "starting" }],
  ["starting", 30_501, tick, { phase: "failed", attempt: 2 }],
  [
    "starting",
    800,
    { type: "listen-opened", attempt: 1, requiredSeconds: 55 },
    { requiredSeconds: 55 },
  ],
  ["starting", 800, { type: "play-accepted", attempt: 1 }, { accepted: true, since: 800 }],
  ["accepted", 1_000, report(playback()), { phase: "playing", heardMs: 0 }],
  ["accepted", 1_400, report(playback({ progressMs: 300 })), { heardMs: 300 }],
  ["accepted", 1_400, report(playback({ progressMs: 90_000 })), { heardMs: 500 }],
  ["accepted", 1_000, report(playback({ trackIds: ["x", "track-1"] })), { phase: "playing" }],
  ["accepted", 1_000, report(playback({ trackIds: ["x"], isrc: "ISRC1" })), { phase: "playing" }],
  ["accepted", 1_000, report(playback({ durationMs: 199_000 })), { totalMs: 199_000 }],
  ["accepted", 1_000, report(playback({ durationMs: 0 })), { totalMs: 200_000 }],
  ["accepted", 10_900, tick, { phase: "starting" }],
  ["accepted", 10_901, tick, { phase: "interrupted", errorType: null }],
  ["playing", 3_500, tick, { phase: "playing", heardMs: 2_500 }],
  ["playing", 900, tick, { heardMs: 0 }],
  ["playing", 3_000, { type: "driver-failed", failure: "authentication" }, { phase: "playing" }],
  ["playing", 11_000, report(playback({ progressMs: 4_000 })), { heardMs: 4_500 }],
  ["playing", 11_000, report(playback({ progressMs: 150_000 })), { heardMs: 10_000 }],
  ["playing", 2_000, report(playback({ durationMs: 199_000 })), { totalMs: 199_000 }],
  [
    "playing",
    2_000,
    report(playback({ playing: false })),
    { phase: "playing", countingFrom: null },
  ],
  [
    "playing",
    11_000,
    report(playback({ playing: false, progressMs: 10_000 })),
    { phase: "interrupted", heardMs: 10_000 },
  ],
  ["playing", 11_000, { type: "chosen", song }, { attempt: 1 }],
  ["playing", 11_000, { type: "reset" }, { attempt: 2, heardMs: 0, accepted: false }],
  ["playing", 11_000, { type: "playback-error" }, { countingFrom: null }],
  ["playing", 11_000, { type: "stopped" }, { song: null, countingFrom: null }],
  ["paused", 60_000, report(playback({ progressMs: 10_100 })), { heardMs: 10_000 }],
  ["paused", 60_000, tick, { heardMs: 10_000 }],
  ["paused", 60_000, { type: "chosen", song: other }, { phase: "starting", song: other }],
  [
    "wrongTrackPlaying",
    12_000,
    report({ ...wrongTrack, playing: false }),
    { phase: "interrupted", errorType: "wrongSong" },
  ],
  ["confirming", 99_000, tick, { phase: "confirming", heardMs: 35_000 }],
  ["failed", 900, { type: "chosen", song }, { phase: "starting", attempt: 2 }],
])("%s at %i: %o", (from, now, input, to) => {
  expect(reduce(states[from], { ...input, now })).toMatchObject(to);
});

test("a song can start although the browser blocked its sound before Spotify had answered", () => {
  const state = elapsed(
    [
      [800, { type: "autoplay-failed" }],
      [900, { type: "play-accepted", attempt: 1 }],
      [2_000, report(playback())],
    ],
    states.starting,
  );
  expect(state).toMatchObject({ phase: "playing", heardMs: 0 });
});

test("the time to wait for the driver begins when the song is chosen", () => {
  const late = elapsed([[5_000, { type: "chosen", song }]], states.connecting);
  expect(elapsed([[13_000, tick]], late).phase).toBe("loading");
  expect(elapsed([[13_001, tick]], late).phase).toBe("failed");
});

test("a short pause right after the first sound is the player's own, however late the sound came", () => {
  const late = elapsed([[6_000, report(playback())]], states.accepted);
  const pause = report(playback({ playing: false }));
  expect(elapsed([[7_499, pause]], late).phase).toBe("playing");
  expect(elapsed([[7_500, pause]], late).phase).toBe("interrupted");
});

test("a failure does not show the error of a wrong track that played before it", () => {
  const state = elapsed(
    [
      [1_500, report(wrongTrack)],
      [2_000, { type: "playback-error" }],
    ],
    states.accepted,
  );
  expect(state).toMatchObject({ phase: "failed", errorType: null });
});
