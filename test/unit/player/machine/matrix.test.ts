import { expect, test } from "vitest";
import type { Place } from "~/player/drivers/driver";
import { reduce } from "~/player/machine/machine";
import type { Phase, PlayerInput, PlayerState } from "~/player/machine/state";
import { otherSong, playback, song, statesIn, wrongTrack } from "../support.ts";

/** A representative state of each phase, and when it was reached. */
function columns(place: Place): Record<Phase, { state: PlayerState; at: number }> {
  const states = statesIn(place);
  return {
    idle: { state: states.idle, at: 0 },
    loading: { state: states.loading, at: 0 },
    starting: { state: states.accepted, at: 900 },
    playing: { state: states.playing, at: 1_000 },
    interrupted: { state: states.paused, at: 11_000 },
    confirming: { state: states.confirming, at: 36_000 },
    unlocked: { state: states.unlocked, at: 36_500 },
    failed: { state: states.failed, at: 800 },
  };
}

/** Every type of input; a type with several meanings has a line for each. */
type Line =
  | Exclude<PlayerInput["type"], "chosen" | "report" | "tick">
  | "chosen"
  | "other chosen"
  | "right playing"
  | "right paused"
  | "wrong playing"
  | "wrong paused"
  | "nothing plays"
  | "limited"
  | "tick"
  | "late tick";

/** The inputs come two seconds after the state was reached, the late tick a minute after. */
const inputs: Record<Line, (attempt: number) => PlayerInput> = {
  "place-changed": () => ({ type: "place-changed", place: "app" }),
  reconnecting: () => ({ type: "reconnecting", place: "page" }),
  "volume-set": () => ({ type: "volume-set", volume: 0.5 }),
  "other-tab-plays": () => ({ type: "other-tab-plays" }),
  ready: () => ({ type: "ready" }),
  "not-ready": () => ({ type: "not-ready" }),
  "driver-failed": () => ({ type: "driver-failed", failure: "script" }),
  chosen: () => ({ type: "chosen", song }),
  "other chosen": () => ({ type: "chosen", song: otherSong }),
  reset: () => ({ type: "reset" }),
  resumed: () => ({ type: "resumed" }),
  followed: () => ({ type: "followed", song }),
  "listen-opened": (attempt) => ({ type: "listen-opened", attempt, requiredSeconds: 34 }),
  "play-accepted": (attempt) => ({ type: "play-accepted", attempt }),
  "start-failed": (attempt) => ({ type: "start-failed", attempt, failure: "failed" }),
  refused: (attempt) => ({ type: "refused", attempt, text: "No." }),
  "right playing": () => ({ type: "report", report: playback({ progressMs: 2_000 }) }),
  "right paused": () => ({
    type: "report",
    report: playback({ playing: false, progressMs: 2_000 }),
  }),
  "wrong playing": () => ({ type: "report", report: wrongTrack }),
  "wrong paused": () => ({ type: "report", report: { ...wrongTrack, playing: false } }),
  "nothing plays": () => ({ type: "report", report: null }),
  unanswered: () => ({ type: "unanswered" }),
  limited: () => ({ type: "unanswered", limited: true }),
  "autoplay-failed": () => ({ type: "autoplay-failed" }),
  "playback-error": () => ({ type: "playback-error" }),
  tick: () => ({ type: "tick" }),
  "late tick": () => ({ type: "tick" }),
  confirmed: (attempt) => ({ type: "confirmed", attempt }),
  "confirm-delayed": (attempt) => ({ type: "confirm-delayed", attempt, text: "Wait." }),
  "confirm-failed": (attempt) => ({ type: "confirm-failed", attempt, text: "No." }),
  "dialog-closed": () => ({ type: "dialog-closed" }),
  stopped: () => ({ type: "stopped" }),
};

/** "-": the phase stays the same. */
type To = Phase | "-";

/** One parameter for each phase: the phase that it changes to. */
function row(
  idle: To,
  loading: To,
  starting: To,
  playing: To,
  interrupted: To,
  confirming: To,
  unlocked: To,
  failed: To,
): Record<Phase, To> {
  return { idle, loading, starting, playing, interrupted, confirming, unlocked, failed };
}

const idle = "idle";
const starting = "starting";
const gone = "interrupted";

