import type { CarouselSong } from "~/exchange/carousel/view";
import {
  type DriverEvent,
  type DriverFailure,
  initialVolume,
  type PlaybackTarget,
  type PlayFailure,
} from "~/player/drivers/driver";
import { unlockMs } from "~/sources/listen";
import { failureMessages, messages } from "./messages";

/**
 * - idle: nothing plays; `song` stays set during the short delay before it starts over
 * - loading: a song was chosen, but the driver is not ready yet
 * - interrupted: stopped too early, or another track plays; ends when the right one plays again
 * - confirming: heard long enough; the server is being asked to confirm
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

/** All times are milliseconds of one clock that never runs backwards. */
export interface PlayerState {
  phase: Phase;
  place: PlaybackTarget;
  /** "not-ready": slow to connect, or lost. */
  driver: "connecting" | "not-ready" | "ready" | DriverFailure;
  connectingSince: number;
  volume: number | null;
  song: CarouselSong | null;
  /** Open to rating, and stays so whatever happens. */
  unlocked: boolean;
  /** The song plays on until something else is played, or it ends. */
  rated: boolean;
  heardIds: readonly string[];
  sounding: boolean;
  /** Increases with every start of a song, so that answers to older attempts are ignored. */
  attempt: number;
  requiredSeconds: number;
  totalMs: number;
  /** How far the listener has come into the song. */
  reachedMs: number;
  /** Start of the listening time that `reachedMs` does not include yet; null while none counts. */
  countingFrom: number | null;
  reportedAt: number | null;
  /** Since then Spotify has not told what plays. */
  unknownSince: number | null;
  /** Start of the current loading, waiting for sound, or playing. */
  since: number;
  stoppedAt: number | null;
  /** Spotify has accepted the request to play, so reports are about this attempt. */
  accepted: boolean;
  endsAt: number | null;
  /** The song ended before its unlock point; the clock alone counts the rest. */
  ended: boolean;
  steeredAt: number | null;
  /** The song is paused, and can resume from its position. */
  held: boolean;
  otherTab: boolean;
  /** The controller pauses the wrong track each time this number increases. */
  pauses: number;
  /** The wrong track to pause, until it has stopped. */
  pausedTrack: string | null;
  /**
   * "elsewhere": the song plays in another tab. "closed": it cannot be rated any more. "undecodable": this browser
   * cannot play it.
   */
  status: {
    text: string;
    tone: "ok" | "error";
    kind?: "elsewhere" | "closed" | "undecodable" | undefined;
  };
  errorType: null | "pause" | "wrongSong" | "noDevice";
  dialogOpen: boolean;
  showRestart: boolean;
}

export interface PlayerSnapshot
  extends Pick<PlayerState, "place" | "phase" | "rated" | "heardIds" | "sounding" | "held"> {
  songId: string | null;
  /** The server has refused to play the song, because it cannot be rated any more. */
  closed: boolean;
  busy: boolean;
  secondsLeft: number | null;
}

export type PlayerInput =
  | DriverEvent
  /** `driver` is what is known of the driver there. */
  | { type: "place-changed"; place: PlaybackTarget; driver?: PlayerState["driver"] }
  | { type: "reconnecting"; place: PlaybackTarget }
  | { type: "volume-set"; volume: number }
  | { type: "chosen"; song: CarouselSong }
  /** The song stops now and is chosen again a moment later. */
  | { type: "reset" }
  /** The listener pauses or resumes the song in the player bar; a report shows the result. */
  | { type: "steered" }
  | { type: "resumed" }
  /** The song of an open listen that this page did not begin may still play; a report follows. */
  | { type: "followed"; song: CarouselSong }
  /** The song of an open listen that this page did not begin can go on from where it was. */
  | { type: "returned"; song: CarouselSong; reachedMs: number }
  /** `heard`: no listen was opened, because the song was heard before. */
  | { type: "listen-opened"; attempt: number; requiredSeconds: number; heard?: boolean }
  | { type: "play-accepted"; attempt: number }
  | { type: "start-failed"; attempt: number; failure: PlayFailure }
  | { type: "other-tab-plays"; song: CarouselSong }
  | { type: "refused"; attempt: number; text: string; closed?: boolean | undefined }
  | { type: "tick" }
  | { type: "confirmed"; attempt: number }
  | { type: "confirm-delayed"; attempt: number; text: string }
  | { type: "confirm-failed"; attempt: number; text: string; kept: boolean }
  | { type: "dialog-closed" }
  | { type: "rated" }
  | { type: "stopped" };

