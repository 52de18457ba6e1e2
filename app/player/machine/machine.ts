import { isSameTrack } from "~/adapters/spotify/spotify";
import type { CarouselSong } from "~/domain/carousel/view";
import { unlockMs } from "~/domain/listening/progress";
import type { DriverFailure, PlaybackReport, PlayFailure } from "~/player/drivers/driver";
import {
  advance,
  confirmAtUnlock,
  endOf,
  hasEnded,
  heardAt,
  heardAtReport,
  type Reported,
} from "./heard-time";
import {
  failureMessages,
  messages,
  pausedMessage,
  playFailureMessages,
  wrongTrackMessage,
} from "./messages";
import {
  canResume,
  initialState,
  isBusy,
  type PlayerEvent,
  type PlayerState,
  volumeAt,
} from "./state";

/** How long a driver usually takes to connect at most, and a chosen song waits for it. */
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
/** When a song began of which that is not known: before any other time. */
const longAgo = -1e9;

/** The player's rules (spec section 4, "Rating a song", and section 8): the state after an event. */
export function reduce(state: PlayerState, event: PlayerEvent): PlayerState {
  if ("attempt" in event && event.attempt !== state.attempt) return state;
  switch (event.type) {
    case "place-changed":
      return stop(connectAt(event.place, state, event.now));
    case "reconnecting":
      return onReconnecting(connectAt(event.place, state, event.now), event.now);
    case "volume-set":
      return state.volume === null ? state : { ...state, volume: event.volume };
    case "ready":
      return onReady({ ...state, driver: "ready" }, event.now);
    case "not-ready":
      return tellWhileIdle({ ...state, driver: "not-ready" });
    case "driver-failed":
      return onDriverFailed(state, event.failure);
    case "chosen":
      return onChosen(state, event.song, event.now);
    case "reset":
      return onReset(state);
    case "resumed":
      return onResumed(state, event.now);
    case "followed":
      return state.song ? state : onFollowed(state, event.song);
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
      return onStartFailed(state, event.failure);
    case "other-tab-plays":
      return onOtherTab(state);
    case "refused":
      return state.phase === "starting" ? fail(state, event.text) : state;
    case "report":
      return onReport(state, event.report, event.now);
    case "unanswered":
      if (state.phase === "starting" && event.limited) {
        const text = state.accepted ? messages.limited : messages.limitedStart;
        return { ...state, status: { text, tone: "error" } };
      }
      if (isFollowed(state)) return stop(state);
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
      return state.phase === "confirming" ? unlock(knowHeard(state)) : state;
    case "confirm-delayed":
      return state.phase === "confirming"
        ? { ...state, status: { text: event.text, tone: "error" } }
        : state;
    case "confirm-failed":
      return state.phase === "confirming"
        ? fail(state, state.otherTab ? messages.otherTab : event.text)
        : state;
    case "dialog-closed":
      return { ...state, dialogOpen: false };
    case "stopped":
      return stop(state);
  }
}

/**
 * Whether the state depends on time: a song is starting or playing, or may continue by itself, or the
 * page's player connects.
 */
export function wantsTicks(state: PlayerState, now: number): boolean {
  if (state.place === "page" && state.driver === "connecting") return true;
  if (state.phase === "interrupted") return state.accepted && isWatched(state, now);
  return ["loading", "starting", "playing"].includes(state.phase);
}

/** Whether to ask the driver what plays: at each tick while that is unknown, else every `pollMs`. */
export function wantsReport(state: PlayerState, now: number, pollMs: number): boolean {
  if (state.phase === "starting") return state.accepted;
  if (state.phase !== "playing" && state.phase !== "interrupted") return false;
  if (state.ended || !state.accepted) return false;
  if (state.phase === "playing" && state.countingFrom === null) return true;
  return now - (state.reportedAt ?? state.since) >= pollMs - pollToleranceMs;
}

/** Whether an interrupted song may still continue by itself. */
function isWatched({ stoppedAt }: PlayerState, now: number): boolean {
  return now - (stoppedAt ?? now) < maxWatchMs;
}

