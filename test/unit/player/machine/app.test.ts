import { expect, test } from "vitest";
import { reduce } from "~/player/machine/machine";
import { messages } from "~/player/machine/messages";
import type { PlayerInput } from "~/player/machine/state";
import { elapsed, playback, report, song, statesIn, wrongTrack } from "../support.ts";

const states = statesIn("app");
const paused = playback({ playing: false, progressMs: 10_000 });
const close: PlayerInput = { type: "dialog-closed" };

test("a closed dialog stays closed while the same error lasts", () => {
  const closed = reduce(states.wrongTrackPlaying, { ...close, now: 12_000 });
  expect(closed).toMatchObject({ dialogOpen: false, errorType: "wrongSong", showRestart: true });
  const again = reduce(closed, { ...report(wrongTrack), now: 14_000 });
  expect(again).toMatchObject({ dialogOpen: false, errorType: "wrongSong" });
  expect(reduce(states.wrongTrackPlaying, { ...report(wrongTrack), now: 14_000 }).dialogOpen).toBe(
    true,
  );
});

test("a dialog opens for another error, and for the same error after the song has played again", () => {
  const closed = reduce(states.paused, { ...close, now: 12_000 });
  expect(reduce(closed, { ...report(wrongTrack), now: 14_000 })).toMatchObject({
    dialogOpen: true,
    errorType: "wrongSong",
  });
  const pausedAgain = elapsed(
    [
      [14_000, report(playback({ progressMs: 10_000 }))],
      [20_000, report({ ...paused, progressMs: 16_000 })],
    ],
    closed,
  );
  expect(pausedAgain).toMatchObject({ dialogOpen: true, errorType: "pause" });
});

test("the dialog that asks for a device closes when the song is chosen again", () => {
  const without = elapsed(
    [[800, { type: "start-failed", attempt: 1, failure: "no-device" }]],
    states.starting,
  );
  expect(without).toMatchObject({ errorType: "noDevice", dialogOpen: true });
  expect(reduce(without, { ...close, now: 900 })).toMatchObject({
    errorType: "noDevice",
    dialogOpen: false,
  });
  expect(elapsed([[900, { type: "reset" }]], without)).toMatchObject({
    errorType: null,
    dialogOpen: false,
  });
});

test("where the device went away in the middle, it stays to be heard from there", () => {
  const gone = reduce(states.playing, { ...report(null), now: 11_000 });
  expect(gone).toMatchObject({ phase: "interrupted", heardMs: 10_000, errorType: "noDevice" });
  const still = elapsed(
    [
      [20_000, { type: "resumed" }],
      [20_500, { type: "start-failed", attempt: 2, failure: "no-device" }],
    ],
    gone,
  );
  expect(still).toMatchObject({ errorType: "noDevice", dialogOpen: true, heardMs: 10_000 });
  expect(reduce(still, { type: "resumed", now: 30_000 })).toMatchObject({ phase: "starting" });
});

test.each([
  ["paused the song", report({ ...paused, progressMs: 10_000 }), "pause"],
  ["played another one", report(wrongTrack), "wrongSong"],
] as const)("a device that went away after it %s is told too, once", (_what, before, errorType) => {
  const interrupted = reduce(states.playing, { ...before, now: 11_000 });
  expect(interrupted).toMatchObject({ errorType, dialogOpen: true });
  const gone = reduce(interrupted, { ...report(null), now: 13_000 });
  expect(gone).toMatchObject({ heardMs: 10_000, errorType: "noDevice", dialogOpen: true });
  const closed = elapsed(
    [
      [14_000, close],
      [15_000, report(null)],
    ],
    gone,
  );
  expect(closed).toMatchObject({ errorType: "noDevice", dialogOpen: false });
});

test("in the page, silence after a pause says nothing of a device", () => {
  const { paused } = statesIn("page");
  expect(reduce(paused, { ...report(null), now: 13_000 }).errorType).toBe("pause");
});

test("a resumed song keeps the heard time, in a new attempt", () => {
  const resumed = reduce(states.paused, { type: "resumed", now: 20_000 });
  expect(resumed).toMatchObject({
    phase: "starting",
    attempt: 2,
    heardMs: 10_000,
    since: 20_000,
    accepted: false,
    status: { text: "Loading and starting playback...", tone: "ok" },
    errorType: null,
    dialogOpen: false,
    showRestart: false,
  });
  const early = reduce(resumed, { ...report(playback({ progressMs: 10_000 })), now: 20_100 });
  expect(early.phase).toBe("starting");
  const continued = elapsed(
    [
      [20_500, { type: "play-accepted", attempt: 2 }],
      [21_000, report(playback({ progressMs: 10_500 }))],
      [24_000, { type: "tick" }],
    ],
    resumed,
  );
  expect(continued).toMatchObject({ phase: "playing", heardMs: 13_000 });
});

test("only an interrupted song that was partly heard can be resumed", () => {
  const unheard = elapsed([[10_901, { type: "tick" }]], states.accepted);
  expect(unheard).toMatchObject({ phase: "interrupted", heardMs: 0 });
  for (const state of [unheard, states.playing, states.failed, states.unlocked]) {
    expect(reduce(state, { type: "resumed", now: 40_000 })).toBe(state);
  }
});

test("a reset keeps the song and clears its heard time", () => {
  expect(reduce(states.paused, { type: "reset", now: 20_000 })).toMatchObject({
    phase: "idle",
    song,
    place: "app",
    driver: "ready",
    attempt: 2,
    heardMs: 0,
    accepted: false,
    status: { text: "Loading and starting playback...", tone: "ok" },
    errorType: null,
    dialogOpen: false,
    showRestart: false,
  });
});

test("a change of place begins without a song and with a connecting driver", () => {
  const moved = reduce(statesIn("page").broken, {
    type: "place-changed",
    place: "app",
    now: 1_000,
  });
  expect(moved).toMatchObject({ phase: "idle", place: "app", driver: "connecting", song: null });
  const away = reduce(states.playing, { type: "place-changed", place: "page", now: 5_000 });
  expect(away).toMatchObject({ place: "page", driver: "connecting", song: null, attempt: 2 });
});

test("a song whose start cannot be seen for a limit says so, until it is seen to play", () => {
  const accepted = reduce(states.starting, { type: "play-accepted", attempt: 1, now: 800 });
  const limit: PlayerInput = { type: "unanswered", limited: true };
  const limited = elapsed([[900, limit]], accepted);
  expect(limited).toMatchObject({ phase: "starting", status: { text: messages.limited } });
  const late = elapsed([[12_000, { type: "tick" }]], limited);
  expect(late).toMatchObject({ phase: "interrupted", status: { text: messages.limited } });
  const playing = reduce(late, { ...report(playback({ progressMs: 11_000 })), now: 13_000 });
  expect(playing).toMatchObject({ phase: "playing", status: { text: messages.playing } });
});
