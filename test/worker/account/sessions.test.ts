import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { confirmationToken } from "~/mailing/address.server";
import { sessionLifetime } from "~/members/lifetime";
import { readConfig } from "~/platform/env";
import { createLoginSession } from "~/sources/spotify/login/session.server";
import { rowsOf } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { makeEmailMember, makeEmailSession, makeMember, makeSession } from "../../support/login";
import { request } from "../../support/request";
import { freeAddress } from "../../support/ways-in";
import { setCookieOf } from "../session/login-flow";

const day = 24 * 60 * 60 * 1000;

async function isLogin(cookie: string): Promise<boolean> {
  return (await request("/player/token", { cookie })).status === 200;
}

/** When a session ends, according to its row. */
async function endOf(id: string): Promise<unknown> {
  return env.DB.prepare("SELECT expires_at FROM sessions WHERE id = ?")
    .bind(id)
    .first("expires_at");
}

test("the account page lists the user's own sessions by device, and nobody else's", async () => {
  const user = await makeUser();
  const here = await makeSession(user);
  const other = await makeSession(user);
  const foreign = await makeMember();
  for (const [{ id }, device] of [
    [here, "Firefox on Linux"],
    [other, "Safari on iPhone"],
    [foreign, "Opera on Windows"],
  ] as const) {
    await env.DB.prepare("UPDATE sessions SET device = ? WHERE id = ?").bind(device, id).run();
  }
  const answer = await request("/account", { cookie: here.cookie });
  const page = (await answer.text()).replace(/<\/?span>/g, "");
  expect(page.match(/(Firefox on Linux|Safari on iPhone|Opera on Windows)/g)).toContain(
    "Safari on iPhone",
  );
  expect(page).toMatch(/Firefox on Linux <span[^>]*>This one/);
  expect(page).toMatch(/Active <time[^>]*>.*?<\/time>, logged in <time/);
  expect(page).not.toMatch(/Safari on iPhone <span[^>]*>This one/);
  expect(page).not.toContain("Opera on Windows");
  // A session's key would be of no use to anybody, but the page does not show it all the same.
  for (const { id } of [here, other]) expect(page).not.toContain(id);
});

/** The handle by which the account page ends a device's session. */
async function handleOn(cookie: string, device: string): Promise<string> {
  const page = await (await request("/account", { cookie })).text();
  const entry = page.split("<li>").find((one) => one.includes(device)) ?? "";
  return /name="session" value="([^"]+)"/.exec(entry)?.[1] ?? "none";
}

/** Two logins of one user; `other` is on a device of this name. */
async function twoLogins(device: string) {
  const user = await makeUser();
  const [here, other] = [await makeSession(user), await makeSession(user)];
  const name = env.DB.prepare("UPDATE sessions SET device = ? WHERE id = ?");
  await name.bind(device, other.id).run();
  return { here, other, handle: await handleOn(here.cookie, device) };
}

test("one other login can be ended, and a second press is no error", async () => {
  const { here, other, handle } = await twoLogins("Safari on iPhone");
  for (const press of ["first", "second"]) {
    const form = { session: handle };
    const response = await request("/account/sessions/end", { cookie: here.cookie, form });
    expect([press, response.status, response.headers.get("Location")]).toEqual([
      press,
      303,
      "/account?ended",
    ]);
    expect(response.headers.get("Clear-Site-Data")).toBeNull();
    expect(setCookieOf(response, "__Host-session")).toBe("");
    expect(await isLogin(other.cookie)).toBe(false);
    expect(await isLogin(here.cookie)).toBe(true);
  }
  const page = await (await request("/account?ended", { cookie: here.cookie })).text();
  expect(page).toContain("That login has ended.");
});

test("ending the current login is the same as logging out", async () => {
  const { here, other, handle } = await twoLogins("Safari on iPhone");
  // The page has no second button for it beside its own "Logout".
  expect(await handleOn(other.cookie, "This one")).toBe("none");
  const options = { cookie: other.cookie, form: { session: handle } };
  const response = await request("/account/sessions/end", options);
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
  expect(setCookieOf(response, "__Host-session")).toContain("Max-Age=0");
  expect(await isLogin(other.cookie)).toBe(false);
  expect(await isLogin(here.cookie)).toBe(true);
});

test("nobody can end somebody else's login, or end one by its key", async () => {
  const { other, handle } = await twoLogins("Safari on iPhone");
  const { cookie } = await makeMember();
  for (const session of [handle, other.id, "", "none"]) {
    const response = await request("/account/sessions/end", { cookie, json: { session } });
    expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
  }
  expect(await rowsOf("SELECT id FROM sessions")).toHaveLength(3);
});

