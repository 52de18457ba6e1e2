import { describe, expect, test } from "vitest";
import { reduce } from "~/player/machine";
import { messages } from "~/player/messages";
import { initialState, type PlayerInput, type PlayerState, snapshotOf } from "~/player/state";
import { elapsed, playing, song, startOf } from "./support.ts";

const other = { ...song, songId: "song-2", trackId: "track-2" };
const wrong = playing({ trackId: "track-9" });

const states: Record<string, PlayerState> = {
  connecting: initialState,
  idle: elapsed([[0, { type: "ready", deviceId: "device" }]]),
  broken: elapsed([[0, { type: "driver-failed", failure: "script" }]]),
  loading: elapsed([[0, { type: "chosen", song }]]),
  starting: elapsed(startOf(song).slice(0, 3)),
  accepted: elapsed(startOf(song).slice(0, 4)),
  playing: elapsed(startOf(song)),
  paused: elapsed([
    ...startOf(song),
    [11_000, { type: "report", report: playing({ paused: true, positionMs: 10_000 }) }],
  ]),
  strayed: elapsed([...startOf(song), [11_000, { type: "report", report: wrong }]]),
  confirming: elapsed([
    ...startOf(song),
    [15_000, { type: "report", report: playing({ positionMs: 14_000 }) }],
    [26_000, { type: "report", report: playing({ positionMs: 25_000 }) }],
    [36_000, { type: "tick" }],
  ]),
};
states.unlocked = elapsed([[36_500, { type: "confirmed", attempt: 1 }]], states.confirming);
states.failed = elapsed(
  [[800, { type: "start-failed", attempt: 1, text: "No." }]],
  states.starting,
);

const ok = (text: string) => ({ text, tone: "ok" });
const error = (text: string) => ({ text, tone: "error" });

