import { expect, test } from "vitest";
import type { DriverFailure, Place, PlayFailure } from "~/player/drivers/driver";
import { reduce } from "~/player/machine/machine";
import { messages, trackInfoFailed } from "~/player/machine/messages";
import type { PlayerInput, PlayerState } from "~/player/machine/state";
import { elapsed, playback, song, statesIn, wrongTrack } from "../support.ts";

type State = keyof ReturnType<typeof statesIn>;

/** The part of a state that the player bar and its dialog show. */
type Shown = PlayerState["status"] & Pick<PlayerState, "errorType" | "dialogOpen" | "showRestart">;

function shown({ status, errorType, dialogOpen, showRestart }: PlayerState): Shown {
  return { ...status, errorType, dialogOpen, showRestart };
}

function calm(text: string): Shown {
  return { text, tone: "ok", errorType: null, dialogOpen: false, showRestart: false };
}

function error(text: string, change: Partial<Shown> = {}): Shown {
  return { ...calm(text), tone: "error", showRestart: true, ...change };
}

const report = (given: ReturnType<typeof playback> | null): PlayerInput => ({
  type: "report",
  report: given,
});
const broken = (failure: DriverFailure): PlayerInput => ({ type: "driver-failed", failure });
const notStarted = (failure: PlayFailure): PlayerInput => ({
  type: "start-failed",
  attempt: 1,
  failure,
});
const tick: PlayerInput = { type: "tick" };
const paused = report(playback({ playing: false, progressMs: 10_000 }));

/** The texts of spec sections 2, 4 and 8. Texts of our own are compared by name. */
const texts = {
  notReady: "Initializing Spotify player. Please wait a moment and try playing a song again.",
  script: "Failed to load Spotify player. Please refresh the page.",
  initialization: "Error initializing Spotify player. Please refresh the page.",
  starting: "Loading and starting playback...",
  startFailed: "Error starting playback. Please try again.",
  unlocked:
    "Great, now you can rate this song in its box below! Then click 'Play Song' for the next song.",
  paused: "Error: Please do not pause the playback.",
  wrongTrack: "Error. The song you should rate is not being played back!",
  wrongInApp: "Wrong song playing! Click Resume Playback below to play the correct song.",
  noControl:
    "Could not control Spotify app. Please open Spotify app and start playing any song, then click Resume Playback below.",
};

const inPage: [name: string, from: State, now: number, input: PlayerInput, Shown][] = [
  ["stopped", "playing", 5_000, { type: "stopped" }, calm("Ready")],
  [
    "chosen before the driver is ready",
    "connecting",
    1,
    { type: "chosen", song },
    calm(texts.notReady),
  ],
  ["not ready in time", "loading", 8_001, tick, error(texts.notReady)],
  ["chosen", "idle", 1, { type: "chosen", song }, calm(texts.starting)],
  ["playing", "accepted", 1_000, report(playback()), calm("Playing...")],
  ["unlocked", "confirming", 36_500, { type: "confirmed", attempt: 1 }, calm(texts.unlocked)],
  ["no script", "loading", 5, broken("script"), error(texts.script, { showRestart: false })],
  [
    "not initialized",
    "loading",
    5,
    broken("initialization"),
    error(texts.initialization, { showRestart: false }),
  ],
  [
    "not authenticated",
    "starting",
    800,
    broken("authentication"),
    error(texts.initialization, { showRestart: false }),
  ],
  [
    "no Premium",
    "starting",
    800,
    broken("account"),
    error(messages.noPremium, { showRestart: false }),
  ],
  [
    "chosen when broken",
    "broken",
    1,
    { type: "chosen", song },
    error(texts.script, { showRestart: false }),
  ],
  ["start failed", "starting", 800, notStarted("failed"), error(texts.startFailed)],
  ["start cancelled", "starting", 800, notStarted("cancelled"), error(texts.startFailed)],
  ["no Premium to play", "starting", 800, notStarted("no-premium"), error(messages.noPremium)],
  ["limited", "starting", 800, notStarted("limited"), error(messages.limited)],
  ["playback error", "playing", 5_000, { type: "playback-error" }, error(texts.startFailed)],
  ["no sound in time", "accepted", 10_901, tick, error(texts.startFailed)],
  [
    "sound blocked",
    "accepted",
    1_000,
    { type: "autoplay-failed" },
    error(messages.autoplayFailed, { errorType: "pause" }),
  ],
  ["paused", "playing", 11_000, paused, error(texts.paused, { errorType: "pause" })],
  [
    "wrong track",
    "playing",
    11_000,
    report(wrongTrack),
    error(texts.wrongTrack, { errorType: "wrongSong" }),
  ],
  [
    "wrong track at the confirmation",
    "confirming",
    36_500,
    report(wrongTrack),
    error(texts.wrongTrack, { errorType: "wrongSong" }),
  ],
  [
    "taken over",
    "playing",
    11_000,
    report(null),
    error(messages.takenOver, { errorType: "pause" }),
  ],
  [
    "right track again",
    "wrongTrackPlaying",
    12_000,
    report(playback({ progressMs: 10_000 })),
    calm("Playing..."),
  ],
];

