import type { CarouselSong } from "~/domain/views";
import { unlockMs } from "~/player/clock";
import { type DriverFailure, isTrack, type PlaybackReport } from "~/player/driver";
import { failureMessages, messages } from "~/player/messages";
import { initialState, isBusy, type PlayerEvent, type PlayerState } from "~/player/state";

/** How long a chosen song waits for the driver before the player gives up. */
const READY_LIMIT_MS = 8_000;
/** How long the provider may take from accepting the request to playing it. */
const START_LIMIT_MS = 10_000;
/** Players report a short pause while they load a track; it is not the listener's. */
const SETTLE_MS = 1_500;
/** Position and clock differ by a little even when all is well. */
const POSITION_SLACK_MS = 500;
/** How far before its length a song may be said to have ended. */
const END_SLACK_MS = 1_500;
/** Time nobody vouched for, as while the computer sleeps, counts no further than this. */
const UNREPORTED_LIMIT_MS = 15_000;

/** The player's rules (spec section 4, "Rating a song", and section 8): the state after an event. */
export function reduce(state: PlayerState, event: PlayerEvent): PlayerState {
  if ("attempt" in event && event.attempt !== state.attempt) return state;
  switch (event.type) {
    case "ready":
      return onReady({ ...state, driver: "ready", deviceId: event.deviceId }, event.now);
    case "not-ready":
      return { ...state, driver: "connecting", deviceId: null };
    case "driver-failed":
      return onDriverFailed(state, event.failure);
    case "chosen":
      return onChosen(state, event.song, event.now);
    case "listen-opened":
      return state.phase === "starting"
        ? { ...state, requiredSeconds: event.requiredSeconds }
        : state;
    case "play-accepted":
      return state.phase === "starting" ? { ...state, accepted: true, since: event.now } : state;
    case "start-failed":
      return state.phase === "starting" ? fail(state, event.text) : state;
    case "report":
      return onReport(state, event.report, event.now);
    case "autoplay-failed":
      return state.phase === "starting" || state.phase === "playing"
        ? interrupt(state, messages.autoplayFailed, "pause")
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
    case "confirm-failed":
      return state.phase === "confirming" ? fail(state, event.text) : state;
    case "stopped":
      return {
        ...state,
        phase: "idle",
        song: null,
        heardMs: 0,
        attempt: state.attempt + 1,
        countingFrom: null,
        status: { text: messages.ready, tone: "ok" },
        errorType: null,
        showRestart: false,
      };
  }
}

/** Whether the report shows another track playing where the chosen song should. */
export function isStray(state: PlayerState, report: PlaybackReport | null): boolean {
  const watched = ["playing", "interrupted", "confirming", "unlocked"].includes(state.phase);
  return watched && state.song !== null && report !== null && !report.paused
    ? !isTrack(report, state.song)
    : false;
}

/** Whether the driver should be asked what plays: while that is unknown, and every `pollMs`. */
export function wantsReport(state: PlayerState, now: number, pollMs: number): boolean {
  if (state.phase === "starting") return state.accepted;
  if (state.phase !== "playing" && state.phase !== "interrupted") return false;
  if (state.ended) return false;
  if (state.phase === "playing" && state.countingFrom === null) return true;
  return now - (state.reportedAt ?? state.since) >= pollMs;
}

function fail(state: PlayerState, text: string, showRestart = true): PlayerState {
  return {
    ...state,
    phase: "failed",
    countingFrom: null,
    status: { text, tone: "error" },
    errorType: null,
    showRestart,
  };
}

function interrupt(
  state: PlayerState,
  text: string,
  errorType: PlayerState["errorType"],
): PlayerState {
  return {
    ...state,
    phase: "interrupted",
    countingFrom: null,
    status: { text, tone: "error" },
    errorType,
    showRestart: true,
  };
}

function onReady(state: PlayerState, now: number): PlayerState {
  if (state.phase !== "loading") return state;
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
    ...initialState,
    driver: state.driver,
    deviceId: state.deviceId,
    attempt: state.attempt + 1,
    phase: "loading",
    song,
    requiredSeconds: song.requiredSeconds,
    totalMs: song.durationMs,
    since: now,
    status: { text: messages.notReady, tone: "ok" },
  };
  if (state.driver === "connecting") return next;
  if (state.driver === "ready") return onReady(next, now);
  return fail(next, failureMessages[state.driver], false);
}