export type PlayerEvent = PlayerInput & { now: number };

export const initialState: PlayerState = {
  phase: "idle",
  place: "page",
  driver: "connecting",
  connectingSince: 0,
  volume: initialVolume,
  song: null,
  unlocked: false,
  rated: false,
  heardIds: [],
  sounding: false,
  attempt: 0,
  requiredSeconds: 0,
  totalMs: 0,
  reachedMs: 0,
  countingFrom: null,
  reportedAt: null,
  unknownSince: null,
  since: 0,
  stoppedAt: null,
  accepted: false,
  endsAt: null,
  ended: false,
  steeredAt: null,
  held: false,
  otherTab: false,
  pauses: 0,
  pausedTrack: null,
  status: { text: messages.connecting, tone: "ok" },
  errorType: null,
  dialogOpen: false,
  showRestart: false,
};

export function initialStateAt(place: PlaybackTarget): PlayerState {
  return { ...initialState, place, volume: volumeAt(place) };
}

export function volumeAt(place: PlaybackTarget): number | null {
  return place === "app" ? null : initialVolume;
}

export function toSnapshot(state: PlayerState): PlayerSnapshot {
  const { place, phase, rated, heardIds, sounding, held, song } = state;
  return {
    place,
    songId: song?.songId ?? null,
    phase,
    rated,
    heardIds,
    sounding,
    held,
    closed: state.status.kind === "closed",
    busy: isBusy(state),
    secondsLeft: secondsLeft(state),
  };
}

export function isBusy(state: PlayerState): boolean {
  return ["loading", "starting", "playing", "confirming"].includes(state.phase);
}

/** It plays here, or is about to. */
export function isActive(state: PlayerState): boolean {
  return isBusy(state) || state.sounding;
}

export function playsElsewhere({ status }: PlayerState): boolean {
  return status.kind === "elsewhere";
}

export function secondsLeft(state: PlayerState): number | null {
  const { song, phase, unlocked, requiredSeconds, reachedMs } = state;
  if (!song || unlocked) return null;
  if (reachedMs <= 0 && (phase === "failed" || phase === "interrupted")) return null;
  // The second that rating opens late (rule 15, proof of hearing) is in no number that people read.
  return Math.min(requiredSeconds, Math.ceil((unlockMs(requiredSeconds) - reachedMs) / 1000));
}

export function canResume({ phase, unlocked, reachedMs }: PlayerState): boolean {
  return phase === "interrupted" && !unlocked && reachedMs > 0;
}

/** An account without Spotify Premium cannot play in the own app either. */
export function canMoveToApp({ phase, place, driver }: PlayerState): boolean {
  if (place !== "page" || driver === "ready" || driver === "account") return false;
  return phase === "failed" || (phase === "interrupted" && driver in failureMessages);
}

/** Spotify is gone from this page in the middle of a song, which can go on here. */
export function isLost(state: PlayerState): boolean {
  const { text } = state.status;
  return canResume(state) && (text === messages.lost || text === messages.takenOver);
}

/** Its fault, or its delay, may be the network's. */
export function waitsForNetwork({ status, phase }: PlayerState): boolean {
  return status.tone === "error" || ["loading", "starting", "failed"].includes(phase);
}

export function offersInitialize(state: PlayerState): boolean {
  const { place, driver, phase, status } = state;
  if (place === "app" || status.text === messages.noPremium || isLost(state)) return false;
  if (place === "page" && driver !== "ready" && driver !== "connecting") return true;
  const hasStopped = phase === "failed" || (phase === "interrupted" && !canResume(state));
  return hasStopped && status.tone === "error" && status.kind !== "undecodable";
}
