import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { sessionLifetime } from "~/domain/session/lifetime";
import { createLoginSession } from "~/domain/session/login.server";
import { readConfig } from "~/platform/env";
import { rowsOf } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";
import { setCookieOf } from "../session/login-flow";

const day = 24 * 60 * 60 * 1000;

async function isLogin(cookie: string): Promise<boolean> {
  return (await request("/player/token", { cookie })).status === 200;
}

/** When a session ends, by its row. */
async function endOf(id: string): Promise<unknown> {
  return env.DB.prepare("SELECT expires_at FROM sessions WHERE id = ?")
    .bind(id)
    .first("expires_at");
}

test("the account lists one's own sessions by what they are known by, and nobody else's", async () => {
  const user = await makeUser();
  const here = await makeSession(user);
  const other = await makeSession(user);
  const foreign = await makeSession(await makeUser());
  for (const [{ id }, device] of [
    [here, "Firefox on Linux"],
    [other, "Safari on iPhone"],
    [foreign, "Opera on Windows"],
  ] as const) {
    await env.DB.prepare("UPDATE sessions SET device = ? WHERE id = ?").bind(device, id).run();
  }
  const page = await (await request("/account", { cookie: here.cookie })).text();
  expect(page.match(/(Firefox on Linux|Safari on iPhone|Opera on Windows)/g)).toContain(
    "Safari on iPhone",
  );
  expect(page).toMatch(/Firefox on Linux<!-- --> <span[^>]*>This one/);
  expect(page).not.toMatch(/Safari on iPhone<!-- --> <span[^>]*>This one/);
  expect(page).not.toContain("Opera on Windows");
  // What the table knows a session by is of no use elsewhere, and stays where it is all the same.
  for (const { id } of [here, other]) expect(page).not.toContain(id);
});

test("logging out everywhere ends all of one's sessions, and nobody else's", async () => {
  const user = await makeUser();
  const [here, other] = [await makeSession(user), await makeSession(user)];
  const foreign = await makeSession(await makeUser());
  const response = await request("/account/sessions/end", { cookie: here.cookie, form: {} });
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
  expect(setCookieOf(response, "__Host-session")).toContain("Max-Age=0");
  expect(await isLogin(here.cookie)).toBe(false);
  expect(await isLogin(other.cookie)).toBe(false);
  expect(await isLogin(foreign.cookie)).toBe(true);
  expect(await rowsOf("SELECT id FROM sessions")).toEqual([{ id: foreign.id }]);
});

test("without a login nothing is ended", async () => {
  await makeSession(await makeUser());
  const response = await request("/account/sessions/end", { json: {} });
  expect(response.status).toBe(401);
  expect(await rowsOf("SELECT count(*) AS open FROM sessions")).toEqual([{ open: 1 }]);
});

test("activity makes a session last longer, but no longer than thirty days in all", async () => {
  const user = await makeUser();
  const now = Date.now();
  const young = await makeSession(user, { lastSeenAt: now - 5 * day });
  const old = await makeSession(user, { lastSeenAt: now - 5 * day });
  const begun = now - sessionLifetime.absoluteMs + day;
  const setStart = env.DB.prepare("UPDATE sessions SET created_at = ? WHERE id = ?");
  await setStart.bind(begun, old.id).run();
  for (const { cookie } of [young, old]) await request("/", { cookie });
  expect(await endOf(young.id)).toBeGreaterThanOrEqual(now + sessionLifetime.idleMs);
  expect(await endOf(old.id)).toBe(begun + sessionLifetime.absoluteMs);
});

test("of more logins than twenty the oldest end", async () => {
  const user = await makeUser();
  const other = await makeSession(await makeUser());
  const spotifyId = await env.DB.prepare("SELECT spotify_id FROM users WHERE id = ?")
    .bind(user.id)
    .first<string>("spotify_id");
  const profile = { id: spotifyId ?? "", displayName: "Many", email: null, imageUrl: null };
  const grant = { profile, accessToken: "a", refreshToken: "r", expiresIn: 3600 };
  const { tokenKey, sessionSecret: secret } = readConfig(env);
  for (let n = 1; n <= 22; n += 1) {
    const keys = { id: `s${n}`, clientId: "c", tokenKey, secret };
    const session = { ...keys, device: null, replaces: null, now: n };
    await createLoginSession(createDatabase(env.DB), grant, session);
  }
  const left = await rowsOf(
    "SELECT id FROM sessions WHERE user_id = ? ORDER BY created_at",
    user.id,
  );
  expect(left).toEqual(Array.from({ length: 20 }, (_, n) => ({ id: `s${n + 3}` })));
  expect(await rowsOf("SELECT id FROM sessions WHERE id = ?", other.id)).toHaveLength(1);
});