/** Stops playing. Requests still in progress belong to an older attempt from here on. */
function stop(state: PlayerState): PlayerState {
  const { place, driver, connectingSince, volume, heardIds, attempt } = state;
  const kept = { place, driver, connectingSince, volume, heardIds };
  return tellWhileIdle({ ...initialState, ...kept, attempt: attempt + 1 });
}

/** The song will start over. It stays as it is known, but is to be heard from its beginning. */
function onReset(state: PlayerState): PlayerState {
  const { song, heard, requiredSeconds, totalMs } = state;
  return { ...stop(state), song, heard, requiredSeconds, totalMs, ...startingStatus };
}

function connectAt(place: PlayerState["place"], state: PlayerState, now: number): PlayerState {
  const volume = place === state.place ? state.volume : volumeAt(place);
  return { ...state, place, volume, driver: "connecting", connectingSince: now };
}

/** A calm status line tells how the driver is: an error at its start before anything is pressed. */
function tellWhileIdle(state: PlayerState): PlayerState {
  const { driver, status } = state;
  if (status.text !== messages.connecting && status.text !== messages.ready) return state;
  if (driver === "connecting" || driver === "not-ready") {
    return { ...state, status: { text: messages.connecting, tone: "ok" } };
  }
  return driver === "ready"
    ? { ...state, status: { text: messages.ready, tone: "ok" } }
    : { ...state, status: { text: failureMessages[driver], tone: "error" }, showRestart: false };
}

/** Another driver knows nothing of what played. A song that was partly heard can be resumed with it. */
function onReconnecting(state: PlayerState, now: number): PlayerState {
  const status = { text: messages.connecting, tone: "ok" } as const;
  switch (state.phase) {
    case "loading":
      return { ...state, since: now };
    case "confirming":
    case "unlocked":
      return { ...state, sounding: false };
    case "idle":
      return state.song ? state : tellWhileIdle({ ...state, status });
    case "failed":
      return { ...fail(nextAttempt(state), messages.connecting), heardMs: 0, status };
    default:
      return {
        ...interrupt(nextAttempt(state), now, { text: messages.connecting, errorType: null }),
        heardMs: heardAt(state, now),
        status,
      };
  }
}

/** Whatever the requests before it still lead to belongs to an attempt that is over. */
function nextAttempt(state: PlayerState): PlayerState {
  return { ...state, attempt: state.attempt + 1, accepted: false };
}

function fail(state: PlayerState, text: string, showRestart = true): PlayerState {
  return {
    ...state,
    phase: "failed",
    countingFrom: null,
    sounding: false,
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
    sounding: false,
    stoppedAt: state.stoppedAt ?? now,
    status: { text, tone: "error" },
    errorType,
    dialogOpen: state.place === "app" && errorType !== null && (isNew || state.dialogOpen),
    showRestart: true,
  };
}

function onReady(state: PlayerState, now: number): PlayerState {
  if (state.phase === "loading") return start(state, now);
  return state.status.text === messages.notReady
    ? { ...state, status: { text: messages.ready, tone: "ok" } }
    : tellWhileIdle(state);
}

const startingStatus: Pick<PlayerState, "status"> = {
  status: { text: messages.starting, tone: "ok" },
};

function start(state: PlayerState, now: number): PlayerState {
  return { ...state, phase: "starting", since: now, ...startingStatus };
}

/** A song waits for the driver, or starts with one that is ready. */
function load(state: PlayerState, now: number): PlayerState {
  if (state.driver === "ready") return start(state, now);
  const status = { text: messages.notReady, tone: "ok" } as const;
  return { ...state, phase: "loading", since: now, status };
}

function onDriverFailed(state: PlayerState, failure: DriverFailure): PlayerState {
  const next: PlayerState = { ...state, driver: failure };
  // A song that plays already goes on playing; its reports tell when it stops.
  const needsDriver =
    state.phase === "loading" ||
    state.phase === "starting" ||
    // It was given up waiting for this driver.
    (state.phase === "failed" && state.driver === "not-ready");
  // A restart does not help where the message asks for a refresh or another account.
  return needsDriver ? fail(next, failureMessages[failure], false) : tellWhileIdle(next);
}

