import { unlockMs } from "~/domain/listening/listening";
import type { PlaybackReport } from "~/player/drivers/driver";
import type { PlayerState } from "./state";

/** Position and clock differ by a little even when all is well. */
const POSITION_SLACK_MS = 500;
/** How far before its length a song may be said to have ended. */
const END_SLACK_MS = 1_500;
/** Time nobody has vouched for counts no further than this until somebody does. */
const UNREPORTED_LIMIT_MS = 15_000;

/**
 * How long the song was heard, in milliseconds, as far as the last report vouches for it. The clock
 * decides, not the number of ticks; never beyond the unlock point.
 */
export function heardAt(state: PlayerState, now: number): number {
  if (state.countingFrom === null) return state.heardMs;
  return capped(state, state.heardMs + vouchedUntil(state, now) - state.countingFrom);
}

/** Up to when the time since `countingFrom` counts without another report. */
function vouchedUntil(state: PlayerState, now: number): number {
  const from = state.countingFrom ?? now;
  const until = state.ended ? now : Math.min(now, (state.reportedAt ?? from) + UNREPORTED_LIMIT_MS);
  return Math.max(from, until);
}

/**
 * The same upon a report of the right track: all the time since the last one counts, also where the
 * page slept meanwhile, but no further than the song has come. What was spent loading is not heard.
 */
export function heardAtReport(state: PlayerState, report: PlaybackReport, now: number): number {
  // A player that loads stands at 0: that says nothing about what was heard before.
  if (report.paused && report.positionMs === 0) return heardAt(state, now);
  const passed = state.countingFrom === null ? 0 : Math.max(0, now - state.countingFrom);
  return capped(state, Math.min(state.heardMs + passed, report.positionMs + POSITION_SLACK_MS));
}

/** Adds the time since `countingFrom`, and goes on to the confirmation at the unlock point. */
export function advance(state: PlayerState, now: number): PlayerState {
  if (state.countingFrom === null) return state;
  // What is not vouched for yet may still be: the next report tells.
  return settle({
    ...state,
    heardMs: heardAt(state, now),
    countingFrom: vouchedUntil(state, now),
  });
}

export function settle(state: PlayerState): PlayerState {
  if (state.heardMs < unlockMs(state.requiredSeconds)) return state;
  return { ...state, phase: "confirming", countingFrom: null };
}

/**
 * There is no end-of-track event. A song that was heard to its end and then stops, starts over or
 * gives way to another one has ended; a short song does so before its unlock point.
 * @param report what plays, or null where nothing does.
 * @param right whether that is the song.
 */
export function hasEnded(
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

function capped(state: PlayerState, heardMs: number): number {
  return Math.min(heardMs, unlockMs(state.requiredSeconds));
}
