import type { DriverFailure } from "~/player/drivers/driver";
import { heardAt } from "./heard-time";
import { failureMessages, messages } from "./messages";
import { type PlayerState, volumeAt } from "./state";
import { fail, interrupt, nextAttempt, showDriverState, start } from "./steps";

export function connectAt(
  place: PlayerState["place"],
  state: PlayerState,
  now: number,
  driver: PlayerState["driver"] = "connecting",
): PlayerState {
  const volume = volumeAt(place) && (state.volume ?? volumeAt(place));
  return { ...state, place, volume, driver, connectingSince: now };
}

/** The new driver does not know what played. A partly heard song can be resumed. */
export function onReconnecting(state: PlayerState, now: number): PlayerState {
  const status = { text: messages.connecting, tone: "ok" } as const;
  switch (state.phase) {
    case "loading":
      return { ...state, since: now };
    case "confirming":
    case "unlocked":
      return { ...state, sounding: false };
    case "idle":
      return state.song ? state : showDriverState({ ...state, status });
    case "failed":
      return { ...fail(nextAttempt(state), messages.connecting), reachedMs: 0, status };
    default:
      return {
        ...interrupt(nextAttempt(state), now, { text: messages.connecting, errorType: null }),
        reachedMs: heardAt(state, now),
        status,
      };
  }
}

export function onReady(state: PlayerState, now: number): PlayerState {
  if (state.phase === "loading") return start(state, now);
  return state.status.text === messages.notReady || state.status.text === messages.lost
    ? { ...state, status: { text: messages.ready, tone: "ok" } }
    : showDriverState(state);
}

export function onDriverFailed(state: PlayerState, failure: DriverFailure): PlayerState {
  const next: PlayerState = { ...state, driver: failure };
  // A song that plays goes on playing; its reports show when it stops.
  const needsDriver =
    state.phase === "loading" ||
    state.phase === "starting" ||
    // The song was given up waiting for this driver.
    (state.phase === "failed" && state.driver === "not-ready");
  // A restart does not help if the message asks for a refresh or another account.
  return needsDriver ? fail(next, failureMessages[failure], false) : showDriverState(next);
}
