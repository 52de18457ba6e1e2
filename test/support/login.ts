import { env } from "cloudflare:workers";
import { createDatabase } from "~/db/client.server";
import { sessionCookie } from "~/login/cookies.server";
import { hearsUntil } from "~/members/hearing.server";
import { sessionLifetime } from "~/members/lifetime";
import type { SpotifyConnection } from "~/members/spotify-connection";
import { loadViewer, type Viewer } from "~/members/viewer.server";
import { seal } from "~/platform/crypto.server";
import { readConfig } from "~/platform/env";
import { sessionRow } from "../sandbox/rows";
import {
  baseTime,
  insert,
  makeUser,
  type TestUser,
  type UserOptions,
  unique,
} from "./database/factories";
import { control } from "./sandbox";

export interface SessionOptions {
  musician?: string;
  expiresIn?: number;
  visit?: number;
  slide?: number;
  lastSeenAt?: number;
  mayAddToPlaylists?: boolean;
}

const loginScopes =
  "user-read-currently-playing user-read-playback-state user-modify-playback-state " +
  "user-library-read user-library-modify streaming user-read-email user-read-private";
const playlistScopes = "playlist-read-private playlist-modify-private playlist-modify-public";

export interface TestSession {
  cookie: string;
  id: string;
  accessToken: string;
  refreshToken: string;
}

export async function makeSession(
  user: TestUser,
  options: SessionOptions = {},
): Promise<TestSession> {
  const { musician = "demo-free", expiresIn = 3600, mayAddToPlaylists = false } = options;
  const client = "sandbox-client-a";
  const tokens = await control<{ access_token: string; refresh_token: string }>("issueToken", {
    musician,
    client,
    expiresIn,
    scope: mayAddToPlaylists ? `${loginScopes} ${playlistScopes}` : loginScopes,
  });
  const config = readConfig(env);
  const { id, header } = await sessionCookie(config.sessionSecret).issue();
  const now = options.lastSeenAt ?? Date.now();
  await stand(user, options, now);
  const session = sessionRow({
    ...{ id, user_id: user.id, client_id: client, created_at: now },
    access_token: await seal(config.tokenKey, tokens.access_token, id),
    refresh_token: await seal(config.tokenKey, tokens.refresh_token, id),
    token_expires_at: Date.now() + expiresIn * 1000,
    expires_at: Date.now() + sessionLifetime.idleMs,
    may_add_to_playlists: Number(mayAddToPlaylists),
  });
  await insert("sessions", session).run();
  return {
    cookie: header.split(";")[0] ?? "",
    id,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
  };
}

export async function makeMember(options: UserOptions & SessionOptions = {}) {
  const user = await makeUser(options);
  return { user, ...(await makeSession(user, options)) };
}

/** Who came by e-mail alone, logged in `age` milliseconds ago. */
export async function makeEmailMember({
  age = 0,
  ownEmail = `${unique("own")}@mail.example`,
  ...options
}: Omit<UserOptions, "ownEmail"> & { ownEmail?: string; age?: number } = {}) {
  const user = await makeUser({ ...options, email: null, ownEmail });
  await env.DB.prepare("UPDATE users SET spotify_id = NULL WHERE id = ?").bind(user.id).run();
  return { user, ownEmail, ...(await makeEmailSession(user, age)) };
}

/** A login by e-mail, which has no connection to Spotify. */
export async function makeEmailSession(user: TestUser, age = 0) {
  await stand(user, {}, Date.now());
  const { id, header } = await sessionCookie(readConfig(env).sessionSecret).issue();
  const begun = Date.now() - age;
  const session = sessionRow({
    ...{ id, user_id: user.id, way: "email", created_at: begun },
    ...{ client_id: null, access_token: null, refresh_token: null, token_expires_at: null },
    last_seen_at: Date.now(),
    expires_at: Date.now() + sessionLifetime.idleMs,
  });
  await insert("sessions", session).run();
  return { id, cookie: header.split(";")[0] ?? "" };
}

/** A viewer without valid tokens, for calling the domain directly with a stub for Spotify. */
export async function makeViewer(
  user: TestUser,
  {
    way = "spotify",
    hasPremium = null,
    ...place
  }: Pick<SessionOptions, "visit" | "slide"> & {
    /** By e-mail, the session has no connection to Spotify. */
    way?: "spotify" | "email";
    hasPremium?: boolean | null;
  } = {},
): Promise<Viewer> {
  const id = unique("session");
  await stand(user, place, baseTime);
  const times = { created_at: baseTime, expires_at: Date.now() + sessionLifetime.idleMs };
  const connection = way === "spotify" ? {} : withoutConnection;
  const has_spotify_premium = hasPremium === null ? null : Number(hasPremium);
  const row = { id, user_id: user.id, way, has_spotify_premium, ...times, ...connection };
  await insert("sessions", sessionRow(row)).run();
  if (way === "spotify") {
    const until = hearsUntil(hasPremium, Date.now());
    await env.DB.prepare("UPDATE users SET hears_spotify_until = ? WHERE id = ?")
      .bind(until, user.id)
      .run();
  }
  return viewerOf(id);
}

const withoutConnection = {
  client_id: null,
  access_token: null,
  refresh_token: null,
  token_expires_at: null,
};

async function stand(
  { id }: TestUser,
  { visit, slide }: Pick<SessionOptions, "visit" | "slide">,
  lastActiveAt: number,
): Promise<void> {
  await env.DB.prepare(
    `UPDATE users SET visit = coalesce(?, visit), slide = coalesce(?, slide),
       last_active_at = max(last_active_at, ?) WHERE id = ?`,
  )
    .bind(visit ?? null, slide ?? null, lastActiveAt, id)
    .run();
}

export async function viewerOf(sessionId: string): Promise<Viewer> {
  const viewer = await loadViewer(createDatabase(env.DB), sessionId, { now: Date.now() });
  if (!viewer) throw new Error("the session has no viewer");
  return viewer;
}

export async function connectionOf(sessionId: string): Promise<SpotifyConnection> {
  const { spotify } = (await viewerOf(sessionId)).session;
  if (!spotify) throw new Error("the session has no connection to Spotify");
  return spotify;
}
