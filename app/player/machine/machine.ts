import type { CarouselSong } from "~/exchange/carousel/view";
import type { DriverFailure, PlayFailure } from "~/player/drivers/driver";
import { unlockMs } from "~/sources/listen";
import { connectAt, onDriverFailed, onReady, onReconnecting } from "./connection";
import { advance, heardAt } from "./heard-time";
import { failureMessages, messages, playFailureMessages } from "./messages";
import { onReport, onUnknown, reasonOfSilence } from "./reports";
import { canResume, isBusy, type PlayerEvent, type PlayerState } from "./state";
import {
  fail,
  failAtSound,
  failCalmly,
  hold,
  interrupt,
  interruptByWrongTrack,
  isFollowed,
  isWatched,
  load,
  longAgo,
  markHeard,
  nextAttempt,
  showDriverState,
  startFailedText,
  startingStatus,
  stop,
  unlock,
  withSong,
} from "./steps";

const maxLoadingMs = 8_000;
const maxRequestMs = 30_000;
const maxStartingMs = 10_000;
/** Ticks come every second, a little late, so a poll is due half a tick early. */
const pollToleranceMs = 500;

/** The player's rules: the state after an event. */
export function reduce(state: PlayerState, event: PlayerEvent): PlayerState {
  if ("attempt" in event && event.attempt !== state.attempt) return state;
  switch (event.type) {
    case "place-changed":
      return stop(connectAt(event.place, state, event.now, event.driver));
    case "reconnecting":
      return onReconnecting(connectAt(event.place, state, event.now), event.now);
    case "volume-set":
      return state.volume === null ? state : { ...state, volume: event.volume };
    case "ready":
      return onReady({ ...state, driver: "ready" }, event.now);
    case "not-ready":
      return showDriverState({ ...state, driver: "not-ready" });
    case "driver-failed":
      return onDriverFailed(state, event.failure);
    case "chosen":
      return onChosen(state, event.song, event.now);
    case "reset":
      return onReset(state);
    case "steered":
      return { ...state, steeredAt: event.now };
    case "resumed":
      return onResumed(state, event.now);
    case "followed":
      return state.song ? state : onFollowed(state, event.song);
    case "returned":
      return state.song ? state : onReturned(state, event.song, event.reachedMs, event.now);
    case "listen-opened":
      return state.phase === "starting" ? onListenOpened(state, event) : state;
    case "play-accepted":
      // "interrupted" if the browser blocked the sound before Spotify had answered.
      return state.phase === "starting" || state.phase === "interrupted"
        ? {
            ...state,
            ...(state.phase === "starting" && startingStatus),
            accepted: true,
            since: event.now,
          }
        : state;
    case "start-failed":
      return onStartFailed(state, event.failure, event.now);
    case "other-tab-plays":
      return onOtherTab(state, event.song);
    case "refused":
      if (state.phase !== "starting") return state;
      return event.closed ? failCalmly(state, event.text, "closed") : fail(state, event.text);
    case "report":
      return onReport(state, event.report, event.now);
    case "unknown":
      return onUnknown(state, event.now);
    case "unanswered":
      if (state.phase === "starting" && event.limited) {
        return { ...state, status: { text: messages.limitedStart, tone: "ok" } };
      }
      if (isFollowed(state)) return onUnknown(state, event.now);
      // While Spotify does not answer, only the clock decides, as on the server.
      return state.reportedAt === null
        ? state
        : { ...advance(state, event.now), reportedAt: event.now };
    case "autoplay-failed":
      return state.phase === "starting" || state.phase === "playing"
        ? interrupt(state, event.now, { text: messages.autoplayFailed, errorType: "pause" })
        : state;
    case "broken-off":
      return ["playing", "confirming"].includes(state.phase)
        ? interrupt(nextAttempt({ ...state, reachedMs: heardAt(state, event.now) }), event.now, {
            text: messages.brokenOff,
            errorType: null,
          })
        : { ...state, sounding: false };
    case "undecodable":
      return isBusy(state) ? failAtSound(state) : state;
    case "playback-error":
      return state.phase === "starting" || state.phase === "playing"
        ? fail(state, startFailedText(state))
        : state;
    case "tick":
      return onTick(state, event.now);
    case "confirmed":
      return state.phase === "confirming" ? unlock(markHeard(state)) : state;
    case "confirm-delayed":
      return state.phase === "confirming"
        ? { ...state, status: { text: event.text, tone: "error" } }
        : state;
    case "confirm-failed":
      if (state.phase !== "confirming") return state;
      // What was heard stays, because resuming the song asks the server again.
      return event.kept && !state.otherTab
        ? interrupt(nextAttempt(state), event.now, { text: event.text, errorType: null })
        : state.otherTab
          ? failCalmly(state, messages.otherTab, "elsewhere")
          : fail(state, event.text);
    case "dialog-closed":
      return { ...state, dialogOpen: false };
    case "rated":
      return onRated(state);
    case "stopped":
      return stop(state);
  }
}

/**
 * True while a song may start, stop or resume by itself, or the page's player connects. In the own app, only
 * time tells when a song that plays on has ended.
 */
export function wantsTicks(state: PlayerState, now: number): boolean {
  if (state.place === "page" && state.driver === "connecting") return true;
  if (state.phase === "interrupted") return state.accepted && isWatched(state, now);
  if (state.phase === "unlocked") return state.sounding && state.place === "app";
  return ["loading", "starting", "playing"].includes(state.phase);
}

/**
 * True at each tick while it is unknown what plays, otherwise every `pollMs`. A song that was heard is
 * checked only after its expected end.
 */
