import { expect, test } from "vitest";
import type { Phase, PlayerState } from "~/player/machine/state";
import {
  after,
  choose,
  type Happening,
  otherSong as other,
  pausedAt,
  playback,
  plays,
  type Story,
  song,
  statesIn,
  wrongTrack,
} from "../support.ts";

const states = statesIn("page");

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

const opened: Happening = { type: "listen-opened", requiredSeconds: 34 };
const notStarted: Happening = { type: "start-failed", failure: "failed" };
const refused: Happening = { type: "refused", text: "No." };
const delayed: Happening = { type: "confirm-delayed", text: "Wait." };
const unconfirmed: Happening = { type: "confirm-failed", text: "No.", kept: false };
const script: Happening = { type: "driver-failed", failure: "script" };

/** Each input with the phase that it leads to from each of the phases; "-": it stays the same. */
const matrix: [happening: Happening, to: string, afterMs?: number][] = [
  // from: idle, loading, starting, playing, interrupted, confirming, unlocked, failed
  [{ type: "place-changed", place: "app" }, "- idle idle idle idle idle idle idle"],
  [{ type: "reconnecting", place: "page" }, "- - interrupted interrupted - - - -"],
  [{ type: "volume-set", volume: 0.5 }, "- - - - - - - -"],
  [{ type: "other-tab-plays", song }, "failed failed failed failed failed - - -"],
  ["ready", "- starting - - - - - -"],
  ["not-ready", "- - - - - - - -"],
  [script, "- failed failed - - - - -"],
  [choose(song), "starting - - - starting - starting starting"],
  [choose(other), "starting - - - starting - starting starting"],
  ["reset", "- idle idle idle idle idle idle idle"],
  ["steered", "- - - - - - - -"],
  ["resumed", "- - - - starting - - -"],
  [{ type: "followed", song }, "interrupted - - - - - - -"],
  [opened, "- - - - - - - -"],
  ["play-accepted", "- - - - - - - -"],
  [notStarted, "- - failed - - - - -"],
  [refused, "- - failed - - - - -"],
  [plays(2_000), "- - playing - playing - - -"],
  [pausedAt(2_000), "- - - interrupted - interrupted - -"],
  [wrongTrack, "- - - interrupted - interrupted - -"],
  [{ ...wrongTrack, playing: false }, "- - - interrupted - - - -"],
  [null, "- - - interrupted - - - -"],
  ["unanswered", "- - - - - - - -"],
  [{ type: "unanswered", limited: true }, "- - - - - - - -"],
  ["autoplay-failed", "- - interrupted interrupted - - - -"],
  ["playback-error", "- - failed failed - - - -"],
  ["tick", "- - - - - - - -"],
  ["tick", "- failed interrupted - - - - -", 60_000],
  ["confirmed", "- - - - - unlocked - -"],
  [delayed, "- - - - - - - -"],
  [unconfirmed, "- - - - - failed - -"],
  ["dialog-closed", "- - - - - - - -"],
  ["rated", "- - - unlocked idle unlocked - idle"],
  ["stopped", "- idle idle idle idle idle idle idle"],
];

test.each(matrix)("%o leads to: %s", (happening, to, afterMs = 2_000) => {
  for (const place of ["page", "app"] as const) {
    const outcomes = phases.map((phase) => {
      const [name, at] = representatives[phase];
      const state = statesIn(place)[name];
      expect(state).toMatchObject({ phase, place });
      const next = after(state, at + afterMs, happening).phase;
      return next === phase ? "-" : next;
    });
    expect([place, ...outcomes]).toEqual([place, ...to.split(" ")]);
  }
});

/** Where answers are waited for. */
const awaited: [Exclude<Happening, string | null>, Phase[]][] = [
  [opened, ["starting"]],
  [{ type: "play-accepted" }, ["starting", "interrupted"]],
  [notStarted, ["starting"]],
  [refused, ["starting"]],
  [{ type: "confirmed" }, ["confirming"]],
  [delayed, ["confirming"]],
  [unconfirmed, ["confirming"]],
];

test.each(awaited)(
  "nothing changes by an answer that is late or not waited for: %o",
  (answer, by) => {
    for (const phase of phases) {
      const [name, at] = representatives[phase];
      const state = statesIn("app")[name];
      const late = { ...answer, attempt: state.attempt - 1 };
      expect(after(state, at + 2_000, late)).toBe(state);
      if (!by.includes(phase)) expect(after(state, at + 2_000, answer)).toBe(state);
    }
  },
);

type Transition = [
  from: keyof typeof states,
  now: number,
  happening: Happening,
  to: Partial<PlayerState>,
];

