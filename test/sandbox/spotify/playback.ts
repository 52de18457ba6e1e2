/**
 * One musician's playback: devices, what plays where, and a real clock. As with the real service at
 * most one device is active, a track that ends leaves its own state behind (paused, position 0),
 * and what plays may be another id than the one asked for (track relinking).
 */
import { type CatalogueTrack, trackById } from "../catalogue.ts";
import { deviceId } from "./accounts/credentials.ts";

export interface Device {
  id: string;
  name: string;
  kind: "sdk" | "app";
  /** 0 to 100. */
  volume: number;
  /** Takes no commands of the Web API. */
  restricted: boolean;
}

export interface Playback {
  devices: Map<string, Device>;
  activeId: string | null;
  /** The ids asked for; what plays is `queue[index]` or the track it is relinked to. */
  queue: string[];
  index: number;
  playing: boolean;
  /** The position at the moment `since`. */
  positionMs: number;
  since: number;
  /** When anything last changed. */
  changedAt: number;
  /** The track ran to its end and nothing was started since. */
  ended: boolean;
  /** Differs for each start of a track. */
  playbackId: string;
  endTimer: NodeJS.Timeout | null;
  listeners: Set<(cause: Cause) => void>;
}

/** What listeners are told: a start is announced once as loading, once as playing. */
export type Cause = "start" | "change";

export interface CurrentTrack {
  /** The id the client asked for. */
  requested: CatalogueTrack;
  /** What plays in its stead; the same where nothing is relinked. */
  playing: CatalogueTrack;
}

export function createPlayback(): Playback {
  return {
    devices: new Map(),
    activeId: null,
    queue: [],
    index: 0,
    playing: false,
    positionMs: 0,
    since: Date.now(),
    changedAt: Date.now(),
    ended: false,
    playbackId: "",
    endTimer: null,
    listeners: new Set(),
  };
}

export function currentTrack(playback: Playback): CurrentTrack | null {
  const requested = trackById.get(playback.queue[playback.index] ?? "");
  if (!requested) return null;
  return { requested, playing: trackById.get(requested.relinkedTo ?? "") ?? requested };
}

export function activeDevice(playback: Playback): Device | null {
  return playback.devices.get(playback.activeId ?? "") ?? null;
}

/** Milliseconds into the current track, never beyond its end. */
export function position(playback: Playback, now = Date.now()): number {
  const track = currentTrack(playback);
  if (!track) return 0;
  const moved = playback.playing ? now - playback.since : 0;
  return Math.min(playback.positionMs + moved, track.playing.durationMs);
}

/** Starts tracks on a device, which becomes the active one. */
export function start(
  playback: Playback,
  device: Device,
  trackIds: string[],
  positionMs = 0,
  index = 0,
): void {
  playback.activeId = device.id;
  playback.queue = trackIds;
  playback.index = index;
  playback.playbackId = deviceId(null).slice(0, 32);
  const length = currentTrack(playback)?.playing.durationMs ?? 0;
  if (positionMs >= length) {
    finish(playback);
    return;
  }
  set(playback, { positionMs, playing: true, ended: false }, "start");
}

/** Goes on, from the beginning if the track had ended. False: nothing is there to go on with. */
export function resume(playback: Playback): boolean {
  if (!currentTrack(playback) || !activeDevice(playback)) return false;
  set(playback, { positionMs: position(playback), playing: true, ended: false });
  return true;
}

export function pause(playback: Playback): void {
  set(playback, { positionMs: position(playback), playing: false });
}

export function seek(playback: Playback, positionMs: number): void {
  const track = currentTrack(playback);
  if (!track) return;
  if (positionMs >= track.playing.durationMs) finish(playback);
  else set(playback, { positionMs: Math.max(0, positionMs), ended: false });
}

/** The next (1) or the previous (-1) of the queue; past the last one playback ends. */
export function skip(playback: Playback, by: 1 | -1): void {
  const index = Math.max(0, playback.index + by);
  const device = activeDevice(playback);
  if (device && index < playback.queue.length) start(playback, device, playback.queue, 0, index);
  else finish(playback);
}

/** Moves what plays to another device. `play`: make sure it plays there. */
export function transfer(playback: Playback, device: Device, play: boolean): void {
  const positionMs = position(playback);
  playback.activeId = device.id;
  set(playback, {
    positionMs,
    playing: currentTrack(playback) !== null && (play || playback.playing),
  });
}

export function addDevice(playback: Playback, device: Device): void {
  playback.devices.set(device.id, device);
  changed(playback);
}

/** Takes a device away; if it was the active one, nothing is active and nothing plays. */
export function removeDevice(playback: Playback, id: string): void {
  if (!playback.devices.delete(id)) return;
  if (playback.activeId !== id) {
    changed(playback);
    return;
  }
  playback.activeId = null;
  playback.queue = [];
  set(playback, { positionMs: 0, playing: false, ended: false });
}

export function setVolume(playback: Playback, device: Device, percent: number): void {
  device.volume = Math.min(100, Math.max(0, Math.round(percent)));
  changed(playback);
}

/** Everything as it was before the first device came. */
export function clearPlayback(playback: Playback): void {
  for (const id of [...playback.devices.keys()]) removeDevice(playback, id);
}

function finish(playback: Playback): void {
  const device = activeDevice(playback);
  if (device && playback.index + 1 < playback.queue.length) {
    start(playback, device, playback.queue, 0, playback.index + 1);
  } else {
    set(playback, { positionMs: 0, playing: false, ended: true });
  }
}

function set(
  playback: Playback,
  change: Partial<Pick<Playback, "positionMs" | "playing" | "ended">>,
  cause: Cause = "change",
): void {
  // A seek leaves `playing` alone; the clock must still restart at the new position.
  Object.assign(playback, change);
  playback.since = Date.now();
  changed(playback, cause);
}

function changed(playback: Playback, cause: Cause = "change"): void {
  playback.changedAt = Date.now();
  if (playback.endTimer) clearTimeout(playback.endTimer);
  const track = currentTrack(playback);
  playback.endTimer =
    playback.playing && track
      ? setTimeout(() => finish(playback), track.playing.durationMs - position(playback)).unref()
      : null;
  for (const listener of [...playback.listeners]) listener(cause);
}
