import { expect, test } from "vitest";
import { messages } from "~/player/machine/messages";
import { after, pausedAt, plays, song, statesIn, wrongTrack } from "../support.ts";

const states = statesIn("app");
const noDevice = { type: "start-failed", failure: "no-device" } as const;
const begins = {
  accepted: false,
  status: { text: "Loading and starting playback...", tone: "ok" },
  errorType: null,
  dialogOpen: false,
  showRestart: false,
};

test("a closed dialog stays closed while the same error lasts", () => {
  expect(after(states.wrongTrackPlaying, 14_000, wrongTrack).dialogOpen).toBe(true);
  const closed = after(states.wrongTrackPlaying, 12_000, "dialog-closed");
  expect(closed).toMatchObject({ dialogOpen: false, errorType: "wrongSong", showRestart: true });
  expect(after(closed, 14_000, wrongTrack)).toMatchObject({
    dialogOpen: false,
    errorType: "wrongSong",
  });
});

test("a dialog opens for another error, and for the same error after the song has played again", () => {
  const closed = after(states.paused, 12_000, "dialog-closed");
  expect(after(closed, 14_000, wrongTrack)).toMatchObject({
    dialogOpen: true,
    errorType: "wrongSong",
  });
  expect(after(closed, 14_000, plays(10_000), 20_000, pausedAt(16_000))).toMatchObject({
    dialogOpen: true,
    errorType: "pause",
  });
});

test("the dialog that asks for a device closes by itself when the song is chosen again", () => {
  const without = after(states.starting, 800, noDevice);
  expect(without).toMatchObject({ errorType: "noDevice", dialogOpen: true });
  expect(after(without, 900, "dialog-closed")).toMatchObject({
    errorType: "noDevice",
    dialogOpen: false,
  });
  expect(after(without, 900, "reset")).toMatchObject({ errorType: null, dialogOpen: false });
});

test("where the device went away in the middle, the song stays to be heard from there", () => {
  const gone = after(states.playing, 11_000, null);
  expect(gone).toMatchObject({ phase: "interrupted", reachedMs: 10_000, errorType: "noDevice" });
  const still = after(gone, 20_000, "resumed", 20_500, noDevice);
  expect(still).toMatchObject({ errorType: "noDevice", dialogOpen: true, reachedMs: 10_000 });
  expect(after(still, 30_000, "resumed").phase).toBe("starting");
});

test.each([
  ["paused the song", pausedAt(10_000), "pause"],
  ["played another one", wrongTrack, "wrongSong"],
] as const)("a device that went away after it %s is told too, once", (_what, before, errorType) => {
  const interrupted = after(states.playing, 11_000, before);
  expect(interrupted).toMatchObject({ errorType, dialogOpen: true });
  const gone = after(interrupted, 13_000, null);
  expect(gone).toMatchObject({ reachedMs: 10_000, errorType: "noDevice", dialogOpen: true });
  expect(after(gone, 14_000, "dialog-closed", 15_000, null)).toMatchObject({
    errorType: "noDevice",
    dialogOpen: false,
  });
});

test("in the page, silence after a pause says nothing of a device", () => {
  expect(after(statesIn("page").paused, 13_000, null).errorType).toBe("pause");
});

test("a resumed song keeps the heard time, in a new attempt", () => {
  const resumed = after(states.paused, 20_000, "resumed");
  expect(resumed).toMatchObject({
    ...{ phase: "starting", attempt: 2, reachedMs: 10_000, since: 20_000 },
    ...begins,
  });
  expect(after(resumed, 20_100, plays(10_000)).phase).toBe("starting");
  const accepted = after(resumed, 20_500, "play-accepted");
  expect(after(accepted, 21_000, plays(10_500), 24_000, "tick")).toMatchObject({
    phase: "playing",
    reachedMs: 13_000,
  });
});

test("only an interrupted song that was partly heard can be resumed", () => {
  const unheard = after(states.accepted, 10_901, "tick");
  expect(unheard).toMatchObject({ phase: "interrupted", reachedMs: 0 });
  for (const state of [unheard, states.playing, states.failed, states.unlocked]) {
    expect(after(state, 40_000, "resumed")).toBe(state);
  }
});

test("a reset keeps the song and clears its heard time", () => {
  expect(after(states.paused, 20_000, "reset")).toMatchObject({
    ...{ phase: "idle", song, place: "app", driver: "ready", attempt: 2, reachedMs: 0 },
    ...begins,
  });
});

test("a change of place begins without a song and with a connecting driver", () => {
  const anew = { phase: "idle", driver: "connecting", song: null };
  const toApp = { type: "place-changed", place: "app" } as const;
  expect(after(statesIn("page").broken, 1_000, toApp)).toMatchObject({ ...anew, place: "app" });
  expect(after(states.playing, 5_000, { ...toApp, place: "page" })).toMatchObject({
    ...anew,
    place: "page",
    attempt: 2,
  });
});

test("a song whose start cannot be seen for a limit says so, until it is seen to play", () => {
  const limited = after(states.accepted, 1_000, { type: "unanswered", limited: true });
  expect(limited).toMatchObject({
    phase: "starting",
    status: { text: messages.limitedStart, tone: "ok" },
  });
  const late = after(limited, 12_000, "tick");
  expect(late).toMatchObject({
    phase: "interrupted",
    status: { text: messages.limited, tone: "error" },
  });
  expect(after(late, 13_000, plays(11_000))).toMatchObject({
    phase: "playing",
    status: { text: messages.playing },
  });
});
