import { expect, test } from "vitest";
import { reduce } from "~/player/machine/machine";
import { messages } from "~/player/machine/messages";
import type { PlayerInput, PlayerState } from "~/player/machine/state";
import { elapsed, otherSong as other, playback, song, statesIn, wrongTrack } from "../support.ts";

const states = statesIn("page");
type State = keyof typeof states;

const transitions: [from: State, now: number, input: PlayerInput, to: Partial<PlayerState>][] = [
  ["connecting", 1, { type: "ready" }, { phase: "idle", driver: "ready" }],
  ["connecting", 1, { type: "driver-failed", failure: "account" }, { phase: "idle" }],
  [
    "connecting",
    1,
    { type: "chosen", song },
    {
      phase: "loading",
      status: {
        text: "Initializing Spotify player. Please wait a moment and try playing a song again.",
        tone: "ok",
      },
    },
  ],
  [
    "broken",
    1,
    { type: "chosen", song },
    {
      phase: "failed",
      status: {
        text: "Failed to load Spotify player. Please refresh the page.",
        tone: "error",
      },
      showRestart: false,
    },
  ],
  [
    "idle",
    1,
    { type: "chosen", song },
    { phase: "starting", status: { text: "Loading and starting playback...", tone: "ok" } },
  ],
  ["idle", 1, { type: "chosen", song }, { requiredSeconds: 34, totalMs: 200_000 }],
  ["idle", 1, { type: "not-ready" }, { driver: "not-ready" }],
  ["idle", 1, { type: "report", report: playback() }, { phase: "idle" }],
  ["idle", 1, { type: "tick" }, { phase: "idle" }],
  ["loading", 8_000, { type: "tick" }, { phase: "loading" }],
  [
    "loading",
    8_001,
    { type: "tick" },
    { phase: "failed", status: { text: messages.notReady, tone: "error" }, showRestart: true },
  ],
  ["loading", 3, { type: "ready" }, { phase: "starting" }],
  [
    "loading",
    3,
    { type: "driver-failed", failure: "initialization" },
    {
      phase: "failed",
      status: {
        text: "Error initializing Spotify player. Please refresh the page.",
        tone: "error",
      },
      showRestart: false,
    },
  ],
  ["loading", 3, { type: "driver-failed", failure: "account" }, { phase: "failed" }],
  ["loading", 3, { type: "chosen", song: other }, { phase: "loading", song, attempt: 1 }],
  ["loading", 3, { type: "stopped" }, { phase: "idle", attempt: 2 }],
  ["starting", 800, { type: "report", report: playback() }, { phase: "starting" }],
  ["starting", 30_500, { type: "tick" }, { phase: "starting" }],
  [
    "starting",
    30_501,
    { type: "tick" },
    {
      phase: "failed",
      attempt: 2,
      showRestart: true,
      status: { text: "Error starting playback. Please try again.", tone: "error" },
    },
  ],
  [
    "starting",
    800,
    { type: "listen-opened", attempt: 1, requiredSeconds: 55 },
    { requiredSeconds: 55 },
  ],
  [
    "starting",
    800,
    { type: "refused", attempt: 1, text: "Sorry." },
    { phase: "failed", status: { text: "Sorry.", tone: "error" }, showRestart: true },
  ],
  ["starting", 800, { type: "refused", attempt: 0, text: "Old." }, { phase: "starting" }],
  ["starting", 800, { type: "play-accepted", attempt: 1 }, { accepted: true, since: 800 }],
  [
    "accepted",
    1000,
    { type: "report", report: playback() },
    { phase: "playing", status: { text: "Playing...", tone: "ok" }, heardMs: 0 },
  ],
  [
    "accepted",
    1400,
    { type: "report", report: playback({ progressMs: 300 }) },
    { phase: "playing", heardMs: 300 },
  ],
  [
    "accepted",
    1400,
    { type: "report", report: playback({ progressMs: 90_000 }) },
    { phase: "playing", heardMs: 500 },
  ],
  [
    "accepted",
    1000,
    { type: "report", report: playback({ trackIds: ["x", "track-1"] }) },
    { phase: "playing" },
  ],
  [
    "accepted",
    1000,
    { type: "report", report: playback({ trackIds: ["x"], isrc: "ISRC1" }) },
    { phase: "playing" },
  ],
  [
    "accepted",
    1000,
    { type: "report", report: playback({ playing: false }) },
    { phase: "starting" },
  ],
  ["accepted", 1000, { type: "report", report: null }, { phase: "starting" }],
  ["accepted", 1000, { type: "report", report: wrongTrack }, { phase: "starting" }],
  [
    "accepted",
    1000,
    { type: "report", report: playback({ durationMs: 199_000 }) },
    { totalMs: 199_000 },
  ],
  ["accepted", 1000, { type: "report", report: playback({ durationMs: 0 }) }, { totalMs: 200_000 }],
  ["accepted", 10_900, { type: "tick" }, { phase: "starting" }],
  [
    "accepted",
    10_901,
    { type: "tick" },
    {
      phase: "interrupted",
      status: { text: "Error starting playback. Please try again.", tone: "error" },
      errorType: null,
      showRestart: true,
    },
  ],
  [
    "accepted",
    1000,
    { type: "autoplay-failed" },
    { phase: "interrupted", status: { text: messages.autoplayFailed, tone: "error" } },
  ],
  ["accepted", 1000, { type: "playback-error" }, { phase: "failed", showRestart: true }],
  ["accepted", 1000, { type: "driver-failed", failure: "account" }, { phase: "failed" }],
  ["playing", 3_500, { type: "tick" }, { phase: "playing", heardMs: 2_500 }],
  ["playing", 900, { type: "tick" }, { heardMs: 0 }],
  ["playing", 3_000, { type: "driver-failed", failure: "authentication" }, { phase: "playing" }],
  [
    "playing",
    11_000,
    { type: "report", report: playback({ progressMs: 4_000 }) },
    { phase: "playing", heardMs: 4_500 },
  ],
  [
    "playing",
    11_000,
    { type: "report", report: playback({ progressMs: 150_000 }) },
    { phase: "playing", heardMs: 10_000 },
  ],
  [
    "playing",
    2_000,
    { type: "report", report: playback({ durationMs: 199_000 }) },
    { totalMs: 199_000 },
  ],
  [
    "playing",
    2_000,
    { type: "report", report: playback({ playing: false }) },
    { phase: "playing", countingFrom: null },
  ],
  [
    "playing",
    11_000,
    { type: "report", report: playback({ playing: false, progressMs: 10_000 }) },
    {
      phase: "interrupted",
      status: { text: "Error: Please do not pause the playback.", tone: "error" },
      errorType: "pause",
      showRestart: true,
      heardMs: 10_000,
    },
  ],
  ["playing", 11_000, { type: "report", report: null }, { errorType: "pause" }],
  [
    "playing",
    11_000,
    { type: "report", report: wrongTrack },
    {
      phase: "interrupted",
      status: {
        text: "Error. The song you should rate is not being played back!",
        tone: "error",
      },
      errorType: "wrongSong",
      showRestart: true,
    },
  ],
  ["playing", 11_000, { type: "chosen", song: other }, { phase: "playing", song }],
  ["playing", 11_000, { type: "chosen", song }, { phase: "playing", attempt: 1 }],
  [
    "playing",
    11_000,
    { type: "reset" },
    { phase: "idle", attempt: 2, heardMs: 0, accepted: false },
  ],
  ["playing", 11_000, { type: "autoplay-failed" }, { phase: "interrupted" }],
  ["playing", 11_000, { type: "playback-error" }, { phase: "failed", countingFrom: null }],
  [
    "playing",
    11_000,
    { type: "stopped" },
    { phase: "idle", status: { text: "Ready", tone: "ok" }, countingFrom: null },
  ],
  [
    "paused",
    60_000,
    { type: "report", report: playback({ progressMs: 10_100 }) },
    { phase: "playing", heardMs: 10_000, errorType: null, showRestart: false },
  ],
  ["paused", 60_000, { type: "tick" }, { phase: "interrupted", heardMs: 10_000 }],
  ["paused", 60_000, { type: "report", report: wrongTrack }, { errorType: "wrongSong" }],
  ["paused", 60_000, { type: "chosen", song: other }, { phase: "starting", song: other }],
  [
    "wrongTrackPlaying",
    12_000,
    { type: "report", report: { ...wrongTrack, playing: false } },
    { phase: "interrupted", errorType: "wrongSong" },
  ],
  [
    "wrongTrackPlaying",
    12_000,
    { type: "report", report: playback({ progressMs: 10_000 }) },
    { phase: "playing", status: { text: "Playing...", tone: "ok" }, errorType: null },
  ],
  [
    "confirming",
    36_500,
    { type: "confirmed", attempt: 1 },
    {
      phase: "unlocked",
      status: {
        text: "Great, now you can rate this song in its box below! Then click 'Play Song' for the next song.",
        tone: "ok",
      },
    },
  ],
  ["confirming", 36_500, { type: "confirmed", attempt: 0 }, { phase: "confirming" }],
  [
    "confirming",
    36_500,
    { type: "confirm-failed", attempt: 1, text: "Not heard." },
    { phase: "failed", status: { text: "Not heard.", tone: "error" }, showRestart: true },
  ],
  ["confirming", 36_500, { type: "report", report: null }, { phase: "confirming" }],
  ["confirming", 99_000, { type: "tick" }, { phase: "confirming", heardMs: 35_000 }],
  ["unlocked", 40_000, { type: "report", report: wrongTrack }, { phase: "unlocked" }],
  ["unlocked", 40_000, { type: "tick" }, { phase: "unlocked" }],
  ["unlocked", 40_000, { type: "chosen", song: other }, { phase: "starting", song: other }],
  ["failed", 900, { type: "report", report: playback() }, { phase: "failed" }],
  ["failed", 900, { type: "chosen", song }, { phase: "starting", attempt: 2 }],
  ["failed", 900, { type: "tick" }, { phase: "failed" }],
];

