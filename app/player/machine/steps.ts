/** The steps that the player's rules are made of: what several events do to the state alike. */
import type { CarouselSong } from "~/domain/carousel/view";
import { unlockMs } from "~/domain/listening/progress";
import { failureMessages, messages, wrongTrackMessage } from "./messages";
import { initialState, type PlayerState } from "./state";

/** How long an interrupted song is watched, in case it continues by itself. */
const maxWatchMs = 60_000;
/** When a song began of which that is not known: before any other time. */
export const longAgo = -1e9;

/** Whatever the requests before it still lead to belongs to an attempt that is over. */
export function nextAttempt(state: PlayerState): PlayerState {
  return { ...state, attempt: state.attempt + 1, accepted: false };
}

/** Stops playing. Requests still in progress belong to an older attempt from here on. */
export function stop(state: PlayerState): PlayerState {
  const { place, driver, connectingSince, volume, heardIds, attempt } = state;
  const kept = { place, driver, connectingSince, volume, heardIds };
  return tellWhileIdle({ ...initialState, ...kept, attempt: attempt + 1 });
}

/** Another song is chosen, of which nothing was heard. */
export function withSong(state: PlayerState, song: CarouselSong): PlayerState {
  const { requiredSeconds, durationMs } = song;
  return { ...stop(state), song, requiredSeconds, totalMs: durationMs };
}

/** A song waits for the driver, or starts with one that is ready. */
export function load(state: PlayerState, now: number): PlayerState {
  if (state.driver === "ready") return start(state, now);
  const status = { text: messages.notReady, tone: "ok" } as const;
  return { ...state, phase: "loading", since: now, status };
}

/** The song is asked for: device, listen and playback. */
export function start(state: PlayerState, now: number): PlayerState {
  return { ...state, phase: "starting", since: now, ...startingStatus };
}

export const startingStatus: Pick<PlayerState, "status"> = {
  status: { text: messages.starting, tone: "ok" },
};

/** The song is given up; a restart begins it anew. */
export function fail(state: PlayerState, text: string, showRestart = true): PlayerState {
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

/** The song has stopped, and may go on by itself or be resumed. */
export function interrupt(
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

/** Another track plays in its place. */
export function interruptByWrongTrack(state: PlayerState, now: number): PlayerState {
  return interrupt(state, now, { text: wrongTrackMessage(state.place), errorType: "wrongSong" });
}

/** The song is open to rating from here on, and nothing more of it has to be heard. */
export function knowHeard(state: PlayerState): PlayerState {
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

/** The song may be rated. */
export function unlock(state: PlayerState): PlayerState {
  return {
    ...state,
    phase: "unlocked",
    status: { text: messages.unlocked, tone: "ok" },
    errorType: null,
    dialogOpen: false,
    showRestart: false,
  };
}

/** A calm status line tells how the driver is: an error at its start before anything is pressed. */
export function tellWhileIdle(state: PlayerState): PlayerState {
  const { driver, status } = state;
  if (status.text !== messages.connecting && status.text !== messages.ready) return state;
  if (driver === "connecting" || driver === "not-ready") {
    return { ...state, status: { text: messages.connecting, tone: "ok" } };
  }
  return driver === "ready"
    ? { ...state, status: { text: messages.ready, tone: "ok" } }
    : { ...state, status: { text: failureMessages[driver], tone: "error" }, showRestart: false };
}

/** Whether an interrupted song may still continue by itself. */
export function isWatched({ stoppedAt }: PlayerState, now: number): boolean {
  return now - (stoppedAt ?? now) < maxWatchMs;
}

/** Whether nothing has been reported yet of a listen that is followed. */
export function isFollowed({ since }: PlayerState): boolean {
  return since === longAgo;
}