function onTick(state: PlayerState, now: number): PlayerState {
  if (state.phase === "loading" && now - state.since > READY_LIMIT_MS) {
    return fail(state, messages.notReady);
  }
  if (state.phase === "starting" && state.accepted && now - state.since > START_LIMIT_MS) {
    // Not "failed": should the song play after all, the error clears.
    return state.errorType === "wrongSong"
      ? interrupt(state, messages.wrongTrack, "wrongSong")
      : interrupt(state, messages.startFailed, null);
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
      if (right && !report.paused) return play(next, report, now);
      // Remembered only: the track before this one may show for a moment.
      return { ...next, errorType: wrong && !report.paused ? "wrongSong" : null };
    case "interrupted":
      if (right && !report.paused) return play(next, report, now);
      return wrong && !report.paused ? interrupt(next, messages.wrongTrack, "wrongSong") : next;
    case "playing":
      return whilePlaying(state, report, right, now);
    default:
      return state;
  }
}

function play(state: PlayerState, report: PlaybackReport, now: number): PlayerState {
  // The first report of an attempt may come late: what it says was played counts, if there was time.
  const heardMs =
    state.phase === "starting"
      ? Math.min(report.positionMs, Math.max(0, now - state.since))
      : state.heardMs;
  return {
    ...state,
    phase: "playing",
    since: now,
    heardMs: Math.min(heardMs, unlockMs(state.requiredSeconds)),
    countingFrom: now,
    totalMs: report.durationMs || state.totalMs,
    status: { text: messages.playing, tone: "ok" },
    errorType: null,
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
  let heardMs = heardAt(state, now);
  if (hasEnded(heardMs, state.totalMs, report, right)) {
    const counting = { ...state, countingFrom: state.countingFrom ?? now };
    return { ...advance(counting, now), ended: true, reportedAt: now };
  }
  const running = right && report !== null && !report.paused;
  // The clock counts, but no further than the song has come: time spent loading is not heard.
  if (right && report !== null && (running || report.positionMs > 0)) {
    heardMs = Math.min(heardMs, report.positionMs + POSITION_SLACK_MS);
  }
  const next = settle({
    ...state,
    heardMs,
    reportedAt: now,
    countingFrom: running ? Math.max(now, state.countingFrom ?? now) : null,
    totalMs: (running && report.durationMs) || state.totalMs,
  });
  if (running || next.phase === "confirming") return next;
  if (report !== null && !right) return interrupt(next, messages.wrongTrack, "wrongSong");
  if (now - state.since < SETTLE_MS) return next;
  return interrupt(next, messages.pausedEarly, "pause");
}

/**
 * There is no end-of-track event. A song that was heard to its end and then stops, starts over or
 * gives way to another one has ended; a short song does so before its unlock point.
 */
function hasEnded(
  heardMs: number,
  totalMs: number,
  report: PlaybackReport | null,
  right: boolean,
): boolean {
  if (heardMs <= 0 || heardMs < totalMs - END_SLACK_MS) return false;
  if (report === null || !right) return true;
  const atStart = report.positionMs < Math.min(END_SLACK_MS, heardMs - 1000);
  const atEnd = report.positionMs >= totalMs - POSITION_SLACK_MS;
  return atStart || (report.paused && atEnd);
}

function heardAt(state: PlayerState, now: number): number {
  if (state.countingFrom === null) return state.heardMs;
  const vouched = state.ended
    ? now
    : Math.min(now, (state.reportedAt ?? state.countingFrom) + UNREPORTED_LIMIT_MS);
  const heardMs = state.heardMs + Math.max(0, vouched - state.countingFrom);
  return Math.min(heardMs, unlockMs(state.requiredSeconds));
}

/** Adds the time since `countingFrom`, and goes on to the confirmation at the unlock point. */
function advance(state: PlayerState, now: number): PlayerState {
  if (state.countingFrom === null) return state;
  return settle({
    ...state,
    heardMs: heardAt(state, now),
    countingFrom: Math.max(now, state.countingFrom),
  });
}

function settle(state: PlayerState): PlayerState {
  if (state.heardMs < unlockMs(state.requiredSeconds)) return state;
  return { ...state, phase: "confirming", countingFrom: null };
}