test.each(["/logout", "/account/sessions/end", "/account/delete"])(
  "%s makes the browser clear its cache and storage, but no cookies",
  async (path) => {
    const { cookie } = await makeMember();
    const response = await request(path, { cookie, form: {} });
    expect(response.status).toBe(303);
    // "cookies" would also clear those of other sites under the same domain.
    expect(response.headers.get("Clear-Site-Data")).toBe('"cache", "storage"');
    expect(setCookieOf(response, "__Host-session")).toContain("Max-Age=0");
  },
);

test("logging out everywhere ends all of the user's sessions, and nobody else's", async () => {
  const user = await makeUser();
  const [here, other] = [await makeSession(user), await makeSession(user)];
  const foreign = await makeMember();
  const response = await request("/account/sessions/end", { cookie: here.cookie, form: {} });
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
  expect(setCookieOf(response, "__Host-session")).toContain("Max-Age=0");
  expect(await isLogin(here.cookie)).toBe(false);
  expect(await isLogin(other.cookie)).toBe(false);
  expect(await isLogin(foreign.cookie)).toBe(true);
  expect(await rowsOf("SELECT id FROM sessions")).toEqual([{ id: foreign.id }]);
});

test("activity extends a session, to thirty days in all at most", async () => {
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

test("beyond twenty logins the oldest ones end", async () => {
  const user = await makeUser();
  const other = await makeMember();
  const spotifyId = await env.DB.prepare("SELECT spotify_id FROM users WHERE id = ?")
    .bind(user.id)
    .first<string>("spotify_id");
  const known = { displayName: "Many", email: null, imageUrl: null, hasPremium: null };
  const profile = { id: spotifyId ?? "", ...known };
  const tokens = { accessToken: "a", refreshToken: "r", expiresIn: 3600 };
  const grant = { profile, ...tokens, mayAddToPlaylists: false };
  const { tokenKey, sessionSecret: secret } = readConfig(env);
  for (let n = 1; n <= 22; n += 1) {
    const keys = { id: `s${n}`, clientId: "c", tokenKey, secret };
    // Some within one millisecond.
    const session = { ...keys, device: null, replaces: null, now: Math.floor(n / 4) };
    await createLoginSession(createDatabase(env.DB), grant, session);
  }
  const left = await rowsOf("SELECT id FROM sessions WHERE user_id = ? ORDER BY rowid", user.id);
  expect(left).toEqual(Array.from({ length: 20 }, (_, n) => ({ id: `s${n + 3}` })));
  expect(await rowsOf("SELECT id FROM sessions WHERE id = ?", other.id)).toHaveLength(1);
});

describe("an address that waits to be confirmed", () => {
  /** Somebody at a browser that was left open has asked for an address of theirs; the member has come elsewhere. */
  async function waiting() {
    const { user, cookie, id, ownEmail } = await makeEmailMember();
    await env.DB.prepare("UPDATE sessions SET device = 'Left open' WHERE id = ?").bind(id).run();
    const address = freeAddress();
    await request("/account/email", { cookie, json: { address } });
    const [asked] = await rowsOf("SELECT id FROM mailed_proofs WHERE address = ?", address);
    const token = await confirmationToken(
      readConfig(env).sessionSecret,
      (asked as { id: string }).id,
    );
    const press = () => request(`/confirm-email?token=${token}`, { form: { x: "" } });
    const now = () => rowsOf("SELECT own_email FROM users WHERE id = ?", user.id);
    return {
      ...{ user, cookie, address, ownEmail, press, now },
      here: await makeEmailSession(user),
    };
  }

  test.each(["everywhere", "there"])("is forgotten by logging out %s", async (where) => {
    const { here, ownEmail, press, now } = await waiting();
    const session = await handleOn(here.cookie, "Left open");
    const form: Record<string, string> = where === "there" ? { session } : { x: "" };
    await request("/account/sessions/end", { cookie: here.cookie, form });
    expect((await press()).status).toBe(403);
    expect(await now()).toEqual([{ own_email: ownEmail }]);
  });

  test("stays when its own browser logs out", async () => {
    const { cookie, address, press, now } = await waiting();
    const form = { session: await handleOn(cookie, "Left open") };
    await request("/account/sessions/end", { cookie, form });
    expect((await press()).status).toBe(303);
    expect(await now()).toEqual([{ own_email: address }]);
  });
});
