import type { CarouselSong } from "~/domain/carousel/view";
import { unlockMs } from "~/domain/listening/listening";
import { type DriverFailure, isTrack, type PlaybackReport } from "~/player/drivers/driver";
import { advance, hasEnded, heardAt, heardAtReport, settle } from "./heard-time";
import {
  failureMessages,
  messages,
  pausedMessage,
  playFailureMessage,
  wrongTrackMessage,
} from "./messages";
import { initialState, isBusy, type PlayerEvent, type PlayerState } from "./state";

/** How long a chosen song waits for the driver before the player gives up. */
const READY_LIMIT_MS = 8_000;
/** How long the provider may take from accepting the request to playing it. */
const START_LIMIT_MS = 10_000;
/** How long finding a device, opening the listen and asking for the song may take together. */
const REQUEST_LIMIT_MS = 30_000;
/** How long an interrupted song is watched for going on by itself. */
const WATCH_LIMIT_MS = 60_000;
/** Ticks come once a second, and a little late: a poll is due half a tick early. */
const POLL_SLACK_MS = 500;
/** Players report a short pause while they load a track; it is not the listener's. */
const SETTLE_MS = 1_500;

/** The player's rules (spec section 4, "Rating a song", and section 8): the state after an event. */
export function reduce(state: PlayerState, event: PlayerEvent): PlayerState {
  if ("attempt" in event && event.attempt !== state.attempt) return state;
  switch (event.type) {
    case "place-changed":
      return { ...stop(state), place: event.place, driver: "connecting" };
    case "ready":
      return onReady({ ...state, driver: "ready" }, event.now);
    case "not-ready":
      return { ...state, driver: "connecting" };
    case "driver-failed":
      return onDriverFailed(state, event.failure);
    case "chosen":
      return onChosen(state, event.song, event.now);
    case "reset":
      return { ...stop(state), song: state.song, status: { text: messages.starting, tone: "ok" } };
    case "resumed":
      return onResumed(state, event.now);
    case "listen-opened":
      return state.phase === "starting"
        ? { ...state, requiredSeconds: event.requiredSeconds }
        : state;
    case "play-accepted":
      // The browser may have held back the sound before the provider's answer was here.
      return state.phase === "starting" || state.phase === "interrupted"
        ? { ...state, accepted: true, since: event.now }
        : state;
    case "start-failed":
      return onStartFailed(state, event.failure);
    case "refused":
      return state.phase === "starting" ? fail(state, event.text) : state;
    case "report":
      return onReport(state, event.report, event.now);
    case "unanswered":
      // While the provider is silent the clock alone decides, as it does on the server.
      return state.phase === "playing" ||
        (state.phase === "interrupted" && state.reportedAt !== null)
        ? { ...advance(state, event.now), reportedAt: event.now }
        : state;
    case "autoplay-failed":
      return state.phase === "starting" || state.phase === "playing"
        ? interrupt(state, messages.autoplayFailed, "pause", event.now)
        : state;
    case "playback-error":
      return state.phase === "starting" || state.phase === "playing"
        ? fail(state, messages.startFailed)
        : state;
    case "tick":
      return onTick(state, event.now);
    case "confirmed":
      return state.phase === "confirming"
        ? { ...state, phase: "unlocked", status: { text: messages.unlocked, tone: "ok" } }
        : state;
    case "confirm-delayed":
      return state.phase === "confirming"
        ? { ...state, status: { text: messages.confirmDelayed, tone: "error" } }
        : state;
    case "confirm-failed":
      return state.phase === "confirming" ? fail(state, event.text) : state;
    case "dialog-closed":
      return { ...state, dialogOpen: false };
    case "stopped":
      return stop(state);
  }
}

/** Whether the clock matters: while a song is on its way, or may go on by itself. */
export function wantsTicks(state: PlayerState, now: number): boolean {
  if (state.phase === "interrupted") return now - (state.stoppedAt ?? now) < WATCH_LIMIT_MS;
  return ["loading", "starting", "playing"].includes(state.phase);
}

