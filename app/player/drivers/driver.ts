import type { Playback } from "~/sources/listen";

/** Spotify's player in the page, the listener's own app, or the page's own sound for own recordings. */
export type PlaybackTarget = "page" | "app" | "file";

export const initialVolume = 0.8;

export interface PlaybackReport extends Playback {
  durationMs: number;
}

export type DriverFailure = "script" | "initialization" | "authentication" | "account";

/**
 * A null report means that nothing plays on the driver's device, "unknown" that Spotify does not tell what
 * plays, "unanswered" that it gave no answer or asked to wait.
 */
export type DriverEvent =
  | { type: "ready" }
  | { type: "not-ready" }
  | { type: "driver-failed"; failure: DriverFailure }
  | { type: "report"; report: PlaybackReport | null }
  | { type: "unknown" }
  | { type: "unanswered"; limited?: boolean }
  | { type: "autoplay-failed" }
  /** The connection that brings the sound is gone. */
  | { type: "broken-off" }
  /** The sound comes, and this browser makes nothing of it. */
  | { type: "undecodable" }
  | { type: "playback-error" };

/**
 * - no-control: a device is active but does not obey
 * - limited: Spotify demands a longer wait than a listener would accept
 * - undecodable: the browser makes nothing of the sound
 * - cancelled: a newer request or a disconnect came first
 */
export type PlayFailure =
  | "failed"
  | "no-premium"
  | "no-device"
  | "no-control"
  | "limited"
  | "undecodable"
  | "cancelled";

/**
 * A driver contains no rules and does not poll: the controller asks for a report every `pollMs`. No method
 * throws or rejects; errors are events or results.
 */
export interface PlaybackDriver {
  readonly pollMs: number;
  connect(): Promise<void>;
  /** Lets the browser make sound. Must be called inside the click that starts a song. */
  activate(): void;
  prepare(): Promise<{ deviceId: string } | PlayFailure>;
  /**
   * Plays only this, on the prepared device: a track's URI, or the address of a recording's sound, whose volume `gain`
   * lowers.
   */
  play(address: string, positionMs: number, gain?: number): Promise<"started" | PlayFailure>;
  pause(condition?: (report: PlaybackReport) => boolean): Promise<void>;
  resume(condition: (report: PlaybackReport) => boolean): Promise<boolean>;
  setVolume(volume: number): void;
  refresh(): void;
  disconnect(): void;
}

export type DriverFactory = (options: {
  getToken(renew?: boolean): Promise<string>;
  emit(event: DriverEvent): void;
}) => PlaybackDriver;
