import type { Track } from "~/adapters/spotify/track";

/** Where a driver plays: in this very page, or in the listener's own Spotify app. */
export type Place = "page" | "app";

/** What the provider plays at one moment, as a driver saw it. Times are milliseconds. */
export interface PlaybackReport {
  trackId: string | null;
  /** The id asked for, where the provider plays a relinked track in its place. */
  linkedFromId: string | null;
  isrc: string | null;
  paused: boolean;
  positionMs: number;
  durationMs: number;
}

/** Why a driver cannot play at all. Each has its message in `messages.ts`. */
export type DriverFailure = "script" | "initialization" | "authentication" | "account";

/**
 * What a driver tells the player. A null report: nothing plays on the driver's device;
 * "unanswered": the provider could not say what plays.
 */
export type DriverEvent =
  | { type: "ready" }
  | { type: "not-ready" }
  | { type: "driver-failed"; failure: DriverFailure }
  | { type: "report"; report: PlaybackReport | null }
  | { type: "unanswered" }
  | { type: "autoplay-failed" }
  | { type: "playback-error" };

/**
 * Why a song was not started: no device is active; a device is, but does not obey; the provider
 * asks for a longer pause than one can wait for; a newer request or a disconnect overtook this one.
 */
export type PlayFailure =
  | "failed"
  | "no-premium"
  | "no-device"
  | "no-control"
  | "limited"
  | "cancelled";

export interface DriverWiring {
  /** A Web API access token; `renew` asks for another one than the last. Rejects without one. */
  getToken(renew?: boolean): Promise<string>;
  emit(event: DriverEvent): void;
}

/**
 * One way to play a track and to hear how it goes. A driver keeps no rules and does not poll; the
 * controller asks it for a report every `pollMs`. No method throws or rejects: what goes wrong is an
 * event or an outcome.
 */
export interface PlaybackDriver {
  /** How often the controller asks for a report during play, in milliseconds (spec section 9). */
  readonly pollMs: number;
  /** Makes the driver ready; emits "ready" or "driver-failed". */
  connect(): Promise<void>;
  /** Must be called inside the click that starts a song: it lets the browser make sound. */
  activate(): void;
  /** Finds the device that the next song plays on. */
  prepare(): Promise<{ deviceId: string } | PlayFailure>;
  /** Plays the track on the prepared device, alone, from the position in milliseconds. */
  play(trackUri: string, positionMs: number): Promise<"started" | PlayFailure>;
  /** Pauses what plays, where it is what the argument asks for. */
  pause(only?: (report: PlaybackReport) => boolean): Promise<void>;
  /** Asks what plays now; the answer comes as a "report" or "unanswered" event. */
  refresh(): void;
  /** Ends everything the driver has running. The driver cannot be used again. */
  disconnect(): void;
}

export type DriverFactory = (wiring: DriverWiring) => PlaybackDriver;

/**
 * Whether the report is of this track. The provider may play a relinked copy under another id:
 * the id, the id it was linked from, or the recording code must agree.
 */
export function isTrack(report: PlaybackReport, track: Pick<Track, "trackId" | "isrc">): boolean {
  return (
    report.trackId === track.trackId ||
    report.linkedFromId === track.trackId ||
    (report.isrc !== null && report.isrc === track.isrc)
  );
}
