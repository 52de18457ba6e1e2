/** What the player bar and its dialog show. */
import { expect, test } from "vitest";
import type { DriverFailure, PlaybackTarget, PlayFailure } from "~/player/drivers/driver";
import { reduce } from "~/player/machine/machine";
import { messages, playFailureMessages, trackInfoFailed } from "~/player/machine/messages";
import type { PlayerInput, PlayerState } from "~/player/machine/state";
import {
  elapsed,
  playback,
  report,
  type Step,
  song,
  startOf,
  statesIn,
  wrongTrack,
} from "../support.ts";

type Shown = PlayerState["status"] & Pick<PlayerState, "errorType" | "dialogOpen" | "showRestart">;

function shown({ status, errorType, dialogOpen, showRestart }: PlayerState): Shown {
  return { ...status, errorType, dialogOpen, showRestart };
}

function calm(text: string): Shown {
  return { text, tone: "ok", errorType: null, dialogOpen: false, showRestart: false };
}

/** An error for which the song can be restarted, unless `change` says otherwise. */
function error(text: string, change: Partial<Shown> = {}): Shown {
  return { ...calm(text), tone: "error", showRestart: true, ...change };
}

const broken = (failure: DriverFailure): PlayerInput => ({ type: "driver-failed", failure });
const notStarted = (failure: PlayFailure): PlayerInput => ({
  type: "start-failed",
  attempt: 1,
  failure,
});
const tick: PlayerInput = { type: "tick" };
const chosen: PlayerInput = { type: "chosen", song };
const paused = report(playback({ playing: false, progressMs: 10_000 }));
const asPause = { errorType: "pause" } as const;
const asLost = { errorType: "noDevice" } as const;
const asWrong = { errorType: "wrongSong" } as const;
const inDialog = { dialogOpen: true };
const forGood = { showRestart: false };

/** Texts that are given word for word. Others are compared by name. */
const texts = {
  notReady: "Initializing Spotify player. Please wait a moment and try playing a song again.",
  script: "Failed to load Spotify player. Please refresh the page.",
  initialization: "Error initializing Spotify player. Please refresh the page.",
  starting: "Loading and starting playback...",
  startFailed: "Error starting playback. Please try again.",
  unlocked:
    "Great, now you can rate this song in its box below! Then click 'Play Song' for the next song.",
  paused: "Error: Please do not pause the playback.",
  pausedInApp: "Error: Playback Paused",
  wrongTrack: "Error. The song you should rate is not being played back!",
  wrongInApp: "Wrong song playing! Click Resume Playback below to play the correct song.",
  noControl:
    "Could not control Spotify app. Please open Spotify app and start playing any song, then click Resume Playback below.",
};

type Row = [from: keyof ReturnType<typeof statesIn>, now: number, input: PlayerInput, to: Shown];

const inPage: Row[] = [
  ["playing", 5_000, { type: "stopped" }, calm("Ready")],
  ["connecting", 1, chosen, calm(texts.notReady)],
  ["loading", 8_001, tick, error(texts.notReady)],
  ["idle", 1, chosen, calm(texts.starting)],
  ["accepted", 1_000, report(playback()), calm("Playing...")],
  ["confirming", 36_500, { type: "confirmed", attempt: 1 }, calm(texts.unlocked)],
  ["loading", 5, broken("script"), error(texts.script, forGood)],
  ["loading", 5, broken("initialization"), error(texts.initialization, forGood)],
  ["starting", 800, broken("authentication"), error(texts.initialization, forGood)],
  ["starting", 800, broken("account"), error(messages.noPremium, forGood)],
  ["broken", 1, chosen, error(texts.script, forGood)],
  ["starting", 800, notStarted("failed"), error(texts.startFailed)],
  ["starting", 800, notStarted("cancelled"), error(texts.startFailed)],
  ["starting", 800, notStarted("no-premium"), error(messages.noPremium)],
  ["starting", 800, notStarted("limited"), error(messages.limited)],
  ["starting", 30_501, tick, error(texts.startFailed)],
  ["playing", 5_000, { type: "playback-error" }, error(texts.startFailed)],
  ["accepted", 10_901, tick, error(texts.startFailed)],
  ["accepted", 1_000, { type: "autoplay-failed" }, error(messages.autoplayFailed, asPause)],
  ["playing", 11_000, paused, error(texts.paused, asPause)],
  ["playing", 11_000, report(wrongTrack), error(texts.wrongTrack, asWrong)],
  ["paused", 60_000, report(wrongTrack), error(texts.wrongTrack, asWrong)],
  ["confirming", 36_500, report(wrongTrack), error(texts.wrongTrack, asWrong)],
  ["playing", 11_000, report(null), error(messages.takenOver, asPause)],
  ["wrongTrackPlaying", 12_000, report(playback({ progressMs: 10_000 })), calm("Playing...")],
  ["starting", 800, { type: "refused", attempt: 1, text: "Own song." }, error("Own song.")],
  [
    "confirming",
    40_000,
    { type: "confirm-failed", attempt: 1, text: "Not heard.", kept: false },
    error("Not heard."),
  ],
];

