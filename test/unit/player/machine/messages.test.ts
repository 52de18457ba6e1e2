/** What the player bar and its dialog show. */
import { expect, test } from "vitest";
import type { DriverFailure, PlaybackTarget, PlayFailure } from "~/player/drivers/driver";
import { messages, playFailureMessages, trackInfoFailed } from "~/player/machine/messages";
import type { PlayerState } from "~/player/machine/state";
import {
  after,
  begin,
  choose,
  type Happening,
  pausedAt,
  playback,
  plays,
  type Story,
  song,
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

const broken = (failure: DriverFailure): Happening => ({ type: "driver-failed", failure });
const notStarted = (failure: PlayFailure): Happening => ({ type: "start-failed", failure });
const asPause = { errorType: "pause" } as const;
const asWrong = { errorType: "wrongSong" } as const;
const dialogOpen = true;
const forGood = { showRestart: false };
const noDevice = { errorType: "noDevice", dialogOpen } as const;

/** Texts that are given word for word. Others are compared by name. */
const texts = {
  waiting: "Spotify is getting ready. The song starts by itself.",
  notReady: "Spotify is not ready yet. Try again in a minute.",
  lost: "The connection to Spotify is gone, and you can go on here.",
  broken: "Spotify did not start here. Reconnect, or load this page again.",
  starting: "Loading and starting playback...",
  startFailed: "The song did not start. Try again.",
  unlocked:
    "Great, now you can rate this song in its box below! Then click 'Play Song' for the next song.",
  paused: "The song was paused too early. Resume, and your time goes on.",
  wrongTrack: "Another song is playing. Go back to yours to rate it.",
  noControl: "Your Spotify app does not answer. Play any song there, then press Resume Playback.",
};

const wrongInPage = error(texts.wrongTrack, asWrong);
const wrongInApp = error(texts.wrongTrack, { ...asWrong, dialogOpen });

type Row = [
  place: PlaybackTarget,
  from: keyof ReturnType<typeof statesIn>,
  now: number,
  happening: Happening,
  to: Shown,
];

test.each<Row>([
  ["page", "playing", 5_000, "stopped", calm("Ready")],
  ["page", "connecting", 1, choose(song), calm(texts.waiting)],
  ["page", "loading", 8_001, "tick", { ...calm(texts.notReady), showRestart: true }],
  ["page", "idle", 1, choose(song), calm(texts.starting)],
  ["page", "accepted", 1_000, playback(), calm("Playing...")],
  ["page", "confirming", 36_500, "confirmed", calm(texts.unlocked)],
  ["page", "loading", 5, broken("script"), error(texts.broken, forGood)],
  ["page", "loading", 5, broken("initialization"), error(texts.broken, forGood)],
  ["page", "starting", 800, broken("authentication"), error(texts.broken, forGood)],
  ["page", "starting", 800, broken("account"), error(messages.noPremium, forGood)],
  ["page", "broken", 1, choose(song), error(texts.broken, forGood)],
  ["page", "starting", 800, notStarted("failed"), error(texts.startFailed)],
  ["page", "starting", 800, notStarted("cancelled"), error(texts.startFailed)],
  ["page", "starting", 800, notStarted("no-premium"), error(messages.noPremium)],
  ["page", "starting", 800, notStarted("limited"), error(messages.limited)],
  [
    ...(["page", "starting", 800, notStarted("undecodable")] as const),
    { ...error(messages.undecodable, forGood), kind: "undecodable" },
  ],
  ["page", "starting", 30_501, "tick", error(texts.startFailed)],
  ["page", "playing", 5_000, "playback-error", error(texts.startFailed)],
  ["page", "accepted", 10_901, "tick", error(texts.startFailed)],
  ["page", "accepted", 1_000, "autoplay-failed", error(messages.autoplayFailed, asPause)],
  ["page", "playing", 11_000, pausedAt(10_000), error(texts.paused, asPause)],
  ["page", "playing", 11_000, wrongTrack, wrongInPage],
  ["page", "paused", 60_000, wrongTrack, wrongInPage],
  ["page", "confirming", 36_500, wrongTrack, wrongInPage],
  ["page", "playing", 11_000, null, error(messages.takenOver, asPause)],
  ["page", "wrongTrackPlaying", 12_000, plays(10_000), calm("Playing...")],
  ["page", "starting", 800, { type: "refused", text: "Own song." }, error("Own song.")],
  [
    ...(["page", "confirming", 40_000] as const),
    { type: "confirm-failed", text: "Not heard.", kept: false },
    error("Not heard."),
  ],
  [
    ...(["app", "playing", 11_000, pausedAt(10_000)] as const),
    error(texts.paused, { ...asPause, dialogOpen }),
  ],
  ["app", "playing", 11_000, null, error(messages.noDevice, noDevice)],
  ["app", "playing", 11_000, wrongTrack, wrongInApp],
  [
    ...(["app", "starting", 800, notStarted("no-device")] as const),
    error(messages.openApp, { ...noDevice, tone: "ok" }),
  ],
  ["app", "starting", 800, notStarted("no-control"), error(texts.noControl)],
  ["app", "starting", 800, notStarted("limited"), error(messages.limited)],
  ["app", "starting", 800, notStarted("no-premium"), error(messages.noPremium)],
  ["app", "accepted", 10_901, "tick", error(texts.startFailed)],
  ["app", "paused", 12_000, plays(9_000), calm("Playing...")],
])("in the %s, %s at %i: %j", (place, from, now, happening, to) => {
  expect(shown(after(statesIn(place)[from], now, happening))).toEqual(to);
});

const explicit = { ...song, explicit: true };

test.each<[string, PlaybackTarget, Story]>([
  ["Spotify refuses to start", "page", [800, notStarted("failed")]],
  ["the app refuses to start", "app", [800, notStarted("no-control")]],
  ["gives an error", "page", [900, "play-accepted", 5_000, "playback-error"]],
  ["never sounds", "page", [900, "play-accepted", 10_901, "tick"]],
])("an explicit song that %s may be hidden by the account", (_name, place, story) => {
  expect(after(begin(explicit, "starting", place), ...story)).toMatchObject({
    status: { text: messages.explicit, tone: "error" },
    showRestart: true,
  });
});

test.each(["no-premium", "limited", "no-device"] as const)(
  "an explicit song says what else kept it from starting: %s",
  (failure) => {
    const { status } = after(begin(explicit, "starting"), 800, notStarted(failure));
    expect(status.text).toBe(playFailureMessages[failure]);
  },
);

test("a track whose data did not load has a text of its own", () => {
  expect(trackInfoFailed).toBe("Very quiet Artist - very Quiet song;)");
});

test("a device that went away is shown as lost, not as taken over", () => {
  const state = after(statesIn("page").playing, 11_000, "not-ready", 11_100, null);
  expect(shown(state)).toEqual(error(texts.lost, asPause));
});

test.each([
  ["page", wrongInPage],
  ["app", wrongInApp],
] as const)(
  "a wrong track from the start is shown once the right one has not come in time: %s",
  (place, to) => {
    const state = after(statesIn(place).accepted, 1_500, wrongTrack, 10_901, "tick");
    expect(shown(state)).toEqual(to);
  },
);
