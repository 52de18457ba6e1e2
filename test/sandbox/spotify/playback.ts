/**
 * A musician's playback: the devices, what plays on them, and a real clock. As at Spotify, at most one
 * device is active, a track that has ended is shown as paused at position 0, and a track may be played
 * under another id than the requested one (track relinking).
 */
import { randomBytes } from "node:crypto";
import { type CatalogueTrack, spotifyId, trackById, tracks } from "../catalogue.ts";

export interface Device {
  id: string;
  name: string;
  kind: "sdk" | "app";
  /** 0 to 100. */
  volume: number;
  /** Refuses commands of the Web API. */
  restricted: boolean;
}

export interface Playback {
  devices: Map<string, Device>;
  activeId: string | null;
  /** The id that was asked for. What plays is this track, or the one that it is relinked to. */
  trackId: string | null;
  /** The track was asked for, and did not follow another one by itself. */
  isOrdered: boolean;
  playing: boolean;
  /** The position at the time `since` (epoch milliseconds). */
  positionMs: number;
  since: number;
  /** The time of the last change, in epoch milliseconds. */
  changedAt: number;
  /** The track has played to its end and nothing was started since. */
  ended: boolean;
  /** What plays in the place of the track, until one is started: Spotify names no advertisement. */
  interlude: "ad" | "episode" | null;
  /** The app's private session: while its device is active, Spotify tells nothing of the playback. */
  private: boolean;
  /** After an ordered track another one plays, which begins this much before its end; null: nothing does. */
  crossfadeMs: number | null;
  /** A new one for each start of a track. */
  playbackId: string;
  endTimer: NodeJS.Timeout | null;
  listeners: Set<(cause: Cause) => void>;
}

/** Why listeners are called. */
export type Cause = "start" | "change";

interface CurrentTrack {
  /** The track that the client asked for. */
  requested: CatalogueTrack;
  /** The track that plays; a different one if it is relinked. */
  playing: CatalogueTrack;
}

/** A device id like Spotify's, 40 hexadecimal digits: always the same for a key, random for null. */
export function deviceId(key: string | null): string {
  if (key === null) return randomBytes(20).toString("hex");
  return Buffer.from(spotifyId(`device ${key}`))
    .toString("hex")
    .slice(0, 40);
}

export function createPlayback(): Playback {
  return {
    devices: new Map(),
    activeId: null,
    trackId: null,
    isOrdered: false,
    playing: false,
    positionMs: 0,
    since: Date.now(),
    changedAt: Date.now(),
    ended: false,
    interlude: null,
    private: false,
    crossfadeMs: null,
    playbackId: "",
    endTimer: null,
    listeners: new Set(),
  };
}

export function currentTrack(playback: Playback): CurrentTrack | null {
  const requested = trackById.get(playback.trackId ?? "");
  if (!requested) return null;
  return { requested, playing: trackById.get(requested.relinkedTo ?? "") ?? requested };
}

export function activeDevice(playback: Playback): Device | null {
  return playback.devices.get(playback.activeId ?? "") ?? null;
}

/** The active device, unless a private session hides it. */
export function shownDevice(playback: Playback): Device | null {
  const device = activeDevice(playback);
  return device?.kind === "app" && playback.private ? null : device;
}

/** The position in the current track in milliseconds, at most its duration. */
export function position(playback: Playback, now = Date.now()): number {
  const track = currentTrack(playback);
  if (!track) return 0;
  const elapsed = playback.playing ? now - playback.since : 0;
  return Math.min(playback.positionMs + elapsed, track.playing.durationMs);
}

/** Starts a track on a device, which becomes the active one. */
export function start(
  playback: Playback,
  device: Device,
  trackId: string,
  positionMs = 0,
  isOrdered = true,
): void {
  Object.assign(playback, { activeId: device.id, trackId, isOrdered, interlude: null });
  playback.playbackId = randomBytes(16).toString("hex");
  const length = currentTrack(playback)?.playing.durationMs ?? 0;
  if (positionMs >= length) finish(playback);
  else set(playback, { positionMs, playing: true, ended: false }, "start");
}

/** Resumes, from the start if the track had ended. False if there is nothing to resume. */
export function resume(playback: Playback): boolean {
  if (!currentTrack(playback) || !activeDevice(playback)) return false;
  set(playback, { positionMs: position(playback), playing: true, ended: false });
  return true;
}

export function pause(playback: Playback): void {
  set(playback, { positionMs: position(playback), playing: false });
}

/** Moves playback to another device, and resumes it if `play` is true. */
export function transfer(playback: Playback, device: Device, play: boolean): void {
  playback.activeId = device.id;
  set(playback, { positionMs: position(playback), playing: play || playback.playing });
}

export function addDevice(playback: Playback, device: Device): void {
  playback.devices.set(device.id, device);
  changed(playback);
}

/** Removes a device. If it was the active one, playback ends and no device is active. */
export function removeDevice(playback: Playback, id: string): void {
  if (!playback.devices.delete(id)) return;
  if (playback.activeId !== id) {
    changed(playback);
    return;
  }
  playback.activeId = null;
  playback.trackId = null;
  set(playback, { positionMs: 0, playing: false, ended: false });
}

/** Removes all devices, which ends playback. */
export function clearPlayback(playback: Playback): void {
  for (const id of [...playback.devices.keys()]) removeDevice(playback, id);
}

function finish(playback: Playback): void {
  const device = activeDevice(playback);
  if (crossfadeOf(playback) > 0 && device) {
    const next = tracks.find(
      ({ id, durationMs }) => id !== playback.trackId && durationMs > 60_000,
    );
    start(playback, device, next?.id ?? "", 0, false);
  } else set(playback, { positionMs: 0, playing: false, ended: true });
}

/** How much before its end the track gives way to another one, in milliseconds. */
function crossfadeOf({ isOrdered, crossfadeMs }: Playback): number {
  return isOrdered ? (crossfadeMs ?? 0) : 0;
}

function set(
  playback: Playback,
  change: Partial<Pick<Playback, "positionMs" | "playing" | "ended">>,
  cause: Cause = "change",
): void {
  Object.assign(playback, change);
  // The position counts from now, even if `playing` has not changed (a seek).
  playback.since = Date.now();
  changed(playback, cause);
}

function changed(playback: Playback, cause: Cause = "change"): void {
  playback.changedAt = Date.now();
  if (playback.endTimer) clearTimeout(playback.endTimer);
  const track = currentTrack(playback);
  const left = (track?.playing.durationMs ?? 0) - crossfadeOf(playback) - position(playback);
  playback.endTimer =
    playback.playing && track ? setTimeout(() => finish(playback), left).unref() : null;
  for (const listener of [...playback.listeners]) listener(cause);
}
