import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { sessionLifetime } from "~/members/lifetime";
import { readConfig } from "~/platform/env";
import { createLoginSession } from "~/sources/spotify/login/session.server";
import { counts, gives, holds, leads, led, shows, tells } from "../../support/answers";
import { change, db, row, rows } from "../../support/database/rows";
import { someone } from "../../support/people";
import { type Browser, browser, browserOf, byAddress, linkTo } from "../../support/people/logins";
import { freeAddress } from "../../support/ways-in";
import { setCookieOf } from "../session/login-flow";

const day = 24 * 60 * 60 * 1000;
const path = "/account/sessions/end";
const { sessionSecret: secret, tokenKey } = readConfig(env);

async function isLogin(it: Browser): Promise<boolean> {
  return (await it.gets("/player/token")).status === 200;
}

/** Somebody's browsers, each on its device. */
async function logins(...devices: string[]) {
  const { user } = await someone();
  const browsers: Browser[] = [];
  for (const device of devices) {
    browsers.push(await browserOf(await someone({ user })));
    await change("sessions", { userId: user.id, device: null }, { device });
  }
  return browsers as [Browser, Browser];
}

/** The handle by which the account page ends a device's session. */
async function handleOn(it: Browser, device: string): Promise<string> {
  const entry = (await it.reads("/account")).split("<li>").find((one) => one.includes(device));
  return /name="session" value="([^"]+)"/.exec(entry ?? "")?.[1] ?? "none";
}

/** Two logins of one user, and how the first ends the other. */
async function twoLogins() {
  const [here, other] = await logins("Firefox on Linux", "Safari on iPhone");
  return { here, other, session: await handleOn(here, "Safari on iPhone") };
}

test("the account page lists the user's own sessions by device, and nobody else's", async () => {
  const { here } = await twoLogins();
  await logins("Opera on Windows");
  const page = (await here.reads("/account")).replace(/<\/?span>/g, "");
  expect(page).toContain("Safari on iPhone");
  expect(page).toMatch(/Firefox on Linux <span[^>]*>This one/);
  expect(page).toMatch(/Active <time[^>]*>.*?<\/time>, logged in <time/);
  expect(page).not.toMatch(/Safari on iPhone <span[^>]*>This one/);
  expect(page).not.toContain("Opera on Windows");
  // A session's key would be of no use to anybody, but the page does not show it all the same.
  for (const { id } of await rows("sessions")) expect(page).not.toContain(id);
});

test("one other login can be ended, and a second press is no error", async () => {
  const { here, other, session } = await twoLogins();
  for (const press of ["first", "second"]) {
    const response = await here.posts(path, { session });
    expect([press, ...led(response)]).toEqual([press, 303, "/account?ended"]);
    expect(response.headers.get("Clear-Site-Data")).toBeNull();
    expect([await isLogin(other), await isLogin(here)]).toEqual([false, true]);
  }
  await shows(here, "/account?ended", "That login has ended.");
});

test("ending the current login is the same as logging out", async () => {
  const { here, other, session } = await twoLogins();
  // The page has no second button for it beside its own "Logout".
  expect(await handleOn(other, "This one")).toBe("none");
  await leads(other.posts(path, { session }), "/");
  expect(other.isLoggedIn()).toBe(false);
  await counts("sessions", 1);
  expect(await isLogin(here)).toBe(true);
});

test("nobody can end somebody else's login, or end one by its key", async () => {
  const { session } = await twoLogins();
  const who = await someone();
  const keys = (await rows("sessions")).map(({ id }) => id);
  for (const one of [session, ...keys, "", "none"]) {
    await tells(who.sends(path, { session: one }), 200, { ok: true });
  }
  await counts("sessions", 3);
});

test.each(["/logout", path, "/account/delete"])(
  "%s makes the browser clear its cache and storage, but no cookies",
  async (path) => {
    const response = await (await someone()).posts(path);
    expect(response.status).toBe(303);
    // "cookies" would also clear those of other sites under the same domain.
    expect(response.headers.get("Clear-Site-Data")).toBe('"cache", "storage"');
    expect(setCookieOf(response, "__Host-session")).toContain("Max-Age=0");
  },
);

test("logging out everywhere ends all of the user's sessions, and nobody else's", async () => {
  const { here, other } = await twoLogins();
  const foreign = await someone();
  await foreign.login();
  await leads(here.posts(path), "/");
  expect([here.isLoggedIn(), await isLogin(other)]).toEqual([false, false]);
  await holds("sessions", { userId: foreign.id });
});

test("activity extends a session, to thirty days in all at most", async () => {
  const now = Date.now();
  const young = await someone({ lastSeenAt: now - 5 * day });
  const old = await someone({ lastSeenAt: now - 5 * day });
  for (const who of [young, old]) await who.login();
  const createdAt = now - sessionLifetime.absoluteMs + day;
  await change("sessions", { userId: old.id }, { createdAt });
  for (const who of [young, old]) await who.gets("/");
  const endOf = async ({ id }: { id: string }) => (await row("sessions", { userId: id })).expiresAt;
  expect(await endOf(young)).toBeGreaterThanOrEqual(now + sessionLifetime.idleMs);
  expect(await endOf(old)).toBe(createdAt + sessionLifetime.absoluteMs);
});

test("beyond twenty logins the oldest ones end", async () => {
  const [who, other] = [await someone(), await someone()];
  await other.login();
  const { spotifyId } = await who.now();
  const known = { displayName: "Many", email: null, imageUrl: null, hasPremium: null };
  const tokens = { accessToken: "a", refreshToken: "r", expiresIn: 3600, mayAddToPlaylists: false };
  const grant = { profile: { id: spotifyId ?? "", ...known }, ...tokens };
  for (let n = 1; n <= 22; n += 1) {
    const keys = { id: `s${n}`, clientId: "c", tokenKey, secret };
    // Some within one millisecond.
    const now = Math.floor(n / 4);
    await createLoginSession(db, grant, { ...keys, device: null, replaces: null, now });
  }
  const left = (await rows("sessions", { userId: who.id })).map(({ id }) => id);
  expect(left.sort()).toEqual(Array.from({ length: 20 }, (_, n) => `s${n + 3}`).sort());
  await counts("sessions", 1, { userId: other.id });
});

test.each([
  ["is forgotten by logging out everywhere", "here", false],
  ["is forgotten by ending the login that may have asked for it", "here", false],
  ["stays when its own browser logs out", "there", true],
])("an address that waits to be confirmed %s", async (how, where, stays) => {
  // Somebody at a browser that was left open has asked for an address of theirs; the member has come elsewhere.
  const who = await byAddress();
  const there = await browserOf(who);
  await change("sessions", {}, { device: "Left open" });
  const address = freeAddress();
  await there.sends("/account/email", { address });
  const here = await browserOf(await someone({ user: who.user, way: "email" }));
  const it = where === "here" ? here : there;
  await it.posts(
    path,
    how.endsWith("everywhere") ? {} : { session: await handleOn(it, "Left open") },
  );
  await gives(browser().presses(await linkTo(address)), stays ? 303 : 403);
  expect(await who.now()).toMatchObject({ ownEmail: stays ? address : who.ownEmail });
});
