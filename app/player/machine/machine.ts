import { isSameTrack } from "~/adapters/spotify/spotify";
import type { CarouselSong } from "~/domain/carousel/view";
import { unlockMs } from "~/domain/listening/progress";
import type { DriverFailure, PlaybackReport, PlayFailure } from "~/player/drivers/driver";
import { advance, confirmAtUnlock, hasEnded, heardAt, heardAtReport } from "./heard-time";
import {
  failureMessages,
  messages,
  pausedMessage,
  playFailureMessages,
  wrongTrackMessage,
} from "./messages";
import { initialState, isBusy, type PlayerEvent, type PlayerState } from "./state";

/** How long a chosen song waits for the driver to become ready. */
const maxLoadingMs = 8_000;
/** How long it may take to find a device, open the listen and request the song, all together. */
const maxRequestMs = 30_000;
/** How long it may take from the accepted request until the song plays. */
const maxStartingMs = 10_000;
/** How long an interrupted song is watched, in case it continues by itself. */
const maxWatchMs = 60_000;
/** Ticks come once a second and a little late, so a poll is due half a tick early. */
const pollToleranceMs = 500;
/** Players report a short pause of their own while they load a track. */
const settlingMs = 1_500;

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
      // "interrupted" if the browser blocked the sound before Spotify had answered.
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
      if (state.phase === "starting" && event.limited) {
        return { ...state, status: { text: messages.limited, tone: "error" } };
      }
      // While Spotify does not answer, the clock alone decides, as it does on the server.
      return state.reportedAt === null
        ? state
        : { ...advance(state, event.now), reportedAt: event.now };
    case "autoplay-failed":
      return state.phase === "starting" || state.phase === "playing"
        ? interrupt(state, event.now, { text: messages.autoplayFailed, errorType: "pause" })
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
        ? { ...state, status: { text: event.text, tone: "error" } }
        : state;
    case "confirm-failed":
      return state.phase === "confirming" ? fail(state, event.text) : state;
    case "dialog-closed":
      return { ...state, dialogOpen: false };
    case "stopped":
      return stop(state);
  }
}

/** Whether the state depends on time: a song is starting or playing, or may continue by itself. */
export function wantsTicks(state: PlayerState, now: number): boolean {
  if (state.phase === "interrupted") return now - (state.stoppedAt ?? now) < maxWatchMs;
  return ["loading", "starting", "playing"].includes(state.phase);
}

/** Whether to ask the driver what plays: at each tick while that is unknown, else every `pollMs`. */
export function wantsReport(state: PlayerState, now: number, pollMs: number): boolean {
  if (state.phase === "starting") return state.accepted;
  if (state.phase !== "playing" && state.phase !== "interrupted") return false;
  if (state.ended) return false;
  if (state.phase === "playing" && state.countingFrom === null) return true;
  return now - (state.reportedAt ?? state.since) >= pollMs - pollToleranceMs;
}

