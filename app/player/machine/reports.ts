/** Transitions for the driver's reports of what plays (rule 14, one listen). */

import type { PlaybackReport } from "~/player/drivers/driver";
import { isSoundOf } from "~/player/sound";
import { unlockMs } from "~/sources/listen";
import {
  advance,
  confirmAtUnlock,
  endOf,
  hasEnded,
  heardAt,
  heardAtReport,
  isWithin,
  type PlacedReport,
  type Reported,
} from "./heard-time";
import { messages } from "./messages";
import type { PlayerState } from "./state";
import {
  interrupt,
  interruptByPause,
  interruptByWrongTrack,
  isFollowed,
  isWatched,
  stop,
  unlock,
} from "./steps";

/** Players report a short pause of their own while they load a track. */
const settlingMs = 1_500;
const maxUnknownMs = 5_000;

export function onReport(
  state: PlayerState,
  driverReport: PlaybackReport | null,
  now: number,
): PlayerState {
  if (!state.song || !state.accepted) return state;
  const isOfSong = driverReport !== null && isSoundOf(driverReport, state.song);
  // At an unknown position, the clock counts.
  const report = driverReport && {
    ...driverReport,
    progressMs: driverReport.progressMs ?? (isOfSong ? heardAt(state, now) : 0),
  };
  const own = isOfSong ? report : null;
  const sounding = own?.playing === true;
  const hasChanged =
    sounding !== state.sounding || (driverReport !== null && state.unknownSince !== null);
  const updated = hasChanged ? { ...state, sounding, unknownSince: null } : state;
  if (state.unlocked) return whileHeard(updated, state.sounding, own, now);
  return pauseWrongTrack(whileUnheard(updated, { report, own }, now), { report, own }, now);
}

/**
 * While Spotify does not tell what plays, the clock counts for a moment. After that, nothing is taken to
 * play.
 */
export function onUnknown(state: PlayerState, now: number): PlayerState {
  if (!state.song || !state.accepted) return state;
  const unknownSince = state.unknownSince ?? now;
  const next = { ...state, unknownSince };
  return now - unknownSince < maxUnknownMs ? advance(next, now) : onReport(next, null, now);
}

function whileHeard(
  state: PlayerState,
  wasSounding: boolean,
  own: PlacedReport | null,
  now: number,
): PlayerState {
  const { phase, sounding, rated } = state;
  const isAwaited = phase === "starting" || phase === "interrupted";
  if (isAwaited && !sounding) return { ...state, reportedAt: now };
  if (!isAwaited && phase !== "unlocked") return state;
  const held = own !== null && isWithin(state, own);
  if (rated && !sounding && !held) return stop(state);
  const next = own?.playing ? { ...state, endsAt: endOf(state, own, now) } : state;
  if (sounding === wasSounding && held === state.held) return next;
  const stopped = rated ? messages.paused : messages.unlocked;
  const text = sounding ? messages.playing : stopped;
  return { ...unlock(next), held, status: { text, tone: "ok" } };
}

function whileUnheard(state: PlayerState, reported: Reported, now: number): PlayerState {
  const { report, own } = reported;
  switch (state.phase) {
    case "starting":
      if (own?.playing) return play(state, own, now);
      // Not an interruption yet, because the previous track may still show for a moment.
      return { ...state, reportedAt: now, errorType: report?.playing ? "wrongSong" : null };
    case "interrupted":
      if (own?.playing) return play(state, own, now);
      if (isFollowed(state)) {
        // It may have been heard long enough before it was paused.
        return own ? whileConfirming(play(state, own, now), reported, now) : stop(state);
      }
      // A phone may pause the song, or play another one, before it is gone.
      if (report === null && state.errorType && state.place === "app") {
        return interrupt({ ...state, reportedAt: now }, now, reasonOfSilence(state));
      }
      // A listener who has paused the song may play something else.
      return report?.playing && !state.held
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
 * Asks for a pause of another track that replaces an unheard song, once for each time it starts, because a
 * device may never obey. While the song starts, the previous track may still play; long after the song
 * stopped, another track is the listener's own choice.
 */
function pauseWrongTrack(state: PlayerState, { report, own }: Reported, now: number): PlayerState {
  const trackId = report?.playing && !own ? (report.trackIds[0] ?? "") : null;
  if (trackId === null) {
    return state.pausedTrack === null ? state : { ...state, pausedTrack: null };
  }
  if (state.phase !== "interrupted" || state.held || !isWatched(state, now)) return state;
  if (state.pausedTrack === trackId) return state;
  return { ...state, pauses: state.pauses + 1, pausedTrack: trackId };
}

function play(state: PlayerState, report: PlacedReport, now: number): PlayerState {
  // The first report of an attempt may come late; the time played by then counts.
  const isFirstReport = state.reportedAt === null && state.errorType === null;
  const beginsToSound = state.phase === "starting" || isFirstReport;
  const played = beginsToSound ? Math.min(report.progressMs, Math.max(0, now - state.since)) : 0;
  return {
    ...state,
    phase: "playing",
    since: now,
    stoppedAt: null,
    reportedAt: now,
    reachedMs: Math.min(Math.max(state.reachedMs, played), unlockMs(state.requiredSeconds)),
    countingFrom: now,
    totalMs: report.durationMs || state.totalMs,
    endsAt: endOf(state, report, now),
    held: false,
    status: { text: messages.playing, tone: "ok" },
    errorType: null,
    dialogOpen: false,
    showRestart: false,
  };
}

function whilePlaying(state: PlayerState, reported: Reported, now: number): PlayerState {
  if (state.ended) return advance(state, now);
  const { report, own } = reported;
  const reachedMs = heardAt(state, now);
  if (hasEnded({ ...state, reachedMs }, reported, now)) {
    const counting = { ...state, countingFrom: state.countingFrom ?? now };
    return { ...advance(counting, now), ended: true, reportedAt: now };
  }
  const plays = own?.playing === true;
  const next = confirmAtUnlock({
    ...state,
    reachedMs: own ? heardAtReport(state, own, now) : reachedMs,
    reportedAt: now,
    countingFrom: plays ? Math.max(now, state.countingFrom ?? now) : null,
    totalMs: (plays && own.durationMs) || state.totalMs,
    endsAt: plays ? endOf(state, own, now) : state.endsAt,
  });
  if (plays || next.phase === "confirming") return next;
  if (report !== null && own === null) return interruptByWrongTrack(next, now);
  if (now - state.since < settlingMs && state.steeredAt === null) return next;
  return report === null
    ? interrupt(next, now, reasonOfSilence(state))
    : interruptByPause(next, now);
}

/** A late report may show that the song stopped before it was heard. */
function whileConfirming(state: PlayerState, reported: Reported, now: number): PlayerState {
  const { report, own } = reported;
  if (own === null) {
    // The other tab's song must not be paused, whatever the server says.
    if (!report?.playing || state.otherTab) return state;
    return hasEnded(state, reported, now)
      ? { ...state, ended: true }
      : interruptByWrongTrack(state, now);
  }
  const reachedMs = heardAtReport(state, own, now);
  return !own.playing && reachedMs < unlockMs(state.requiredSeconds)
    ? interruptByPause({ ...state, reachedMs }, now)
    : { ...state, held: isWithin(state, own) };
}

export function reasonOfSilence(state: PlayerState) {
  if (state.place === "app") return { text: messages.noDevice, errorType: "noDevice" } as const;
  const text = state.driver === "ready" ? messages.takenOver : messages.lost;
  return { text, errorType: "pause" } as const;
}