test.each<Transition>([
  ["connecting", 1, "ready", { phase: "idle", driver: "ready" }],
  ["connecting", 1, choose(song), { phase: "loading" }],
  ["broken", 1, choose(song), { phase: "failed" }],
  ["idle", 1, choose(song), { requiredSeconds: 34, totalMs: 200_000 }],
  ["idle", 1, "not-ready", { driver: "not-ready" }],
  ["loading", 8_000, "tick", { phase: "loading" }],
  ["loading", 8_001, "tick", { phase: "failed" }],
  ["loading", 3, choose(other), { song, attempt: 1 }],
  ["loading", 3, "stopped", { attempt: 2 }],
  ["starting", 800, playback(), { phase: "starting" }],
  ["starting", 30_500, "tick", { phase: "starting" }],
  ["starting", 30_501, "tick", { phase: "failed", attempt: 2 }],
  ["starting", 800, { ...opened, requiredSeconds: 55 }, { requiredSeconds: 55 }],
  ["starting", 800, "play-accepted", { accepted: true, since: 800 }],
  ["accepted", 1_000, playback(), { phase: "playing", reachedMs: 0 }],
  ["accepted", 1_400, plays(300), { reachedMs: 300 }],
  ["accepted", 1_400, plays(90_000), { reachedMs: 500 }],
  ["accepted", 1_000, playback({ trackIds: ["x", "track-1"] }), { phase: "playing" }],
  ["accepted", 1_000, playback({ trackIds: ["x"], isrc: "ISRC1" }), { phase: "playing" }],
  ["accepted", 1_000, playback({ durationMs: 199_000 }), { totalMs: 199_000 }],
  ["accepted", 1_000, playback({ durationMs: 0 }), { totalMs: 200_000 }],
  ["accepted", 10_900, "tick", { phase: "starting" }],
  ["accepted", 10_901, "tick", { phase: "interrupted", errorType: null }],
  ["playing", 3_500, "tick", { phase: "playing", reachedMs: 2_500 }],
  ["playing", 900, "tick", { reachedMs: 0 }],
  ["playing", 3_000, { ...script, failure: "authentication" }, { phase: "playing" }],
  ["playing", 11_000, plays(4_000), { reachedMs: 4_500 }],
  ["playing", 11_000, plays(150_000), { reachedMs: 10_000 }],
  ["playing", 2_000, playback({ durationMs: 199_000 }), { totalMs: 199_000 }],
  ["playing", 2_000, pausedAt(0), { phase: "playing", countingFrom: null }],
  ["playing", 11_000, pausedAt(10_000), { phase: "interrupted", reachedMs: 10_000 }],
  ["playing", 11_000, choose(song), { attempt: 1 }],
  ["playing", 11_000, "reset", { attempt: 2, reachedMs: 0, accepted: false }],
  ["playing", 11_000, "playback-error", { countingFrom: null }],
  ["playing", 11_000, "stopped", { song: null, countingFrom: null }],
  ["paused", 60_000, plays(10_100), { reachedMs: 10_000 }],
  ["paused", 60_000, "tick", { reachedMs: 10_000 }],
  ["paused", 60_000, choose(other), { phase: "starting", song: other }],
  ["wrongTrackPlaying", 12_000, { ...wrongTrack, playing: false }, { errorType: "wrongSong" }],
  ["confirming", 99_000, "tick", { phase: "confirming", reachedMs: 35_000 }],
  ["failed", 900, choose(song), { phase: "starting", attempt: 2 }],
])("%s at %i: %o", (from, now, happening, to) => {
  expect(after(states[from], now, happening)).toMatchObject(to);
});

test("a song can start although the browser blocked its sound before Spotify had answered", () => {
  const blocked = after(states.starting, 800, "autoplay-failed", 900, "play-accepted");
  expect(after(blocked, 2_000, playback())).toMatchObject({ phase: "playing", reachedMs: 0 });
});

test("the time to wait for the driver begins when the song is chosen", () => {
  const late = after(states.connecting, 5_000, choose(song));
  expect(after(late, 13_000, "tick").phase).toBe("loading");
  expect(after(late, 13_001, "tick").phase).toBe("failed");
});

test("a short pause right after the first sound is the player's own, however late the sound came", () => {
  const late = after(states.accepted, 6_000, playback());
  expect(after(late, 7_499, pausedAt(0)).phase).toBe("playing");
  expect(after(late, 7_500, pausedAt(0)).phase).toBe("interrupted");
});

test("a failure does not show the error of a wrong track that played before it", () => {
  expect(after(states.accepted, 1_500, wrongTrack, 2_000, "playback-error")).toMatchObject({
    phase: "failed",
    errorType: null,
  });
});

const eighth = playback({ trackIds: ["track-8"] });
const ninth = wrongTrack;
const paused = pausedAt(1_000);

test.each<[string, keyof typeof states, Story, pauses: number]>([
  ["once, though its device may not obey at once", "playing", [2_000, eighth, eighth], 1],
  [
    "again where it begins again",
    "playing",
    [2_000, eighth, { ...eighth, playing: false }, eighth],
    2,
  ],
  ["again where the song played in between", "playing", [2_000, eighth, plays(1_000), eighth], 2],
  ["as is the one after it", "playing", [2_000, eighth, ninth], 2],
  ["where it begins while the song is interrupted", "playing", [3_000, paused, 5_000, ninth], 1],
  ["but not a minute later", "playing", [3_000, paused, 63_000, ninth], 0],
  ["but not while the song starts", "accepted", [1_000, ninth, 10_900, "tick"], 0],
  [
    "where it still plays when the start is given up",
    "accepted",
    [1_000, ninth, 10_901, "tick"],
    1,
  ],
  ["but not once the song is heard", "unlocked", [37_000, ninth], 0],
  [
    ...(["but not the song under another id", "accepted"] as const),
    [1_000, ninth, playback({ trackIds: ["copy", "track-1"] }), { ...ninth, playing: false }],
    0,
  ],
])("a track that replaces the song is paused %s", (_name, from, story, pauses) => {
  expect(after(states[from], ...story).pauses).toBe(pauses);
});
