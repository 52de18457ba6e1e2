import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { touchSession } from "~/domain/session/viewer.server";
import { sessionCookie } from "~/http/cookies.server";
import { insert, makeUser } from "../../support/database/factories";
import { makeSession, makeViewer, type TestSession } from "../../support/login";
import { request } from "../../support/request";
import { setCookieOf } from "./login-flow";

const landing = "Promote your music for free";

async function open(): Promise<TestSession> {
  return makeSession(await makeUser({ displayName: "Juno Starling" }), {
    musician: "juno-starling",
  });
}

/** Whether a Cookie header is a valid login; fails if pages and API routes disagree. */
async function isLogin(cookie: string): Promise<boolean> {
  const page = await (await request("/", { cookie })).text();
  const token = await request("/player/token", { cookie });
  expect(token.status).toBe(page.includes(landing) ? 401 : 200);
  return !page.includes(landing);
}

function row(id: string) {
  return env.DB.prepare("SELECT * FROM sessions WHERE id = ?").bind(id).first();
}

test("a session's cookie is a valid login, but the key of its row is not", async () => {
  const session = await open();
  expect(await isLogin(session.cookie)).toBe(true);
  expect(session.cookie).not.toContain(session.id);
  expect(await isLogin(`__Host-session=${session.id}`)).toBe(false);
});

test("logout deletes the session with its tokens, clears the cookie and goes to /", async () => {
  const session = await open();
  const response = await request("/logout", { cookie: session.cookie, form: {} });
  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/");
  const cleared = setCookieOf(response, "__Host-session").split("; ");
  expect(cleared[0]).toBe("__Host-session=");
  for (const attribute of ["Max-Age=0", "HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) {
    expect(cleared).toContain(attribute);
  }
  expect(await row(session.id)).toBeNull();
  expect(await isLogin(session.cookie)).toBe(false);
});

test("logout does not end the user's other sessions", async () => {
  const user = await makeUser();
  const other = await makeSession(user, { musician: "juno-starling" });
  const here = await makeSession(user, { musician: "juno-starling" });
  await request("/logout", { cookie: here.cookie, form: {} });
  expect(await isLogin(other.cookie)).toBe(true);
});

test("logout without a login goes to / too", async () => {
  const response = await request("/logout", { form: {} });
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
});

test("an altered cookie is no login", async () => {
  const { cookie } = await open();
  const [name = "", value = ""] = cookie.split("=", 2);
  const decoded = decodeURIComponent(value);
  const [payload = "", signature = ""] = decoded.split(".");
  const elsewhere = payload.startsWith("I") ? "J" : "I";
  const forgeries = [
    `${elsewhere}${payload.slice(1)}.${signature}`,
    `${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
    `${payload}.`,
    payload,
    "",
  ];
  for (const forged of forgeries) {
    expect(await isLogin(`${name}=${encodeURIComponent(forged)}`)).toBe(false);
  }
});

test("a cookie signed with another secret is no login", async () => {
  const user = await makeUser();
  const { id, header } = await sessionCookie("another-secret-of-sufficient-length").issue();
  await insert("sessions", {
    id,
    user_id: user.id,
    client_id: "sandbox-client-a",
    access_token: "",
    refresh_token: "",
    token_expires_at: Date.now(),
    created_at: Date.now(),
    last_seen_at: Date.now(),
    expires_at: Date.now() + 1_000_000,
  }).run();
  expect(await isLogin(header.split(";")[0] ?? "")).toBe(false);
});

test("a session past its expiry is no login", async () => {
  const session = await open();
  const setExpiry = env.DB.prepare("UPDATE sessions SET expires_at = ? WHERE id = ?");
  await setExpiry.bind(Date.now() - 1, session.id).run();
  expect(await isLogin(session.cookie)).toBe(false);
});

test("an expired session cannot do anything", async () => {
  const session = await open();
  const setExpiry = env.DB.prepare("UPDATE sessions SET expires_at = ? WHERE id = ?");
  await setExpiry.bind(Date.now() - 1, session.id).run();
  for (const path of ["/songs/s/play", "/songs/s/listened", "/songs/s/rating", "/submissions"]) {
    const response = await request(path, { cookie: session.cookie, json: { score: 3 } });
    expect([path, response.status]).toEqual([path, 401]);
  }
});

test("activity is recorded once a minute at most, and half an hour without any begins the next visit", async () => {
  const user = await makeUser();
  const now = Date.now();
  const seen = (ago: number) =>
    makeSession(user, { musician: "juno-starling", visit: 3, lastSeenAt: now - ago });
  const [recent, idle, gone] = await Promise.all([seen(30_000), seen(90_000), seen(31 * 60_000)]);
  for (const session of [recent, idle, gone]) await request("/", { cookie: session.cookie });
  expect(await row(recent.id)).toMatchObject({ visit: 3, last_seen_at: now - 30_000 });
  expect(await row(idle.id)).toMatchObject({ visit: 3 });
  expect((await row(idle.id))?.last_seen_at).toBeGreaterThanOrEqual(now);
  expect(await row(gone.id)).toMatchObject({ visit: 1 });
});

test("of two pages loaded at once after half an hour, the slower one does not undo the change of visit", async () => {
  const { session } = await makeViewer(await makeUser(), { visit: 1 });
  const now = Date.now();
  const late = touchSession(createDatabase(env.DB), session, now);
  // Meanwhile another page has begun the next visit, and a submission the one after.
  const meanwhile = env.DB.prepare("UPDATE sessions SET visit = 3, last_seen_at = ? WHERE id = ?");
  await meanwhile.bind(now - 1, session.id).run();
  await late;
  expect(await row(session.id)).toMatchObject({ visit: 3, last_seen_at: now - 1 });
});