function onChosen(state: PlayerState, song: CarouselSong, now: number): PlayerState {
  if (isBusy(state)) return state;
  const stopped = withSong(state, song);
  const isHeard = song.heard || state.heardIds.includes(song.songId);
  const next = load(isHeard ? knowHeard(stopped) : stopped, now);
  return state.driver in failureMessages
    ? fail(next, failureMessages[state.driver as DriverFailure], false)
    : next;
}

function withSong(state: PlayerState, song: CarouselSong): PlayerState {
  const { requiredSeconds, durationMs } = song;
  return { ...stop(state), song, requiredSeconds, totalMs: durationMs };
}

/**
 * A listen from before a reload: the first report tells whether its song still plays. Until then nothing
 * is known of it, not even when it began, and what else plays is the listener's own choice.
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

/** Whether nothing has been reported yet of a listen that is followed. */
function isFollowed({ since }: PlayerState): boolean {
  return since === longAgo;
}

/** The song is open to rating from here on, and nothing more of it has to be heard. */
function knowHeard(state: PlayerState): PlayerState {
  const { song, heardIds } = state;
  if (!song) return state;
  return {
    ...state,
    heard: true,
    heardIds: heardIds.includes(song.songId) ? heardIds : [...heardIds, song.songId],
    heardMs: unlockMs(state.requiredSeconds),
    countingFrom: null,
  };
}

function unlock(state: PlayerState): PlayerState {
  return {
    ...state,
    phase: "unlocked",
    status: { text: messages.unlocked, tone: "ok" },
    errorType: null,
    dialogOpen: false,
    showRestart: false,
  };
}

function onListenOpened(
  state: PlayerState,
  { requiredSeconds, heard }: { requiredSeconds: number; heard?: boolean },
): PlayerState {
  const next = { ...state, requiredSeconds };
  return heard || state.heard ? knowHeard(next) : next;
}

/** An interrupted song continues in its listen, from where it was heard to. */
function onResumed(state: PlayerState, now: number): PlayerState {
  if (!canResume(state)) return state;
  return load(
    {
      ...nextAttempt(state),
      reportedAt: null,
      stoppedAt: null,
      endsAt: null,
      pauses: 0,
      pausedTrack: null,
      errorType: null,
      dialogOpen: false,
      showRestart: false,
    },
    now,
  );
}

/** The server has closed this tab's listen for the other tab's; what was heard of it is lost. */
function onOtherTab(state: PlayerState): PlayerState {
  switch (state.phase) {
    case "confirming":
      // It may have been confirmed before.
      return { ...state, otherTab: true };
    case "loading":
    case "starting":
    case "playing":
    case "interrupted":
      return fail(nextAttempt(state), messages.otherTab);
    default:
      return state;
  }
}

function onStartFailed(state: PlayerState, failure: PlayFailure): PlayerState {
  if (state.phase !== "starting") return state;
  const failed = fail(state, playFailureMessages[failure]);
  return failure === "no-device"
    ? { ...failed, errorType: "noDevice", dialogOpen: state.place === "app" }
    : failed;
}

function onTick(state: PlayerState, now: number): PlayerState {
  const isSlow = state.driver === "connecting" && now - state.connectingSince > maxLoadingMs;
  const next: PlayerState = isSlow ? { ...state, driver: "not-ready" } : state;
  return afterTick(next, now);
}

function afterTick(state: PlayerState, now: number): PlayerState {
  if (state.phase === "loading" && now - state.since > maxLoadingMs) {
    return fail(state, messages.notReady);
  }
  if (state.phase === "starting" && state.accepted && now - state.since > maxStartingMs) {
    // Not "failed", so that the error clears if the song plays after all.
    return state.errorType === "wrongSong" && !state.heard
      ? { ...interruptByWrongTrack(state, now), pauses: state.pauses + 1 }
      : interrupt(state, now, {
          // A limit that was told stays the reason.
          text: state.status.tone === "error" ? state.status.text : messages.startFailed,
          errorType: null,
        });
  }
  if (state.phase === "starting" && !state.accepted && now - state.since > maxRequestMs) {
    return fail(nextAttempt(state), messages.startFailed);
  }
  return advance(state, now);
}