export function wantsReport(state: PlayerState, now: number, pollMs: number): boolean {
  if (state.phase === "starting") return state.accepted;
  if (state.phase === "unlocked") return now >= (state.endsAt ?? now);
  if (state.phase !== "playing" && state.phase !== "interrupted") return false;
  if (state.ended || !state.accepted) return false;
  const playbackIsUnknown = state.countingFrom === null || state.unknownSince !== null;
  if (state.phase === "playing" && playbackIsUnknown) return true;
  return now - (state.reportedAt ?? state.since) >= pollMs - pollToleranceMs;
}

function onReset(state: PlayerState): PlayerState {
  const { song, unlocked, requiredSeconds, totalMs } = state;
  return { ...stop(state), song, unlocked, requiredSeconds, totalMs, ...startingStatus };
}

function onChosen(state: PlayerState, song: CarouselSong, now: number): PlayerState {
  if (isBusy(state)) return state;
  const next = load(withSongAsHeard(state, song), now);
  return state.driver in failureMessages
    ? fail(next, failureMessages[state.driver as DriverFailure], false)
    : next;
}

function withSongAsHeard(state: PlayerState, song: CarouselSong): PlayerState {
  const next = withSong(state, song);
  return song.heard || state.heardIds.includes(song.songId) ? markHeard(next) : next;
}

/**
 * Continues a listen from before a reload. Until the first report its start is unknown, and another track is
 * the listener's own choice.
 */
function onFollowed(state: PlayerState, song: CarouselSong): PlayerState {
  return {
    ...withSong(state, song),
    phase: "interrupted",
    accepted: true,
    since: longAgo,
    status: { text: messages.connecting, tone: "ok" },
  };
}

/** The song is paused where it was. */
function onReturned(
  state: PlayerState,
  song: CarouselSong,
  reachedMs: number,
  now: number,
): PlayerState {
  const { requiredSeconds } = song;
  const heard = Math.min(reachedMs, unlockMs(requiredSeconds) - 1000);
  return heard > 0 ? hold({ ...withSong(state, song), reachedMs: heard }, now) : state;
}

function onListenOpened(
  state: PlayerState,
  { requiredSeconds, heard }: { requiredSeconds: number; heard?: boolean },
): PlayerState {
  const next = { ...state, requiredSeconds };
  return heard || state.unlocked ? markHeard(next) : next;
}

function onResumed(state: PlayerState, now: number): PlayerState {
  if (!canResume(state)) return state;
  return load(
    {
      ...nextAttempt(state),
      reportedAt: null,
      stoppedAt: null,
      endsAt: null,
      steeredAt: null,
      pauses: 0,
      pausedTrack: null,
      errorType: null,
      dialogOpen: false,
      showRestart: false,
    },
    now,
  );
}

function onOtherTab(state: PlayerState, song: CarouselSong): PlayerState {
  switch (state.phase) {
    case "confirming":
      // It may have been confirmed before.
      return { ...state, otherTab: true };
    case "unlocked":
      return state;
    default:
      return failCalmly(
        state.unlocked ? nextAttempt(state) : withSongAsHeard(state, song),
        messages.otherTab,
        "elsewhere",
      );
  }
}

function onRated(state: PlayerState): PlayerState {
  if (state.rated) return state;
  const rated = { ...markHeard(state), rated: true };
  if (state.phase === "loading" || state.phase === "starting") return rated;
  return state.sounding ? unlock(rated) : stop(state);
}

function onStartFailed(state: PlayerState, failure: PlayFailure, now: number): PlayerState {
  if (state.phase !== "starting") return state;
  if (failure === "undecodable") return failAtSound(state);
  const songMayBeHidden =
    state.song?.explicit && (failure === "failed" || failure === "no-control");
  const text = songMayBeHidden ? messages.explicit : playFailureMessages[failure];
  if (failure !== "no-device") return fail(state, text);
  // Listening time from before the device was lost still counts.
  const isPartlyHeard = state.reachedMs > 0 && !state.unlocked;
  const next = isPartlyHeard
    ? interrupt(state, now, { text: messages.noDevice, errorType: "noDevice" })
    : failCalmly(state, text);
  return { ...next, errorType: "noDevice", dialogOpen: state.place === "app" };
}

function onTick(state: PlayerState, now: number): PlayerState {
  const connectsSlowly =
    state.driver === "connecting" && now - state.connectingSince > maxLoadingMs;
  const next: PlayerState = connectsSlowly ? { ...state, driver: "not-ready" } : state;
  return afterTick(next, now);
}

function afterTick(state: PlayerState, now: number): PlayerState {
  if (state.phase === "loading" && now - state.since > maxLoadingMs) {
    return failCalmly(state, messages.notReady);
  }
  if (state.phase === "starting" && state.accepted && now - state.since > maxStartingMs) {
    // Not "failed", so that the error clears if the song plays after all.
    if (state.errorType === "wrongSong" && !state.unlocked) {
      return { ...interruptByWrongTrack(state, now), pauses: state.pauses + 1 };
    }
    return state.unknownSince !== null && state.place === "app"
      ? interrupt(state, now, reasonOfSilence(state))
      : interrupt(state, now, {
          // A rate limit that was announced stays the reason.
          text:
            state.status.text === messages.limitedStart ? messages.limited : startFailedText(state),
          errorType: null,
        });
  }
  if (state.phase === "starting" && !state.accepted && now - state.since > maxRequestMs) {
    return fail(nextAttempt(state), messages.startFailed);
  }
  return advance(state, now);
}