const inApp: Row[] = [
  ["playing", 11_000, paused, error(texts.pausedInApp, { ...asPause, ...inDialog })],
  ["playing", 11_000, report(null), error(messages.noDevice, { ...asLost, ...inDialog })],
  ["playing", 11_000, report(wrongTrack), error(texts.wrongInApp, { ...asWrong, ...inDialog })],
  [
    "starting",
    800,
    notStarted("no-device"),
    { ...error(messages.openApp, { ...asLost, ...inDialog }), tone: "ok" },
  ],
  ["starting", 800, notStarted("no-control"), error(texts.noControl)],
  ["starting", 800, notStarted("limited"), error(messages.limited)],
  ["starting", 800, notStarted("no-premium"), error(messages.noPremium)],
  ["accepted", 10_901, tick, error(texts.startFailed)],
  ["paused", 12_000, report(playback({ progressMs: 9_000 })), calm("Playing...")],
];

test.each(inPage)("in the page, %s at %i: %j", (from, now, input, to) => {
  expect(shown(reduce(statesIn("page")[from], { ...input, now }))).toEqual(to);
});

test.each(inApp)("in the app, %s at %i: %j", (from, now, input, to) => {
  expect(shown(reduce(statesIn("app")[from], { ...input, now }))).toEqual(to);
});

const explicit = { ...song, explicit: true };

test.each<[string, PlaybackTarget, Step[]]>([
  ["Spotify refuses to start", "page", [[800, notStarted("failed")]]],
  ["the app refuses to start", "app", [[800, notStarted("no-control")]]],
  [
    "gives an error",
    "page",
    [
      [900, { type: "play-accepted", attempt: 1 }],
      [5_000, { type: "playback-error" }],
    ],
  ],
  [
    "never sounds",
    "page",
    [
      [900, { type: "play-accepted", attempt: 1 }],
      [10_901, tick],
    ],
  ],
])("an explicit song that %s may be hidden by the account", (_name, place, steps) => {
  const state = elapsed([...startOf(explicit).slice(0, 3), ...steps], statesIn(place).connecting);
  expect(state.status).toEqual({ text: messages.explicit, tone: "error" });
  expect(state.showRestart).toBe(true);
});

test.each(["no-premium", "limited", "no-device"] as const)(
  "an explicit song says what else kept it from starting: %s",
  (failure) => {
    const state = elapsed([...startOf(explicit).slice(0, 3), [800, notStarted(failure)]]);
    expect(state.status.text).toBe(playFailureMessages[failure]);
  },
);

test("the text shown for a track whose data did not load", () => {
  expect(trackInfoFailed).toBe("Very quiet Artist - very Quiet song;)");
});

test("a device that went away is shown as not ready, not as taken over", () => {
  const away = elapsed([[11_000, { type: "not-ready" }]], statesIn("page").playing);
  const state = elapsed([[11_100, report(null)]], away);
  expect(shown(state)).toEqual(error(texts.notReady, asPause));
});

test.each<[PlaybackTarget, Shown]>([
  ["page", error(texts.wrongTrack, asWrong)],
  ["app", error(texts.wrongInApp, { ...asWrong, ...inDialog })],
])(
  "a wrong track from the start is shown once the right one has not come in time: %s",
  (place, to) => {
    const state = elapsed(
      [
        [1_500, report(wrongTrack)],
        [10_901, tick],
      ],
      statesIn(place).accepted,
    );
    expect(shown(state)).toEqual(to);
  },
);
