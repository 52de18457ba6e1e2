import type { CarouselSong } from "~/domain/carousel/view";
import type { DriverEvent, DriverFailure, Place, PlayFailure } from "~/player/drivers/driver";
import { messages } from "./messages";

/**
 * - idle: nothing plays; `song` stays set during the short delay before it starts over
 * - loading: a song was chosen, but the driver is not ready yet
 * - interrupted: stopped too early, or another track plays; ends when the right one plays again
 * - confirming: heard long enough; the server is being asked to confirm it
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
  /** Increases with every start of a song, so that answers to older attempts can be ignored. */
  attempt: number;
  requiredSeconds: number;
  totalMs: number;
  /** How long the song was heard since its listen began; never beyond the unlock point. */
  heardMs: number;
  /** The start of the listening time that `heardMs` does not include yet; null while none counts. */
  countingFrom: number | null;
  /** When the driver last reported what plays, in this attempt. */
  reportedAt: number | null;
  /** When the current loading, waiting for sound, or playing began. */
  since: number;
  /** When the song was interrupted; null while it is not. */
  stoppedAt: number | null;
  /** Spotify has accepted the request to play, so reports are about this attempt. */
  accepted: boolean;
  /** The song ended before its unlock point; the rest is counted by the clock alone. */
  ended: boolean;
  status: { text: string; tone: "ok" | "error" };
  errorType: null | "pause" | "wrongSong" | "noDevice";
  /** Whether a dialog shows the error; only where songs play in the listener's own app. */
  dialogOpen: boolean;
  showRestart: boolean;
}

/** What the page around the player needs to know. */
export interface PlayerSnapshot {
  place: Place;
  songId: string | null;
  phase: Phase;
  unlocked: boolean;
  /** No other song may be started. */
  busy: boolean;
}

export type PlayerInput =
  | DriverEvent
  | { type: "place-changed"; place: Place }
  | { type: "chosen"; song: CarouselSong }
  /** The song will start over: it stops now and is chosen again a moment later. */
  | { type: "reset" }
  /** An interrupted song continues from where it was heard to. */
  | { type: "resumed" }
  | { type: "listen-opened"; attempt: number; requiredSeconds: number }
  | { type: "play-accepted"; attempt: number }
  | { type: "start-failed"; attempt: number; failure: PlayFailure }
  /** The server did not open the listen. */
  | { type: "refused"; attempt: number; text: string }
  | { type: "tick" }
  | { type: "confirmed"; attempt: number }
  /** The server could not confirm it yet and will be asked again; the text says why. */
  | { type: "confirm-delayed"; attempt: number; text: string }
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

/** The part of the state that the page around the player reacts to. */
export function toSnapshot(state: PlayerState): PlayerSnapshot {
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

/** Whether to offer the listener's own app because the player in the page could not start. */
export function canMoveToApp({ phase, place, driver }: PlayerState): boolean {
  return phase === "failed" && place === "page" && driver !== "ready";
}