function onReport(state: PlayerState, report: PlaybackReport | null, now: number): PlayerState {
  if (!state.song || !state.accepted) return state;
  const own = report !== null && isSameTrack(report, state.song) ? report : null;
  const sounding = own?.playing === true;
  const seen = sounding === state.sounding ? state : { ...state, sounding };
  if (state.heard) return whileHeard(seen, state.sounding, now);
  return pauseWrongTrack(whileUnheard(seen, { report, own }, now), { report, own }, now);
}

/** Once it was heard, what becomes of a song is the listener's own choice. */
function whileHeard(state: PlayerState, wasSounding: boolean, now: number): PlayerState {
  const isAwaited = state.phase === "starting" || state.phase === "interrupted";
  if (isAwaited && !state.sounding) return { ...state, reportedAt: now };
  if ((!isAwaited && state.phase !== "unlocked") || state.sounding === wasSounding) return state;
  const text = state.sounding ? messages.playing : messages.unlocked;
  return { ...unlock(state), status: { text, tone: "ok" } };
}

function whileUnheard(state: PlayerState, reported: Reported, now: number): PlayerState {
  const { report, own } = reported;
  switch (state.phase) {
    case "starting":
      if (own?.playing) return play(state, own, now);
      // Only remembered for now: the track before this one may still show for a moment.
      return { ...state, reportedAt: now, errorType: report?.playing ? "wrongSong" : null };
    case "interrupted":
      if (own?.playing) return play(state, own, now);
      if (isFollowed(state)) {
        // It may have been heard for long enough before it was paused.
        return own ? whileConfirming(play(state, own, now), reported, now) : stop(state);
      }
      return report?.playing
        ? interruptByWrongTrack({ ...state, reportedAt: now }, now)
        : { ...state, reportedAt: now };
    case "playing":
      return whilePlaying(state, reported, now);
    case "confirming":
      return state.ended ? state : whileConfirming({ ...state, reportedAt: now }, reported, now);
    default:
      return state;
  }
}

/**
 * Whatever takes an unheard song's place is to be paused, once for each time that it begins to play:
 * a device may take a while to obey, or not obey at all. While the song starts, what plays may be what
 * played before it; long after it stopped, what plays is the listener's own choice.
 */
function pauseWrongTrack(state: PlayerState, { report, own }: Reported, now: number): PlayerState {
  const trackId = report?.playing && !own ? (report.trackIds[0] ?? "") : null;
  if (trackId === null) {
    return state.pausedTrack === null ? state : { ...state, pausedTrack: null };
  }
  if (state.phase !== "interrupted" || !isWatched(state, now)) return state;
  if (state.pausedTrack === trackId) return state;
  return { ...state, pauses: state.pauses + 1, pausedTrack: trackId };
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
    endsAt: endOf(state, report, now),
    status: { text: messages.playing, tone: "ok" },
    errorType: null,
    dialogOpen: false,
    showRestart: false,
  };
}

function whilePlaying(state: PlayerState, reported: Reported, now: number): PlayerState {
  if (state.ended) return advance(state, now);
  const { report, own } = reported;
  const heardMs = heardAt(state, now);
  if (hasEnded({ ...state, heardMs }, reported, now)) {
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
    endsAt: goesOn ? endOf(state, own, now) : state.endsAt,
  });
  if (goesOn || next.phase === "confirming") return next;
  if (report !== null && own === null) return interruptByWrongTrack(next, now);
  if (now - state.since < settlingMs) return next;
  return interrupt(next, now, { text: stoppedMessage(state, report), errorType: "pause" });
}

/** The clock may reach the unlock point before a report that the song had stopped short of it. */
function whileConfirming(state: PlayerState, reported: Reported, now: number): PlayerState {
  const { report, own } = reported;
  if (own === null) {
    // Whatever the server says, the other tab's song is not to be paused.
    if (!report?.playing || state.otherTab) return state;
    return hasEnded(state, reported, now)
      ? { ...state, ended: true }
      : interruptByWrongTrack(state, now);
  }
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