test.each(transitions)("%s at %i: %o", (from, now, input, to) => {
  expect(reduce(states[from], { ...input, now })).toMatchObject(to);
});

test("a song can start although the browser blocked its sound before Spotify had answered", () => {
  const state = elapsed(
    [
      [800, { type: "autoplay-failed" }],
      [900, { type: "play-accepted", attempt: 1 }],
      [2_000, { type: "report", report: playback() }],
    ],
    states.starting,
  );
  expect(state).toMatchObject({ phase: "playing", heardMs: 0 });
});

test("a wrong track from the start is an error once the right one has not come in time", () => {
  const state = elapsed(
    [
      [1_500, { type: "report", report: wrongTrack }],
      [10_901, { type: "tick" }],
    ],
    states.accepted,
  );
  expect(state).toMatchObject({ phase: "interrupted", errorType: "wrongSong" });
});

test("the time to wait for the driver begins when the song is chosen", () => {
  const late = elapsed([[5_000, { type: "chosen", song }]], states.connecting);
  expect(elapsed([[13_000, { type: "tick" }]], late).phase).toBe("loading");
  expect(elapsed([[13_001, { type: "tick" }]], late).phase).toBe("failed");
});

test("a short pause right after the first sound is the player's own, however late the sound came", () => {
  const late = elapsed([[6_000, { type: "report", report: playback() }]], states.accepted);
  const pause = { type: "report", report: playback({ playing: false }) } as const;
  expect(elapsed([[7_499, pause]], late).phase).toBe("playing");
  expect(elapsed([[7_500, pause]], late).phase).toBe("interrupted");
});

test("a failure does not show the error of a wrong track that played before it", () => {
  const state = elapsed(
    [
      [1_500, { type: "report", report: wrongTrack }],
      [2_000, { type: "playback-error" }],
    ],
    states.accepted,
  );
  expect(state).toMatchObject({ phase: "failed", errorType: null });
});
