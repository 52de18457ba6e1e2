/** A session of the Web Playback SDK: a device, and the events that are sent to its page. */
import { randomBytes } from "node:crypto";
import type { SSEStreamingApi } from "hono/streaming";
import { type Person, setSdkFailure } from "../people.ts";
import {
  addDevice,
  type Cause,
  currentTrack,
  type Device,
  deviceId,
  pause,
  removeDevice,
  resume,
} from "../playback.ts";
import type { SpotifyService } from "../service.ts";
import { sdkState } from "./state.ts";

/** How long a session stays open without its event stream, so that the stream can reconnect. */
export const ORPHAN_LIFETIME_MS = 3_000;
/** How long a track loads before it plays, as it does in the real SDK. */
const LOADING_MS = 120;

export interface Session {
  id: string;
  person: Person;
  deviceId: string;
  stream: SSEStreamingApi | null;
  wasActive: boolean;
  /** The network is lost; the device is gone until it is restored. */
  offline: boolean;
  expiryTimer: NodeJS.Timeout | null;
  close(): void;
}

/** Opens a session with its device. It ends by `close`, or by itself if nobody listens to its events. */
export function openSession(
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
    const state = (loading: boolean) => sdkState(service.context.origin(), playback, loading);
    if (active && cause === "start") {
      const { playbackId } = playback;
      send(session, "state", state(true));
      setTimeout(() => {
        const unchanged =
          playback.playbackId === playbackId && playback.activeId === session.deviceId;
        if (unchanged) send(session, "state", state(false));
      }, LOADING_MS).unref();
    } else if (active) send(session, "state", state(false));
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
      // Closed later, so that events that were just sent still arrive.
      const { stream } = session;
      setTimeout(() => void stream?.close(), 100).unref();
    },
  };
  sessions.set(session.id, session);
  addDevice(playback, device);
  playback.listeners.add(onChange);
  person.onTokensExpired.add(onExpired);
  person.onSdkFailure.add(onFailure);
  setTimeout(() => session.stream === null && session.close(), 4 * ORPHAN_LIFETIME_MS).unref();
  return session;
}

/** Makes the SDK ask its page for a new token when the current one expires. */
export function watchExpiry(session: Session, expiresInMs: number): void {
  if (session.expiryTimer) clearTimeout(session.expiryTimer);
  session.expiryTimer = setTimeout(() => send(session, "token", null), expiresInMs).unref();
}

/** If a test has requested that a start fails: sends the error to the page and pauses. */
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

export function runCommand(session: Session, name: string): boolean {
  const { playback } = session.person;
  if (playback.activeId !== session.deviceId || !currentTrack(playback)) return false;
  if (name === "pause") pause(playback);
  else resume(playback);
  return true;
}