const inApp: typeof inPage = [
  [
    "paused",
    "playing",
    11_000,
    paused,
    error("Error: Playback Paused", { errorType: "pause", dialogOpen: true }),
  ],
  [
    "nothing plays",
    "playing",
    11_000,
    report(null),
    error("Error: Playback Paused", { errorType: "pause", dialogOpen: true }),
  ],
  [
    "wrong track",
    "playing",
    11_000,
    report(wrongTrack),
    error(texts.wrongInApp, { errorType: "wrongSong", dialogOpen: true }),
  ],
  [
    "no device",
    "starting",
    800,
    notStarted("no-device"),
    error(messages.noDevice, { errorType: "noDevice", dialogOpen: true }),
  ],
  ["no control", "starting", 800, notStarted("no-control"), error(texts.noControl)],
  ["limited", "starting", 800, notStarted("limited"), error(messages.limited)],
  ["no Premium", "starting", 800, notStarted("no-premium"), error(messages.noPremium)],
  ["no sound in time", "accepted", 10_901, tick, error(texts.startFailed)],
  [
    "right track again",
    "paused",
    12_000,
    report(playback({ progressMs: 9_000 })),
    calm("Playing..."),
  ],
];

const cases = Object.entries({ page: inPage, app: inApp }).flatMap(([place, rows]) =>
  rows.map(([name, from, now, input, to]) => {
    return { name, place: place as Place, from, now, input, to };
  }),
);

test.each(cases)("$name in the $place", ({ place, from, now, input, to }) => {
  expect(shown(reduce(statesIn(place)[from], { ...input, now }))).toEqual(to);
});

test("the text shown for a track whose data did not load", () => {
  expect(trackInfoFailed).toBe("Very quiet Artist - very Quiet song;)");
});

test("a device that went away is shown as not ready, not as taken over", () => {
  const away = elapsed([[11_000, { type: "not-ready" }]], statesIn("page").playing);
  const state = elapsed([[11_100, report(null)]], away);
  expect(shown(state)).toEqual(error(texts.notReady, { errorType: "pause" }));
});

test("a wrong track from the start is shown as such, in the page and in the app", () => {
  const from = (place: Place) =>
    elapsed(
      [
        [1_500, report(wrongTrack)],
        [10_901, tick],
      ],
      statesIn(place).accepted,
    );
  expect(shown(from("page"))).toEqual(error(texts.wrongTrack, { errorType: "wrongSong" }));
  expect(shown(from("app"))).toEqual(
    error(texts.wrongInApp, { errorType: "wrongSong", dialogOpen: true }),
  );
});

test.each(["refused", "confirm-failed"] as const)("the server's text is shown: %s", (type) => {
  const from = type === "refused" ? "starting" : "confirming";
  const state = reduce(statesIn("page")[from], {
    type,
    attempt: 1,
    text: "Own song.",
    now: 40_000,
  });
  expect(shown(state)).toEqual(error("Own song."));
});
