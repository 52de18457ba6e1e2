/**
 * The server side of the Web Playback SDK. Its iframe opens a session with the token, listens to the session's
 * events and sends commands. A session is a device, which ends when the iframe is closed.
 */
import { Hono } from "hono";
import { html } from "hono/html";
import { streamSSE } from "hono/streaming";
import { browserScript } from "../browser-script.ts";
import { type Person, setSdkFailure } from "../people.ts";
import type { SpotifyService } from "../service.ts";
import {
  ORPHAN_LIFETIME_MS,
  openSession,
  runCommand,
  type Session,
  send,
  watchExpiry,
} from "./session.ts";

interface SdkError {
  type: "initialization_error" | "authentication_error" | "account_error";
  message: string;
}

const authenticationError: SdkError = {
  type: "authentication_error",
  message: "Authentication failed",
};
const accountError: SdkError = {
  type: "account_error",
  message: "This functionality is restricted to premium users only",
};
export function sdkRoutes(service: SpotifyService): Hono {
  const app = new Hono();
  const sessions = new Map<string, Session>();

  app.get("/spotify-player.js", () => browserScript("spotify-player.js"));
  app.get("/frame.js", () => browserScript("frame.js"));
  app.get("/tune.js", () => browserScript("tune.js"));
  app.get("/index.html", (c) =>
    c.html(html`<!doctype html><html lang="en"><title>Web Playback SDK</title>
<script type="module" src="/spotify/sdk/frame.js"></script></html>`),
  );

  /** Takes { token, name, volume }. Responds with { session, deviceId }, or 403 and an SdkError. */
  app.post("/connect", async (c) => {
    const input = (await c.req.json()) as { token: string; name: string; volume: number };
    const checked = checkToken(service, input.token);
    if ("type" in checked) return c.json(checked, 403);
    const { person } = checked;
    const { signal } = c.req.raw;
    await networkRestored(person, signal);
    // The page has been closed, so nobody would close the session.
    if (signal.aborted) return c.body(null, 204);
    if (person.sdkFailure === "init") {
      setSdkFailure(person, null);
      return c.json({ type: "initialization_error", message: "Failed to initialize player" }, 403);
    }
    const session = openSession(service, sessions, person, input.name, input.volume);
    watchExpiry(session, checked.expiresInMs);
    return c.json({ session: session.id, deviceId: session.deviceId });
  });

  /** Takes { session, token }, where the token replaces the expired one. */
  app.post("/token", async (c) => {
    const { session: id, token } = (await c.req.json()) as { session: string; token: string };
    const session = sessions.get(id);
    if (!session) return c.json({ type: "initialization_error", message: "No session" }, 404);
    const checked = checkToken(service, token);
    if ("type" in checked || checked.person !== session.person) {
      session.close();
      return c.json("type" in checked ? checked : authenticationError, 403);
    }
    watchExpiry(session, checked.expiresInMs);
    return c.body(null, 204);
  });

  app.post("/command", async (c) => {
    const input = (await c.req.json()) as { session: string; name: string };
    const session = sessions.get(input.session);
    if (!session) return c.json({ message: "No session" }, 404);
    return runCommand(session, input.name)
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
      setTimeout(() => session.stream === null && session.close(), ORPHAN_LIFETIME_MS).unref();
    });
  });

  /** Takes the session's id as text; the page sends it as a beacon when it is closed. */
  app.post("/disconnect", async (c) => {
    sessions.get(await c.req.text())?.close();
    return c.body(null, 204);
  });

  return app;
}

/** Resolves when no "hold" or "offline" keeps connect from being answered, or when it is aborted. */
async function networkRestored(person: Person, signal: AbortSignal): Promise<void> {
  while (["hold", "offline"].includes(person.sdkFailure ?? "") && !signal.aborted) {
    await new Promise<void>((resolve) => {
      person.onSdkFailure.add(recheck);
      signal.addEventListener("abort", recheck);
      function recheck() {
        person.onSdkFailure.delete(recheck);
        signal.removeEventListener("abort", recheck);
        resolve();
      }
    });
  }
}

/** The owner of a token that may play, or the SDK's error. */
function checkToken(
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
