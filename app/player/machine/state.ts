import type { CarouselSong } from "~/exchange/carousel/view";
import { unlockMs } from "~/exchange/listening/progress";
import {
  type DriverEvent,
  type DriverFailure,
  initialVolume,
  type PlaybackTarget,
  type PlayFailure,
} from "~/player/drivers/driver";
import { failureMessages, messages } from "./messages";

/**
 * - idle: nothing plays; `song` stays set during the short delay before it starts over
 * - loading: a song was chosen, but the driver is not ready yet
 * - interrupted: stopped too early, or another track plays; ends when the right one plays again
 * - confirming: heard long enough; the server is being asked to confirm
 * - unlocked: heard and open to rating; `sounding` tells whether it plays
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

/** All times are milliseconds of one clock that never runs backwards; events carry its time. */
export interface PlayerState {
  phase: Phase;
  place: PlaybackTarget;
  /** "not-ready": slow to connect, or gone again. */
  driver: "connecting" | "not-ready" | "ready" | DriverFailure;
  /** Time at which the driver began to connect. */
  connectingSince: number;
  /** Volume from 0 to 1; null in the listener's own app, which has its own. */
  volume: number | null;
  song: CarouselSong | null;
  /** The song is open to rating, and stays so whatever happens. */
  unlocked: boolean;
  /** The song has been rated; it plays on until something else is played, or it ends. */
  rated: boolean;
  /** The ids of all songs known to be open to rating. */
  heardIds: readonly string[];
  /** The song itself plays, according to the last report. */
  sounding: boolean;
  /** Increases with every start of a song, so that answers to older attempts are ignored. */
  attempt: number;
  requiredSeconds: number;
  totalMs: number;
  /** Listening time since the listen began; never beyond the unlock point. */
  heardMs: number;
  /** Start of the listening time that `heardMs` does not include yet; null while none counts. */
  countingFrom: number | null;
  /** Time of the driver's last report in this attempt. */
  reportedAt: number | null;
  /** Time since when Spotify has not told what plays; null while it does. */
  unknownSince: number | null;
  /** Start of the current loading, waiting for sound, or playing. */
  since: number;
  /** Time of the interruption; null without one. */
  stoppedAt: number | null;
  /** Spotify has accepted the request to play, so reports are about this attempt. */
  accepted: boolean;
  /** Expected end of the song, from the last report of it playing; null before one. */
  endsAt: number | null;
  /** The song ended before its unlock point; the clock alone counts the rest. */
  ended: boolean;
  /** Time at which the listener last paused or resumed the song in the player bar; null if never. */
  steeredAt: number | null;
  /** The song is paused, and can resume from its position. */
  held: boolean;
  /** A song started in another tab while this one was being confirmed. */
  otherTab: boolean;
  /** Number of wrong tracks to pause in this attempt. The controller pauses one when it increases. */
  pauses: number;
  /** The wrong track to pause, until it has stopped. */
  pausedTrack: string | null;
  status: { text: string; tone: "ok" | "error" };
  errorType: null | "pause" | "wrongSong" | "noDevice";
  /** A dialog shows the error; only in the listener's own app. */
  dialogOpen: boolean;
  showRestart: boolean;
}

/** The part of the state that the page around the player reads. */
export interface PlayerSnapshot
  extends Pick<PlayerState, "place" | "phase" | "rated" | "heardIds" | "sounding" | "held"> {
  songId: string | null;
  /** No other song can be started. */
  busy: boolean;
  secondsLeft: number | null;
}

export type PlayerInput =
  | DriverEvent
  | { type: "place-changed"; place: PlaybackTarget }
  /** A new driver connects, at this place; the song stays. */
  | { type: "reconnecting"; place: PlaybackTarget }
  | { type: "volume-set"; volume: number }
  | { type: "chosen"; song: CarouselSong }
  /** The song will start over: it stops now and is chosen again a moment later. */
  | { type: "reset" }
  /** The listener pauses or resumes the song in the player bar; a report shows the result. */
  | { type: "steered" }
  /** An interrupted song resumes from where it was heard to. */
  | { type: "resumed" }
  /** The song of an open listen that this page did not begin may still play; a report follows. */
  | { type: "followed"; song: CarouselSong }
  /** `heard`: the song was heard before, so that no listen was opened. */
  | { type: "listen-opened"; attempt: number; requiredSeconds: number; heard?: boolean }
  | { type: "play-accepted"; attempt: number }
  | { type: "start-failed"; attempt: number; failure: PlayFailure }
  /** A song starts in another tab of this browser, which ends this tab's listen. */
  | { type: "other-tab-plays" }
  /** The server did not open the listen. */
  | { type: "refused"; attempt: number; text: string }
  | { type: "tick" }
  | { type: "confirmed"; attempt: number }
  /** The server could not confirm yet and will be asked again; the text gives the reason. */
  | { type: "confirm-delayed"; attempt: number; text: string }
  /** `kept`: the server may still confirm what was heard. */
  | { type: "confirm-failed"; attempt: number; text: string; kept: boolean }
  | { type: "dialog-closed" }
  /** The song has been rated, here or in another tab. */
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
  heardMs: 0,
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

/** The state of a player that starts to connect at a place. */
export function initialStateAt(place: PlaybackTarget): PlayerState {
  return { ...initialState, place, volume: volumeAt(place) };
}

/** Volume of a new driver; null in the listener's own app. */
export function volumeAt(place: PlaybackTarget): number | null {
  return place === "page" ? initialVolume : null;
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
    busy: isBusy(state),
    secondsLeft: secondsLeft(state),
  };
}

/** Checks whether a song is being started or heard, so that choosing it again changes nothing. */
export function isBusy(state: PlayerState): boolean {
  return ["loading", "starting", "playing", "confirming"].includes(state.phase);
}

/**
 * Whole seconds of listening until the song can be rated, rounded up; null without a song, once it is heard,
 * and if it stopped before any of it was heard.
 */
export function secondsLeft(state: PlayerState): number | null {
  const { song, phase, unlocked, requiredSeconds, heardMs } = state;
  if (!song || unlocked) return null;
  if (heardMs <= 0 && (phase === "failed" || phase === "interrupted")) return null;
  return Math.ceil((unlockMs(requiredSeconds) - heardMs) / 1000);
}

/** Checks whether an interrupted song can resume from where it was heard to. */
export function canResume({ phase, unlocked, heardMs }: PlayerState): boolean {
  return phase === "interrupted" && !unlocked && heardMs > 0;
}

/**
 * Checks whether to offer the listener's own app because the page's player could not start. An account
 * without Spotify Premium cannot play there either.
 */
export function canMoveToApp({ phase, place, driver }: PlayerState): boolean {
  if (place !== "page" || driver === "ready" || driver === "account") return false;
  return phase === "failed" || (phase === "interrupted" && driver in failureMessages);
}

/**
 * Checks whether to offer a new player: the one in the page is not ready, or an attempt to play has
 * failed. No player plays for an account without Spotify Premium.
 */
export function offersInitialize(state: PlayerState): boolean {
  const { place, driver, phase, status } = state;
  if (status.text === messages.noPremium) return false;
  if (place === "page" && driver !== "ready" && driver !== "connecting") return true;
  const hasStopped = phase === "failed" || (phase === "interrupted" && !canResume(state));
  return hasStopped && status.tone === "error";
}