const transitions: [from: string, now: number, input: PlayerInput, to: Partial<PlayerState>][] = [
  ["connecting", 1, { type: "ready", deviceId: "d" }, { phase: "idle", driver: "ready" }],
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
  ["idle", 1, { type: "not-ready" }, { driver: "connecting", deviceId: null }],
  ["idle", 1, { type: "report", report: playing() }, { phase: "idle" }],
  ["idle", 1, { type: "tick" }, { phase: "idle" }],
  ["loading", 8_000, { type: "tick" }, { phase: "loading" }],
  [
    "loading",
    8_001,
    { type: "tick" },
    { phase: "failed", status: { text: messages.notReady, tone: "error" }, showRestart: true },
  ],
  ["loading", 3, { type: "ready", deviceId: "d" }, { phase: "starting", deviceId: "d" }],
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
  ["starting", 800, { type: "report", report: playing() }, { phase: "starting" }],
  ["starting", 60_000, { type: "tick" }, { phase: "starting" }],
  [
    "starting",
    800,
    { type: "listen-opened", attempt: 1, requiredSeconds: 55 },
    { requiredSeconds: 55 },
  ],
  [
    "starting",
    800,
    { type: "start-failed", attempt: 1, text: "Sorry." },
    { phase: "failed", status: { text: "Sorry.", tone: "error" }, showRestart: true },
  ],
  ["starting", 800, { type: "start-failed", attempt: 0, text: "Old." }, { phase: "starting" }],
  ["starting", 800, { type: "play-accepted", attempt: 1 }, { accepted: true, since: 800 }],
  [
    "accepted",
    1000,
    { type: "report", report: playing() },
    { phase: "playing", status: { text: "Playing...", tone: "ok" }, heardMs: 0 },
  ],
  [
    "accepted",
    1400,
    { type: "report", report: playing({ positionMs: 300 }) },
    { phase: "playing", heardMs: 300 },
  ],
  [
    "accepted",
    1400,
    { type: "report", report: playing({ positionMs: 90_000 }) },
    { phase: "playing", heardMs: 500 },
  ],
  [
    "accepted",
    1000,
    { type: "report", report: playing({ trackId: "x", linkedFromId: "track-1" }) },
    { phase: "playing" },
  ],
  [
    "accepted",
    1000,
    { type: "report", report: playing({ trackId: "x", isrc: "ISRC1" }) },
    { phase: "playing" },
  ],
  ["accepted", 1000, { type: "report", report: playing({ paused: true }) }, { phase: "starting" }],
  ["accepted", 1000, { type: "report", report: null }, { phase: "starting" }],
  ["accepted", 1000, { type: "report", report: wrong }, { phase: "starting" }],
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
    { type: "report", report: playing({ positionMs: 4_000 }) },
    { phase: "playing", heardMs: 4_500 },
  ],
  [
    "playing",
    11_000,
    { type: "report", report: playing({ positionMs: 150_000 }) },
    { phase: "playing", heardMs: 10_000 },
  ],
  [
    "playing",
    2_000,
    { type: "report", report: playing({ paused: true }) },
    { phase: "playing", countingFrom: null },
  ],
  [
    "playing",
    11_000,
    { type: "report", report: playing({ paused: true, positionMs: 10_000 }) },
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
    { type: "report", report: wrong },
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
  [
    "playing",
    11_000,
    { type: "chosen", song },
    { phase: "starting", attempt: 2, heardMs: 0, accepted: false },
  ],
  ["playing", 11_000, { type: "autoplay-failed" }, { phase: "interrupted" }],
  ["playing", 11_000, { type: "playback-error" }, { phase: "failed" }],
  [
    "playing",
    11_000,
    { type: "stopped" },
    { phase: "idle", status: { text: "Ready", tone: "ok" }, countingFrom: null },
  ],
  [
    "paused",
    60_000,
    { type: "report", report: playing({ positionMs: 10_100 }) },
    { phase: "playing", heardMs: 10_000, errorType: null, showRestart: false },
  ],
  ["paused", 60_000, { type: "tick" }, { phase: "interrupted", heardMs: 10_000 }],
  ["paused", 60_000, { type: "report", report: wrong }, { errorType: "wrongSong" }],
  ["paused", 60_000, { type: "chosen", song: other }, { phase: "starting", song: other }],
  [
    "strayed",
    12_000,
    { type: "report", report: { ...wrong, paused: true } },
    { phase: "interrupted", errorType: "wrongSong" },
  ],
  [
    "strayed",
    12_000,
    { type: "report", report: playing({ positionMs: 10_000 }) },
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
  ["unlocked", 40_000, { type: "report", report: wrong }, { phase: "unlocked" }],
  ["unlocked", 40_000, { type: "tick" }, { phase: "unlocked" }],
  ["unlocked", 40_000, { type: "chosen", song: other }, { phase: "starting", song: other }],
  ["failed", 900, { type: "report", report: playing() }, { phase: "failed" }],
  ["failed", 900, { type: "chosen", song }, { phase: "starting", attempt: 2 }],
  ["failed", 900, { type: "tick" }, { phase: "failed" }],
];

describe("transitions", () => {
  test.each(transitions)("%s at %i: %j", (from, now, input, to) => {
    const state = states[from];
    if (!state) throw new Error(`no state ${from}`);
    expect(reduce(state, { ...input, now })).toMatchObject(to);
  });

  test("the states are what their names say", () => {
    const phases = Object.entries(states).map(([name, state]) => [name, state.phase]);
    expect(Object.fromEntries(phases)).toEqual({
      connecting: "idle",
      idle: "idle",
      broken: "idle",
      loading: "loading",
      starting: "starting",
      accepted: "starting",
      playing: "playing",
      paused: "interrupted",
      strayed: "interrupted",
      confirming: "confirming",
      unlocked: "unlocked",
      failed: "failed",
    });
  });
});

describe("a wrong track that plays from the start", () => {
  test("is called wrong when the right one does not come", () => {
    const state = elapsed(
      [
        [1_500, { type: "report", report: wrong }],
        [10_901, { type: "tick" }],
      ],
      states.accepted,
    );
    expect(state).toMatchObject({ phase: "interrupted", errorType: "wrongSong" });
  });
});

test.each([
  ["idle", { songId: null, phase: "idle", unlocked: false, busy: false }],
  ["loading", { songId: "song-1", phase: "loading", unlocked: false, busy: true }],
  ["starting", { songId: "song-1", phase: "starting", unlocked: false, busy: true }],
  ["playing", { songId: "song-1", phase: "playing", unlocked: false, busy: true }],
  ["paused", { songId: "song-1", phase: "interrupted", unlocked: false, busy: false }],
  ["confirming", { songId: "song-1", phase: "confirming", unlocked: false, busy: true }],
  ["unlocked", { songId: "song-1", phase: "unlocked", unlocked: true, busy: false }],
  ["failed", { songId: "song-1", phase: "failed", unlocked: false, busy: false }],
])("the page sees %s as it is", (name, snapshot) => {
  const state = states[name];
  expect(state && snapshotOf(state)).toEqual(snapshot);
});

test("messages have their tone", () => {
  expect(initialState.status).toEqual(ok("Ready"));
  expect(states.paused?.status).toEqual(error(messages.pausedEarly));
});
