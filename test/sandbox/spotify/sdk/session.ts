/** What a player of the Web Playback SDK is on the server: a device, told of what happens to it. */
import { randomBytes } from "node:crypto";
import type { SSEStreamingApi } from "hono/streaming";
import { deviceId } from "../accounts/credentials.ts";
import { type Person, setSdkFailure } from "../people.ts";
import {
  addDevice,
  type Cause,
  currentTrack,
  type Device,
  pause,
  position,
  removeDevice,
  resume,
  seek,
  setVolume,
  skip,
} from "../playback.ts";
import type { SpotifyService } from "../service.ts";
import { sdkState } from "./state.ts";

/** How long a session lives without its event stream: a reconnect is quick, a closed tab is final. */
export const ORPHAN_MS = 3_000;
/** What the real SDK needs to fetch a track before it sounds. */
const LOADING_MS = 120;

export interface Session {
  id: string;
  person: Person;
  deviceId: string;
  stream: SSEStreamingApi | null;
  wasActive: boolean;
  /** The network is lost: the device is away, and comes back with it. */
  offline: boolean;
  expiryTimer: NodeJS.Timeout | null;
  close(): void;
}

/** Opens a session with its device. It goes by `close`, or by itself when nobody listens to it. */
export function open(
  service: SpotifyService,
  sessions: Map<string, Session>,
  person: Person,
  name: string,
  volume: number,
): Session {
  const { playback } = person;
  const onChange = (cause: Cause) => {
    if (session.offline) return;
    if (!playback.devices.has(session.deviceId)) {
      send(session, "gone", null);
      session.close();
      return;
    }
    const active = playback.activeId === session.deviceId;
    if (active && cause === "start" && failStart(session)) return;
    const state = () => sdkState(service.context.origin(), playback, false);
    if (active && cause === "start") {
      const { playbackId } = playback;
      send(session, "state", sdkState(service.context.origin(), playback, true));
      setTimeout(() => {
        const still = playback.playbackId === playbackId && playback.activeId === session.deviceId;
        if (still) send(session, "state", state());
      }, LOADING_MS).unref();
    } else if (active) send(session, "state", state());
    else if (session.wasActive) send(session, "state", null);
    session.wasActive = active;
  };
  const onExpired = () => send(session, "token", null);
  const onFailure = () => {
    const offline = person.sdkFailure === "offline";
    if (offline === session.offline) return;
    Object.assign(session, { offline, wasActive: false });
    if (offline) removeDevice(playback, device.id);
    else addDevice(playback, device);
    send(session, offline ? "offline" : "online", null);
  };
  const device: Device = {
    id: deviceId(null),
    name,
    kind: "sdk",
    volume: Math.round(volume * 100),
    restricted: false,
  };
  const session: Session = {
    id: randomBytes(16).toString("hex"),
    person,
    deviceId: device.id,
    stream: null,
    wasActive: false,
    offline: false,
    expiryTimer: null,
    close() {
      if (!sessions.delete(session.id)) return;
      if (session.expiryTimer) clearTimeout(session.expiryTimer);
      playback.listeners.delete(onChange);
      person.onTokensExpired.delete(onExpired);
      person.onSdkFailure.delete(onFailure);
      removeDevice(playback, session.deviceId);
      // Later, so that what was just sent still gets out.
      const { stream } = session;
      setTimeout(() => void stream?.close(), 100).unref();
    },
  };
  sessions.set(session.id, session);
  addDevice(playback, device);
  playback.listeners.add(onChange);
  person.onTokensExpired.add(onExpired);
  person.onSdkFailure.add(onFailure);
  setTimeout(() => session.stream === null && session.close(), 4 * ORPHAN_MS).unref();
  return session;
}

/** The SDK asks its page for another token when the one it has runs out. */
export function watchExpiry(session: Session, expiresInMs: number): void {
  if (session.expiryTimer) clearTimeout(session.expiryTimer);
  session.expiryTimer = setTimeout(() => send(session, "token", null), expiresInMs).unref();
}

/** An ordered failure to start: told to the page, and nothing plays. */
function failStart(session: Session): boolean {
  const { person } = session;
  const failure = person.sdkFailure;
  if (failure !== "playback" && failure !== "autoplay") return false;
  setSdkFailure(person, null);
  if (failure === "autoplay") send(session, "autoplay_failed", null);
  else send(session, "failure", { type: "playback_error", message: "Failed to perform playback" });
  session.wasActive = true;
  pause(person.playback);
  return true;
}

export function send(session: Session, event: string, data: unknown): void {
  void session.stream?.writeSSE({ event, data: JSON.stringify(data) });
}

/** A command of the page. False: this device has nothing to play, so there is nothing to command. */
export function command(
  session: Session,
  name: string,
  value: number | string | undefined,
): boolean {
  const { playback } = session.person;
  const device = playback.devices.get(session.deviceId);
  if (!device) return false;
  if (name === "setName") {
    device.name = String(value);
    return true;
  }
  if (name === "setVolume") {
    setVolume(playback, device, Number(value) * 100);
    return true;
  }
  if (playback.activeId !== device.id || !currentTrack(playback)) return false;
  if (name === "pause") pause(playback);
  else if (name === "resume") resume(playback);
  else if (name === "togglePlay") playback.playing ? pause(playback) : resume(playback);
  else if (name === "seek") seek(playback, Number(value));
  else if (name === "nextTrack") skip(playback, 1);
  else if (name === "previousTrack") {
    // As on the real player: back to the beginning first, unless it has just begun.
    if (position(playback) > 3_000 || playback.index === 0) seek(playback, 0);
    else skip(playback, -1);
  } else return false;
  return true;
}
