/**
 * A musician's devices and what plays on them, by a real clock. A track that has ended is shown as paused at
 * position 0, and a track may be played under another id than the requested one (relinking).
 */
import { randomBytes } from "node:crypto";
import { type CatalogueTrack, spotifyId, trackById } from "../catalogue.ts";

export interface Device {
  id: string;
  name: string;
  kind: "sdk" | "app";
  volume: number;
  restricted: boolean;
}

export interface Playback {
  devices: Map<string, Device>;
  activeId: string | null;
  /** The id that was asked for. What plays is this track, or the one that it is relinked to. */
  trackId: string | null;
  playing: boolean;
  /** The position at the time `since`. */
  positionMs: number;
  since: number;
  changedAt: number;
  /** The track has played to its end and nothing was started since. */
  ended: boolean;
  /** What plays instead of the track until one is started. */
  interlude: "ad" | "episode" | null;
  /** Nothing is told of what plays; "told" at least says why. */
  private: boolean | "told";
  /** A new one for each start of a track. */
  playbackId: string;
  endTimer: NodeJS.Timeout | null;
  listeners: Set<(cause: Cause) => void>;
}

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
    playing: false,
    positionMs: 0,
    since: Date.now(),
    changedAt: Date.now(),
    ended: false,
    interlude: null,
    private: false,
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

export function position(playback: Playback, now = Date.now()): number {
  const track = currentTrack(playback);
  if (!track) return 0;
  const elapsed = playback.playing ? now - playback.since : 0;
  return Math.min(playback.positionMs + elapsed, track.playing.durationMs);
}

export function start(playback: Playback, device: Device, trackId: string, positionMs = 0): void {
  Object.assign(playback, { activeId: device.id, trackId, interlude: null });
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

export function transfer(playback: Playback, device: Device, play: boolean): void {
  playback.activeId = device.id;
  set(playback, { positionMs: position(playback), playing: play || playback.playing });
}

export function addDevice(playback: Playback, device: Device): void {
  playback.devices.set(device.id, device);
  changed(playback);
}

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

export function clearPlayback(playback: Playback): void {
  for (const id of [...playback.devices.keys()]) removeDevice(playback, id);
}

function finish(playback: Playback): void {
  set(playback, { positionMs: 0, playing: false, ended: true });
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
  const left = (track?.playing.durationMs ?? 0) - position(playback);
  playback.endTimer =
    playback.playing && track ? setTimeout(() => finish(playback), left).unref() : null;
  for (const listener of [...playback.listeners]) listener(cause);
}