/** Stops playing. Requests still in progress belong to an older attempt from here on. */
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
  now: number,
  { text, errorType }: { text: string; errorType: PlayerState["errorType"] },
): PlayerState {
  // A dialog that the listener closed only comes back for another error.
  const isNew = state.phase !== "interrupted" || state.errorType !== errorType;
  return {
    ...state,
    phase: "interrupted",
    countingFrom: null,
    stoppedAt: state.stoppedAt ?? now,
    status: { text, tone: "error" },
    errorType,
    dialogOpen: state.place === "app" && errorType !== null && (isNew || state.dialogOpen),
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
  // A song that plays already goes on playing; its reports tell when it stops.
  const needsDriver = state.phase === "loading" || state.phase === "starting";
  // A restart does not help where the message asks for a refresh or another account.
  return needsDriver ? fail(next, failureMessages[failure], false) : next;
}

function onChosen(state: PlayerState, song: CarouselSong, now: number): PlayerState {
  const isAnother = state.song?.songId !== song.songId;
  if (isAnother && isBusy(state)) return state;
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

/** Only songs in the listener's own app are resumed; in the page they start over. */
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

function onStartFailed(state: PlayerState, failure: PlayFailure): PlayerState {
  if (state.phase !== "starting") return state;
  const failed = fail(state, playFailureMessages[failure]);
  return failure === "no-device"
    ? { ...failed, errorType: "noDevice", dialogOpen: state.place === "app" }
    : failed;
}

function onTick(state: PlayerState, now: number): PlayerState {
  if (state.phase === "loading" && now - state.since > maxLoadingMs) {
    return fail(state, messages.notReady);
  }
  if (state.phase === "starting" && state.accepted && now - state.since > maxStartingMs) {
    // Not "failed", so that the error clears if the song plays after all.
    return state.errorType === "wrongSong"
      ? interruptByWrongTrack(state, now)
      : interrupt(state, now, {
          // A limit that was told stays the reason.
          text: state.status.tone === "error" ? state.status.text : messages.startFailed,
          errorType: null,
        });
  }
  if (state.phase === "starting" && !state.accepted && now - state.since > maxRequestMs) {
    // Whatever the requests still lead to belongs to an attempt that is over.
    return fail({ ...state, attempt: state.attempt + 1 }, messages.startFailed);
  }
  return advance(state, now);
}

function onReport(state: PlayerState, report: PlaybackReport | null, now: number): PlayerState {
  if (!state.song || !state.accepted) return state;
  const own = report !== null && isSameTrack(report, state.song) ? report : null;
  switch (state.phase) {
    case "starting":
      if (own?.playing) return play(state, own, now);
      // Only remembered for now: the track before this one may still show for a moment.
      return { ...state, reportedAt: now, errorType: report?.playing ? "wrongSong" : null };
    case "interrupted":
      if (own?.playing) return play(state, own, now);
      return report?.playing
        ? interruptByWrongTrack({ ...state, reportedAt: now }, now)
        : { ...state, reportedAt: now };
    case "playing":
      return whilePlaying(state, { report, own }, now);
    case "confirming":
      return state.ended
        ? state
        : whileConfirming({ ...state, reportedAt: now }, { report, own }, now);
    default:
      return state;
  }
}

/** What the driver reports; `own` is the same if it is of the state's song, else null. */
interface Reported {
  report: PlaybackReport | null;
  own: PlaybackReport | null;
}

function play(state: PlayerState, report: PlaybackReport, now: number): PlayerState {
  // The first report of an attempt may come late; what was played by then counts.
  const isLate = state.reportedAt === null && state.errorType === null;
  const isFirst = state.phase === "starting" || isLate;
  const played = isFirst ? Math.min(report.progressMs, Math.max(0, now - state.since)) : 0;
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

function whilePlaying(state: PlayerState, { report, own }: Reported, now: number): PlayerState {
  if (state.ended) return advance(state, now);
  const heardMs = heardAt(state, now);
  if (hasEnded({ heardMs, totalMs: state.totalMs }, own)) {
    const counting = { ...state, countingFrom: state.countingFrom ?? now };
    return { ...advance(counting, now), ended: true, reportedAt: now };
  }
  const goesOn = own?.playing === true;
  const next = confirmAtUnlock({
    ...state,
    heardMs: own ? heardAtReport(state, own, now) : heardMs,
    reportedAt: now,
    countingFrom: goesOn ? Math.max(now, state.countingFrom ?? now) : null,
    totalMs: (goesOn && own.durationMs) || state.totalMs,
  });
  if (goesOn || next.phase === "confirming") return next;
  if (report !== null && own === null) return interruptByWrongTrack(next, now);
  if (now - state.since < settlingMs) return next;
  return interrupt(next, now, { text: stoppedMessage(state, report), errorType: "pause" });
}

/** The clock may reach the unlock point before a report that the song had stopped short of it. */
function whileConfirming(state: PlayerState, { report, own }: Reported, now: number): PlayerState {
  if (own === null) return report?.playing ? interruptByWrongTrack(state, now) : state;
  const heardMs = heardAtReport(state, own, now);
  return !own.playing && heardMs < unlockMs(state.requiredSeconds)
    ? interrupt({ ...state, heardMs }, now, {
        text: pausedMessage(state.place),
        errorType: "pause",
      })
    : state;
}

function interruptByWrongTrack(state: PlayerState, now: number): PlayerState {
  return interrupt(state, now, { text: wrongTrackMessage(state.place), errorType: "wrongSong" });
}

/** Why the song stopped: the device went away, another device took over, or it was paused. */
function stoppedMessage(state: PlayerState, report: PlaybackReport | null): string {
  if (report !== null || state.place === "app") return pausedMessage(state.place);
  return state.driver === "ready" ? messages.takenOver : messages.notReady;
}
