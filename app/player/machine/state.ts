import type { CarouselSong } from "~/domain/carousel/view";
import type { DriverEvent, DriverFailure, Place, PlayFailure } from "~/player/drivers/driver";
import { messages } from "./messages";

/**
 * - idle: nothing is to be heard; a song remains here for the moment before it starts over
 * - loading: a song is chosen, the driver is not ready yet
 * - interrupted: stopped too early, or another track plays; clears when the right one plays again
 * - confirming: heard long enough, the server is being asked
 */
export type Phase =
  | "idle"
  | "loading"
  | "starting"
  | "playing"
  | "interrupted"
  | "confirming"
  | "unlocked"
  | "failed";

/** All times are milliseconds of one clock that never runs backwards; the events carry it. */
export interface PlayerState {
  phase: Phase;
  place: Place;
  driver: "connecting" | "ready" | DriverFailure;
  song: CarouselSong | null;
  /** Rises with every start of a song; answers that belong to an older one are ignored. */
  attempt: number;
  requiredSeconds: number;
  totalMs: number;
  /** How long the song was heard since its listen began; never beyond the unlock point. */
  heardMs: number;
  /** Since when listening has not been added to `heardMs` yet; null while nothing counts. */
  countingFrom: number | null;
  /** When the driver last told what plays, in this attempt. */
  reportedAt: number | null;
  /** When loading, or the wait for sound, or playing began. */
  since: number;
  /** When the song was interrupted; null while it is not. */
  stoppedAt: number | null;
  /** The provider took the request to play, so reports are about this attempt. */
  accepted: boolean;
  /** The song came to its end before the unlock point; the clock alone counts the rest. */
  ended: boolean;
  status: { text: string; tone: "ok" | "error" };
  errorType: null | "pause" | "wrongSong" | "noDevice";
  /** The error is shown in a dialog; only where songs play in the listener's own app. */
  dialogOpen: boolean;
  showRestart: boolean;
}

/** What the page around the player needs to know. `busy`: no other song may be started. */
export interface PlayerSnapshot {
  place: Place;
  songId: string | null;
  phase: Phase;
  unlocked: boolean;
  busy: boolean;
}

export type PlayerInput =
  | DriverEvent
  | { type: "place-changed"; place: Place }
  | { type: "chosen"; song: CarouselSong }
  /** The song is to start over: it is let go of, and chosen again a moment later. */
  | { type: "reset" }
  /** An interrupted song is to go on from where it was heard to. */
  | { type: "resumed" }
  | { type: "listen-opened"; attempt: number; requiredSeconds: number }
  | { type: "play-accepted"; attempt: number }
  | { type: "start-failed"; attempt: number; failure: PlayFailure }
  /** The server did not open the listen. */
  | { type: "refused"; attempt: number; text: string }
  | { type: "tick" }
  | { type: "confirmed"; attempt: number }
  /** The server could not be asked; it will be asked again. */
  | { type: "confirm-delayed"; attempt: number }
  | { type: "confirm-failed"; attempt: number; text: string }
  | { type: "dialog-closed" }
  | { type: "stopped" };

export type PlayerEvent = PlayerInput & { now: number };

export const initialState: PlayerState = {
  phase: "idle",
  place: "page",
  driver: "connecting",
  song: null,
  attempt: 0,
  requiredSeconds: 0,
  totalMs: 0,
  heardMs: 0,
  countingFrom: null,
  reportedAt: null,
  since: 0,
  stoppedAt: null,
  accepted: false,
  ended: false,
  status: { text: messages.ready, tone: "ok" },
  errorType: null,
  dialogOpen: false,
  showRestart: false,
};

/** The part of the state that the page reacts to. */
export function snapshotOf(state: PlayerState): PlayerSnapshot {
  return {
    place: state.place,
    songId: state.song?.songId ?? null,
    phase: state.phase,
    unlocked: state.phase === "unlocked",
    busy: isBusy(state),
  };
}

export function isBusy(state: PlayerState): boolean {
  return ["loading", "starting", "playing", "confirming"].includes(state.phase);
}

/** Whether a player that could not start here may be replaced by the listener's own app. */
export function canMoveToApp({ phase, place, driver }: PlayerState): boolean {
  return phase === "failed" && place === "page" && driver !== "ready";
}
