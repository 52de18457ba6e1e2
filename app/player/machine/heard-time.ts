import type { PlaybackReport } from "~/player/drivers/driver";
import { crossfadeMs, unlockMs } from "~/sources/listen";
import type { PlayerState } from "./state";

const positionToleranceMs = 500;
const endToleranceMs = 1_500;
/** Longest time that counts without a report. The next report may add the rest. */
const maxUnreportedMs = 15_000;

/** The position is assumed if Spotify has told none. */
export type PlacedReport = PlaybackReport & { progressMs: number };

/** `own` is the same report if it is about the current song, else null. */
export interface Reported {
  report: PlacedReport | null;
  own: PlacedReport | null;
}

/** Listening time of the song, by the clock and not by ticks; never beyond the unlock point. */
export function heardAt(state: PlayerState, now: number): number {
  if (state.countingFrom === null) return state.reachedMs;
  return cappedAtUnlock(state, state.reachedMs + countedUntil(state, now) - state.countingFrom);
}

function countedUntil(state: PlayerState, now: number): number {
  const from = state.countingFrom ?? now;
  const until = state.ended ? now : Math.min(now, (state.reportedAt ?? from) + maxUnreportedMs);
  return Math.max(from, until);
}

/**
 * Heard time between two reports is the smaller of elapsed time and position change, because loading is not
 * listening.
 */
export function heardAtReport(state: PlayerState, report: PlacedReport, now: number): number {
  // A player that is loading reports 0, which tells nothing about the time before.
  if (!report.playing && report.progressMs === 0) return heardAt(state, now);
  const passed = state.countingFrom === null ? 0 : Math.max(0, now - state.countingFrom);
  const progress = report.progressMs + positionToleranceMs;
  return cappedAtUnlock(state, Math.min(state.reachedMs + passed, progress));
}

/** Adds the time since `countingFrom`, and changes to "confirming" at the unlock point. */
export function advance(state: PlayerState, now: number): PlayerState {
  if (state.countingFrom === null) return state;
  return confirmAtUnlock({
    ...state,
    reachedMs: heardAt(state, now),
    countingFrom: countedUntil(state, now),
  });
}

export function confirmAtUnlock(state: PlayerState): PlayerState {
  if (state.reachedMs < unlockMs(state.requiredSeconds)) return state;
  return { ...state, phase: "confirming", countingFrom: null };
}

export function endOf(state: PlayerState, report: PlacedReport, now: number): number {
  return now + (report.durationMs || state.totalMs) - report.progressMs;
}

/** True for a song that is paused in the middle. One that has ended is at its beginning. */
export function isWithin({ totalMs }: PlayerState, own: PlacedReport): boolean {
  const { playing, progressMs } = own;
  return !playing && progressMs > 0 && progressMs < totalMs - positionToleranceMs;
}

/**
 * Spotify sends no event for the end of a song. A song that was heard to its end has ended if it then stops,
 * starts over or is followed by another track, which a crossfade starts earlier.
 */
export function hasEnded(
  { reachedMs, totalMs, endsAt }: Pick<PlayerState, "reachedMs" | "totalMs" | "endsAt">,
  { report, own }: Reported,
  now: number,
): boolean {
  const otherTrackPlays = own === null && report?.playing;
  const lastMs = endToleranceMs + (otherTrackPlays ? crossfadeMs(totalMs) : 0);
  if (reachedMs <= 0 || reachedMs < totalMs - lastMs) return false;
  if (otherTrackPlays) {
    // A track that is further on than the song's end allows has replaced the song.
    return report.progressMs <= now - (endsAt ?? now) + crossfadeMs(totalMs) + positionToleranceMs;
  }
  if (own === null) return true;
  const atStart = own.progressMs < Math.min(endToleranceMs, reachedMs - 1000);
  const atEnd = own.progressMs >= totalMs - positionToleranceMs;
  return atStart || (!own.playing && atEnd);
}

function cappedAtUnlock(state: PlayerState, reachedMs: number): number {
  return Math.min(reachedMs, unlockMs(state.requiredSeconds));
}
