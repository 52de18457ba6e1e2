import type { Playback } from "~/spotify/spotify";

/** The place where a driver plays: this page, or the listener's own Spotify app. */
export type PlaybackTarget = "page" | "app";

/** Initial volume of the player in the page, from 0 to 1. */
export const initialVolume = 0.8;

/** Playback at one moment, as a driver saw it. */
export interface PlaybackReport extends Playback {
  /** The track's length, in milliseconds; 0 where it is unknown. */
  durationMs: number;
}

/** Reasons why a driver cannot play at all. Each has its message in machine/messages.ts. */
export type DriverFailure = "script" | "initialization" | "authentication" | "account";

/**
 * Events from a driver to the player. A null report means that nothing plays on the driver's device,
 * "unknown" that Spotify does not tell what plays, "unanswered" that it gave no answer or asked to wait.
 */
export type DriverEvent =
  | { type: "ready" }
  | { type: "not-ready" }
  | { type: "driver-failed"; failure: DriverFailure }
  | { type: "report"; report: PlaybackReport | null }
  | { type: "unknown" }
  | { type: "unanswered"; limited?: boolean }
  | { type: "autoplay-failed" }
  | { type: "playback-error" };

/**
 * Reasons why a song was not started.
 * - no-device: no device is active
 * - no-control: a device is active but does not obey
 * - limited: Spotify demands a longer wait than a listener would accept
 * - cancelled: a newer request or a disconnect came first
 */
export type PlayFailure =
  | "failed"
  | "no-premium"
  | "no-device"
  | "no-control"
  | "limited"
  | "cancelled";

/**
 * A way to play a track and to follow its playback. A driver contains no rules and does not poll: the
 * controller asks it for a report every `pollMs`. No method throws or rejects; errors are events or results.
 */
export interface PlaybackDriver {
  /** Milliseconds between the controller's requests for a report during play. */
  readonly pollMs: number;
  /** Gets the driver ready; emits "ready" or "driver-failed". */
  connect(): Promise<void>;
  /** Lets the browser make sound. Must be called inside the click that starts a song. */
  activate(): void;
  /** Finds the device that the next song will play on. */
  prepare(): Promise<{ deviceId: string } | PlayFailure>;
  /** Plays only this track on the prepared device, from the position in milliseconds. */
  play(trackUri: string, positionMs: number): Promise<"started" | PlayFailure>;
  /** Pauses playback; with `condition`, only if the report meets it. */
  pause(condition?: (report: PlaybackReport) => boolean): Promise<void>;
  /** Resumes playback if the report meets the condition. @returns whether it plays again. */
  resume(condition: (report: PlaybackReport) => boolean): Promise<boolean>;
  /** Sets the volume, from 0 to 1, even before the driver is ready. Does nothing in the own app. */
  setVolume(volume: number): void;
  /** Asks for a report, which comes as a "report", "unknown" or "unanswered" event. */
  refresh(): void;
  /** Stops everything the driver is doing. The driver cannot be used again. */
  disconnect(): void;
}

export type DriverFactory = (options: {
  /** A Web API access token; with `renew`, a new one. Rejects if none is available. */
  getToken(renew?: boolean): Promise<string>;
  emit(event: DriverEvent): void;
}) => PlaybackDriver;
