import type { CarouselSong } from "~/exchange/carousel/view";
import { unlockMs } from "~/sources/listen";
import { failureMessages, messages } from "./messages";
import { initialState, type PlayerState } from "./state";

const maxPauseMs = 15_000;
/** How long an interrupted song may still resume by itself. */
const maxWatchMs = 60_000;
export const longAgo = Number.NEGATIVE_INFINITY;

export function nextAttempt(state: PlayerState): PlayerState {
  return { ...state, attempt: state.attempt + 1, accepted: false, unknownSince: null };
}

export function stop(state: PlayerState): PlayerState {
  const { place, driver, connectingSince, volume, heardIds, attempt } = state;
  const kept = { place, driver, connectingSince, volume, heardIds };
  return showDriverState({ ...initialState, ...kept, attempt: attempt + 1 });
}

export function withSong(state: PlayerState, song: CarouselSong): PlayerState {
  const { requiredSeconds, durationMs } = song;
  return { ...stop(state), song, requiredSeconds, totalMs: durationMs };
}

export function load(state: PlayerState, now: number): PlayerState {
  if (state.driver === "ready") return start(state, now);
  const status = { text: messages.waiting, tone: "ok" } as const;
  return { ...state, phase: "loading", since: now, status };
}

export function start(state: PlayerState, now: number): PlayerState {
  return { ...state, phase: "starting", since: now, ...startingStatus };
}

export const startingStatus: Pick<PlayerState, "status"> = {
  status: { text: messages.starting, tone: "ok" },
};

export function startFailedText({ song }: PlayerState): string {
  return song?.explicit ? messages.explicit : messages.startFailed;
}

export function fail(state: PlayerState, text: string, showRestart = true): PlayerState {
  return {
    ...state,
    phase: "failed",
    countingFrom: null,
    sounding: false,
    held: false,
    status: { text, tone: "error" },
    errorType: null,
    dialogOpen: false,
    showRestart,
  };
}

/** Nothing went wrong: the listener has a choice, or a step to take. */
export function failCalmly(
  state: PlayerState,
  text: string,
  kind?: PlayerState["status"]["kind"],
): PlayerState {
  return { ...fail(state, text, kind !== "closed"), status: { text, tone: "ok", kind } };
}

/** The browser cannot play the song: it is to be passed on, not tried for ever. */
export function failAtSound(state: PlayerState): PlayerState {
  const text = messages.undecodable;
  return { ...fail(state, text, false), status: { text, tone: "error", kind: "undecodable" } };
}

export function interrupt(
  state: PlayerState,
  now: number,
  { text, errorType }: { text: string; errorType: PlayerState["errorType"] },
): PlayerState {
  // A dialog that the listener has closed returns only for another error.
  const errorIsNew = state.phase !== "interrupted" || state.errorType !== errorType;
  return {
    ...state,
    phase: "interrupted",
    countingFrom: null,
    sounding: false,
    held: false,
    stoppedAt: state.stoppedAt ?? now,
    status: { text, tone: "error" },
    errorType,
    dialogOpen: state.place === "app" && errorType !== null && (errorIsNew || state.dialogOpen),
    showRestart: true,
  };
}

/** A pause is an error unless the listener paused the song in the player bar. */
export function interruptByPause(state: PlayerState, now: number): PlayerState {
  const { steeredAt, reachedMs } = state;
  const pausedInBar = steeredAt !== null && now - steeredAt < maxPauseMs && reachedMs > 0;
  if (!pausedInBar) {
    return interrupt(state, now, { text: messages.pausedEarly, errorType: "pause" });
  }
  return hold(state, now);
}

export function hold(state: PlayerState, now: number): PlayerState {
  const text = messages.paused;
  const next = interrupt(state, now, { text, errorType: null });
  return { ...next, held: true, status: { text, tone: "ok" }, showRestart: false };
}

export function interruptByWrongTrack(state: PlayerState, now: number): PlayerState {
  return interrupt(state, now, { text: messages.wrongTrack, errorType: "wrongSong" });
}

export function markHeard(state: PlayerState): PlayerState {
  const { song, heardIds } = state;
  if (!song) return state;
  return {
    ...state,
    unlocked: true,
    heardIds: heardIds.includes(song.songId) ? heardIds : [...heardIds, song.songId],
    reachedMs: unlockMs(state.requiredSeconds),
    countingFrom: null,
  };
}

export function unlock(state: PlayerState): PlayerState {
  const playsOn = state.rated && state.sounding;
  return {
    ...state,
    phase: "unlocked",
    status: { text: playsOn ? messages.playing : messages.unlocked, tone: "ok" },
    errorType: null,
    dialogOpen: false,
    showRestart: false,
  };
}

export function showDriverState(state: PlayerState): PlayerState {
  const { driver, status } = state;
  if (status.text !== messages.connecting && status.text !== messages.ready) return state;
  if (driver === "connecting" || driver === "not-ready") {
    return { ...state, status: { text: messages.connecting, tone: "ok" } };
  }
  return driver === "ready"
    ? { ...state, status: { text: messages.ready, tone: "ok" } }
    : { ...state, status: { text: failureMessages[driver], tone: "error" }, showRestart: false };
}

export function isWatched({ stoppedAt }: PlayerState, now: number): boolean {
  return now - (stoppedAt ?? now) < maxWatchMs;
}

/** A listen from before a reload awaits its first report. */
export function isFollowed({ since }: PlayerState): boolean {
  return since === longAgo;
}