/** Whether the driver should be asked what plays: while that is unknown, and every `pollMs`. */
export function wantsReport(state: PlayerState, now: number, pollMs: number): boolean {
  if (state.phase === "starting") return state.accepted;
  if (state.phase !== "playing" && state.phase !== "interrupted") return false;
  if (state.ended) return false;
  if (state.phase === "playing" && state.countingFrom === null) return true;
  return now - (state.reportedAt ?? state.since) >= pollMs - POLL_SLACK_MS;
}

/** Nothing is to be heard any more; what is still under way belongs to an older attempt. */
function stop(state: PlayerState): PlayerState {
  const { place, driver, attempt } = state;
  return { ...initialState, place, driver, attempt: attempt + 1 };
}

function fail(state: PlayerState, text: string, showRestart = true): PlayerState {
  return {
    ...state,
    phase: "failed",
    countingFrom: null,
    status: { text, tone: "error" },
    errorType: null,
    dialogOpen: false,
    showRestart,
  };
}

function interrupt(
  state: PlayerState,
  text: string,
  errorType: PlayerState["errorType"],
  now: number,
): PlayerState {
  // A dialog that was closed comes back for another error only.
  const news = state.phase !== "interrupted" || state.errorType !== errorType;
  return {
    ...state,
    phase: "interrupted",
    countingFrom: null,
    stoppedAt: state.stoppedAt ?? now,
    status: { text, tone: "error" },
    errorType,
    dialogOpen: state.place === "app" && errorType !== null && (news || state.dialogOpen),
    showRestart: true,
  };
}

function onReady(state: PlayerState, now: number): PlayerState {
  return state.phase === "loading" ? start(state, now) : state;
}

function start(state: PlayerState, now: number): PlayerState {
  return {
    ...state,
    phase: "starting",
    since: now,
    status: { text: messages.starting, tone: "ok" },
  };
}

function onDriverFailed(state: PlayerState, failure: DriverFailure): PlayerState {
  const next: PlayerState = { ...state, driver: failure };
  // Music that plays goes on playing; its reports say when it stops.
  const needed = state.phase === "loading" || state.phase === "starting";
  // A restart cannot help where the message asks for a refresh or another account.
  return needed ? fail(next, failureMessages[failure], false) : next;
}

function onChosen(state: PlayerState, song: CarouselSong, now: number): PlayerState {
  if (isBusy(state) && state.song?.songId !== song.songId) return state;
  const next: PlayerState = {
    ...stop(state),
    phase: "loading",
    song,
    requiredSeconds: song.requiredSeconds,
    totalMs: song.durationMs,
    since: now,
    status: { text: messages.notReady, tone: "ok" },
  };
  if (state.driver === "connecting") return next;
  if (state.driver === "ready") return start(next, now);
  return fail(next, failureMessages[state.driver], false);
}

/** Only what plays in the listener's own app goes on; in the page a song starts over. */
function onResumed(state: PlayerState, now: number): PlayerState {
  if (state.phase !== "interrupted" || state.heardMs === 0) return state;
  return start(
    {
      ...state,
      attempt: state.attempt + 1,
      accepted: false,
      reportedAt: null,
      stoppedAt: null,
      errorType: null,
      dialogOpen: false,
      showRestart: false,
    },
    now,
  );
}

function onStartFailed(
  state: PlayerState,
  failure: Parameters<typeof playFailureMessage>[0],
): PlayerState {
  if (state.phase !== "starting") return state;
  const failed = fail(state, playFailureMessage(failure));
  return failure === "no-device"
    ? { ...failed, errorType: "noDevice", dialogOpen: state.place === "app" }
    : failed;
}

function onTick(state: PlayerState, now: number): PlayerState {
  if (state.phase === "loading" && now - state.since > READY_LIMIT_MS) {
    return fail(state, messages.notReady);
  }
  if (state.phase === "starting" && state.accepted && now - state.since > START_LIMIT_MS) {
    // Not "failed": should the song play after all, the error clears.
    return state.errorType === "wrongSong"
      ? interrupt(state, wrongTrackMessage(state.place), "wrongSong", now)
      : interrupt(state, messages.startFailed, null, now);
  }
  if (state.phase === "starting" && !state.accepted && now - state.since > REQUEST_LIMIT_MS) {
    // What may still come of it belongs to an attempt that is over.
    return fail({ ...state, attempt: state.attempt + 1 }, messages.startFailed);
  }
  return state.phase === "playing" ? advance(state, now) : state;
}

