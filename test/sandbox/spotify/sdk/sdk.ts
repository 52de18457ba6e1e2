/**
 * The server's side of the Web Playback SDK. The script makes an iframe of this origin; the iframe
 * opens a session with the token, listens to its events, and sends commands. One session is one
 * device of the musician; it goes when the iframe does.
 */
import { Hono } from "hono";
import { html } from "hono/html";
import { streamSSE } from "hono/streaming";
import { browserScript } from "../browser-script.ts";
import { type Person, type SdkFailure, setSdkFailure } from "../people.ts";
import type { SpotifyService } from "../service.ts";
import { command, ORPHAN_MS, open, type Session, send, watchExpiry } from "./session.ts";

/** An error of the SDK, as its listeners are told of it. */
interface SdkError {
  type: "initialization_error" | "authentication_error" | "account_error";
  message: string;
}

const initializationError: SdkError = {
  type: "initialization_error",
  message: "Failed to initialize player",
};
const authenticationError: SdkError = {
  type: "authentication_error",
  message: "Authentication failed",
};
const accountError: SdkError = {
  type: "account_error",
  message: "This functionality is restricted to premium users only",
};
/** What an ordered failure makes of the next connect. */
const CONNECT_ERRORS = new Map<SdkFailure | null, SdkError>([
  ["init", initializationError],
  ["authentication", authenticationError],
  ["account", accountError],
]);

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
    const { signal } = c.req.raw;
    await reached(person, signal);
    // The page has gone meanwhile: nobody would ever close the session.
    if (signal.aborted) return c.body(null, 204);
    const failure = CONNECT_ERRORS.get(person.sdkFailure);
    if (failure) {
      setSdkFailure(person, null);
      return c.json(failure, 403);
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

/** Resolves once Spotify answers: not while that is held back, or the network is lost. */
async function reached(person: Person, signal: AbortSignal): Promise<void> {
  while (["hold", "offline"].includes(person.sdkFailure ?? "") && !signal.aborted) {
    await new Promise<void>((resolve) => {
      person.onSdkFailure.add(goOn);
      signal.addEventListener("abort", goOn);
      function goOn() {
        person.onSdkFailure.delete(goOn);
        signal.removeEventListener("abort", goOn);
        resolve();
      }
    });
  }
}

function check(
  service: SpotifyService,
  token: string,
): { person: Person; expiresInMs: number } | SdkError {
  const access = service.credentials.access(token);
  const person = access ? service.people.get(access.musician) : null;
  const expiresInMs = (access?.expiresAt ?? 0) - service.context.now();
  if (!access || !person || expiresInMs <= 0) return authenticationError;
  if (!access.scope.split(" ").includes("streaming")) {
    return { type: "authentication_error", message: "Invalid token scopes." };
  }
  if (person.musician.product !== "premium") return accountError;
  return { person, expiresInMs };
}