const matrix: Record<Line, Record<Phase, To>> = {
  // from: idle, loading, starting, playing, interrupted, confirming, unlocked, failed
  "place-changed": row("-", idle, idle, idle, idle, idle, idle, idle),
  reconnecting: row("-", "-", gone, gone, "-", "-", "-", "-"),
  "volume-set": row("-", "-", "-", "-", "-", "-", "-", "-"),
  "other-tab-plays": row("-", "failed", "failed", "failed", "failed", "-", "-", "-"),
  ready: row("-", starting, "-", "-", "-", "-", "-", "-"),
  "not-ready": row("-", "-", "-", "-", "-", "-", "-", "-"),
  "driver-failed": row("-", "failed", "failed", "-", "-", "-", "-", "-"),
  chosen: row(starting, "-", "-", "-", starting, "-", starting, starting),
  "other chosen": row(starting, "-", "-", "-", starting, "-", starting, starting),
  reset: row("-", idle, idle, idle, idle, idle, idle, idle),
  resumed: row("-", "-", "-", "-", starting, "-", "-", "-"),
  followed: row(gone, "-", "-", "-", "-", "-", "-", "-"),
  "listen-opened": row("-", "-", "-", "-", "-", "-", "-", "-"),
  "play-accepted": row("-", "-", "-", "-", "-", "-", "-", "-"),
  "start-failed": row("-", "-", "failed", "-", "-", "-", "-", "-"),
  refused: row("-", "-", "failed", "-", "-", "-", "-", "-"),
  "right playing": row("-", "-", "playing", "-", "playing", "-", "-", "-"),
  "right paused": row("-", "-", "-", "interrupted", "-", "interrupted", "-", "-"),
  "wrong playing": row("-", "-", "-", "interrupted", "-", "interrupted", "-", "-"),
  "wrong paused": row("-", "-", "-", "interrupted", "-", "-", "-", "-"),
  "nothing plays": row("-", "-", "-", "interrupted", "-", "-", "-", "-"),
  unanswered: row("-", "-", "-", "-", "-", "-", "-", "-"),
  limited: row("-", "-", "-", "-", "-", "-", "-", "-"),
  "autoplay-failed": row("-", "-", "interrupted", "interrupted", "-", "-", "-", "-"),
  "playback-error": row("-", "-", "failed", "failed", "-", "-", "-", "-"),
  tick: row("-", "-", "-", "-", "-", "-", "-", "-"),
  "late tick": row("-", "failed", "interrupted", "-", "-", "-", "-", "-"),
  confirmed: row("-", "-", "-", "-", "-", "unlocked", "-", "-"),
  "confirm-delayed": row("-", "-", "-", "-", "-", "-", "-", "-"),
  "confirm-failed": row("-", "-", "-", "-", "-", "failed", "-", "-"),
  "dialog-closed": row("-", "-", "-", "-", "-", "-", "-", "-"),
  stopped: row("-", idle, idle, idle, idle, idle, idle, idle),
};

const phases = Object.keys(columns("page")) as Phase[];
const lines = Object.keys(matrix) as Line[];
const places: Place[] = ["page", "app"];

test.each(places)("each state is in the phase that it represents: %s", (place) => {
  for (const phase of phases) expect(columns(place)[phase].state).toMatchObject({ phase, place });
});

test.each(places.flatMap((place) => lines.map((line) => ({ line, place }))))(
  "$line in the $place",
  ({ line, place }) => {
    const outcomes = phases.map((phase) => {
      const { state, at } = columns(place)[phase];
      const now = at + (line === "late tick" ? 60_000 : 2_000);
      return [phase, reduce(state, { ...inputs[line](state.attempt), now }).phase];
    });
    const expected = phases.map((phase) => {
      const to = matrix[line][phase];
      return [phase, to === "-" ? phase : to];
    });
    expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(expected));
  },
);

const answers = lines.filter((line) => "attempt" in inputs[line](0));

/** Where answers are waited for. In any other phase they come too late to mean anything. */
const awaited: Partial<Record<Line, Phase[]>> = {
  "listen-opened": ["starting"],
  "play-accepted": ["starting", "interrupted"],
  "start-failed": ["starting"],
  refused: ["starting"],
  confirmed: ["confirming"],
  "confirm-delayed": ["confirming"],
  "confirm-failed": ["confirming"],
};

test.each(answers)("%s changes nothing in a phase that does not wait for it", (line) => {
  for (const phase of phases.filter((phase) => !awaited[line]?.includes(phase))) {
    const { state, at } = columns("app")[phase];
    expect(reduce(state, { ...inputs[line](state.attempt), now: at + 2_000 })).toBe(state);
  }
});

test.each(answers)("%s for an older attempt changes nothing", (line) => {
  for (const phase of phases) {
    const { state, at } = columns("app")[phase];
    expect(reduce(state, { ...inputs[line](state.attempt - 1), now: at + 2_000 })).toBe(state);
  }
});