function onReport(state: PlayerState, report: PlaybackReport | null, now: number): PlayerState {
  if (!state.song || !state.accepted) return state;
  const right = report !== null && isTrack(report, state.song);
  const wrong = report !== null && !right;
  const next: PlayerState = { ...state, reportedAt: now };
  switch (state.phase) {
    case "starting":
      if (right && !report.paused) return play(state, report, now);
      // Remembered only: the track before this one may show for a moment.
      return { ...next, errorType: wrong && !report.paused ? "wrongSong" : null };
    case "interrupted":
      if (right && !report.paused) return play(state, report, now);
      return wrong && !report.paused
        ? interrupt(next, wrongTrackMessage(state.place), "wrongSong", now)
        : next;
    case "playing":
      return whilePlaying(state, report, right, now);
    case "confirming":
      return state.ended ? state : whileConfirming(next, report, right, now);
    default:
      return state;
  }
}

function play(state: PlayerState, report: PlaybackReport, now: number): PlayerState {
  // The first report of an attempt may come late: what it says was played counts, if there was time.
  const late = state.reportedAt === null && state.errorType === null;
  const first = state.phase === "starting" || late;
  const played = first ? Math.min(report.positionMs, Math.max(0, now - state.since)) : 0;
  return {
    ...state,
    phase: "playing",
    since: now,
    stoppedAt: null,
    reportedAt: now,
    heardMs: Math.min(Math.max(state.heardMs, played), unlockMs(state.requiredSeconds)),
    countingFrom: now,
    totalMs: report.durationMs || state.totalMs,
    status: { text: messages.playing, tone: "ok" },
    errorType: null,
    dialogOpen: false,
    showRestart: false,
  };
}

function whilePlaying(
  state: PlayerState,
  report: PlaybackReport | null,
  right: boolean,
  now: number,
): PlayerState {
  if (state.ended) return advance(state, now);
  if (hasEnded(heardAt(state, now), state.totalMs, report, right)) {
    const counting = { ...state, countingFrom: state.countingFrom ?? now };
    return { ...advance(counting, now), ended: true, reportedAt: now };
  }
  const running = right && report !== null && !report.paused;
  const next = settle({
    ...state,
    heardMs: right && report ? heardAtReport(state, report, now) : heardAt(state, now),
    reportedAt: now,
    countingFrom: running ? Math.max(now, state.countingFrom ?? now) : null,
    totalMs: (running && report.durationMs) || state.totalMs,
  });
  if (running || next.phase === "confirming") return next;
  if (report !== null && !right) {
    return interrupt(next, wrongTrackMessage(state.place), "wrongSong", now);
  }
  if (now - state.since < SETTLE_MS) return next;
  return interrupt(next, stoppedMessage(state, report), "pause", now);
}

/** The clock came to the unlock point before a report that the song had stopped short of it. */
function whileConfirming(
  state: PlayerState,
  report: PlaybackReport | null,
  right: boolean,
  now: number,
): PlayerState {
  if (report === null) return state;
  if (!right) {
    return report.paused
      ? state
      : interrupt(state, wrongTrackMessage(state.place), "wrongSong", now);
  }
  const heardMs = heardAtReport(state, report, now);
  return report.paused && heardMs < unlockMs(state.requiredSeconds)
    ? interrupt({ ...state, heardMs }, pausedMessage(state.place), "pause", now)
    : state;
}

/** Why nothing is to be heard: the device went away, another one took over, or it was paused. */
function stoppedMessage(state: PlayerState, report: PlaybackReport | null): string {
  if (report !== null || state.place === "app") return pausedMessage(state.place);
  return state.driver === "ready" ? messages.takenOver : messages.notReady;
}
