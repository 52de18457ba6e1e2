/**
 * The server's side of the Web Playback SDK. The script makes an iframe of this origin; the iframe
 * opens a session with the token, listens to its events, and sends commands. One session is one
 * device of the musician; it goes when the iframe does.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { html } from "hono/html";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { deviceId } from "./credentials.ts";
import type { Person } from "./people.ts";
import {
  addDevice,
  type Cause,
  currentTrack,
  pause,
  position,
  removeDevice,
  resume,
  seek,
  setVolume,
  skip,
} from "./playback.ts";
import { sdkState } from "./sdk-state.ts";
import type { SpotifyService } from "./service.ts";

/** How long a session lives without its event stream: a reconnect is quick, a closed tab is final. */
const ORPHAN_MS = 3_000;
/** What the real SDK needs to fetch a track before it sounds. */
const LOADING_MS = 120;

interface Session {
  id: string;
  person: Person;
  deviceId: string;
  stream: SSEStreamingApi | null;
  wasActive: boolean;
  expiryTimer: NodeJS.Timeout | null;
  close(): void;
}

const file = (name: string) => readFileSync(new URL(`./browser/${name}`, import.meta.url), "utf8");

export function browserScript(name: string): Response {
  return new Response(file(name), {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "no-cache",
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}

export function sdkRoutes(service: SpotifyService): Hono {
  const app = new Hono();
  const sessions = new Map<string, Session>();

  app.get("/spotify-player.js", (c) =>
    service.scriptFails ? c.text("Service Unavailable", 503) : browserScript("spotify-player.js"),
  );
  app.get("/frame.js", () => browserScript("frame.js"));
  app.get("/tune.js", () => browserScript("tune.js"));
  app.get("/index.html", (c) =>
    c.html(html`<!doctype html><html lang="en"><title>Web Playback SDK</title>
<script type="module" src="/spotify/sdk/frame.js"></script></html>`),
  );

  /** Body { token, name, volume }: 200 { session, deviceId }, else { type, message } of the SDK's error. */
  app.post("/connect", async (c) => {
    const input = (await c.req.json()) as { token: string; name: string; volume: number };
    const checked = check(service, input.token);
    if ("type" in checked) return c.json(checked, 403);
    const { person } = checked;
    if (person.sdkFailure === "init") {
      person.sdkFailure = null;
      return c.json({ type: "initialization_error", message: "Failed to initialize player" }, 403);
    }
    const session = open(service, sessions, person, input.name, input.volume);
    watchExpiry(session, checked.expiresInMs);
    return c.json({ session: session.id, deviceId: session.deviceId });
  });

  /** Body { session, token }: a fresh token in place of the expired one. */
  app.post("/token", async (c) => {
    const { session: id, token } = (await c.req.json()) as { session: string; token: string };
    const session = sessions.get(id);
    if (!session) return c.json({ type: "initialization_error", message: "No session" }, 404);
    const checked = check(service, token);
    if ("type" in checked || checked.person !== session.person) {
      session.close();
      return c.json("type" in checked ? checked : authenticationError, 403);
    }
    watchExpiry(session, checked.expiresInMs);
    return c.body(null, 204);
  });

  app.post("/command", async (c) => {
    const input = (await c.req.json()) as {
      session: string;
      name: string;
      value?: number | string;
    };
    const session = sessions.get(input.session);
    if (!session) return c.json({ message: "No session" }, 404);
    return command(session, input.name, input.value)
      ? c.body(null, 204)
      : c.json({ message: "Cannot perform operation; no list was loaded." }, 409);
  });

  app.get("/events", (c) => {
    const session = sessions.get(c.req.query("session") ?? "");
    if (!session) return c.body(null, 204);
    return streamSSE(c, async (stream) => {
      session.stream = stream;
      send(session, "hello", null);
      await new Promise<void>((resolve) => stream.onAbort(resolve));
      if (session.stream !== stream) return;
      session.stream = null;
      setTimeout(() => session.stream === null && session.close(), ORPHAN_MS).unref();
    });
  });

  /** Sent as a beacon when the page goes. */
  app.post("/disconnect", async (c) => {
    sessions.get(await c.req.text())?.close();
    return c.body(null, 204);
  });

  return app;
}

const authenticationError = { type: "authentication_error", message: "Authentication failed" };

function check(
  service: SpotifyService,
  token: string,
): { person: Person; expiresInMs: number } | typeof authenticationError {
  const access = service.credentials.access(token);
  const person = access ? service.people.get(access.musician) : null;
  const expiresInMs = (access?.expiresAt ?? 0) - service.context.now();
  if (!access || !person || expiresInMs <= 0) return authenticationError;
  if (!access.scope.split(" ").includes("streaming")) {
    return { type: "authentication_error", message: "Invalid token scopes." };
  }
  if (person.musician.product !== "premium") {
    return {
      type: "account_error",
      message: "This functionality is restricted to premium users only",
    };
  }
  return { person, expiresInMs };
}

function open(
  service: SpotifyService,
  sessions: Map<string, Session>,
  person: Person,
  name: string,
  volume: number,
): Session {
  const { playback } = person;
  const onChange = (cause: Cause) => {
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
  const session: Session = {
    id: randomBytes(16).toString("hex"),
    person,
    deviceId: deviceId(null),
    stream: null,
    wasActive: false,
    expiryTimer: null,
    close() {
      if (!sessions.delete(session.id)) return;
      if (session.expiryTimer) clearTimeout(session.expiryTimer);
      playback.listeners.delete(onChange);
      person.onTokensExpired.delete(onExpired);
      removeDevice(playback, session.deviceId);
      // Later, so that what was just sent still gets out.
      const { stream } = session;
      setTimeout(() => void stream?.close(), 100).unref();
    },
  };
  sessions.set(session.id, session);
  addDevice(playback, {
    id: session.deviceId,
    name,
    kind: "sdk",
    volume: Math.round(volume * 100),
  });
  playback.listeners.add(onChange);
  person.onTokensExpired.add(onExpired);
  setTimeout(() => session.stream === null && session.close(), 4 * ORPHAN_MS).unref();
  return session;
}

/** The SDK asks its page for another token when the one it has runs out. */
function watchExpiry(session: Session, expiresInMs: number): void {
  if (session.expiryTimer) clearTimeout(session.expiryTimer);
  session.expiryTimer = setTimeout(() => send(session, "token", null), expiresInMs).unref();
}

/** An ordered failure to start: told to the page, and nothing plays. */
function failStart(session: Session): boolean {
  const { person } = session;
  const failure = person.sdkFailure;
  if (failure !== "playback" && failure !== "autoplay") return false;
  person.sdkFailure = null;
  if (failure === "autoplay") send(session, "autoplay_failed", null);
  else send(session, "failure", { type: "playback_error", message: "Failed to perform playback" });
  session.wasActive = true;
  pause(person.playback);
  return true;
}

function send(session: Session, event: string, data: unknown): void {
  void session.stream?.writeSSE({ event, data: JSON.stringify(data) });
}

/** False: this device has nothing to play, so there is nothing to command. */
function command(session: Session, name: string, value: number | string | undefined): boolean {
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
