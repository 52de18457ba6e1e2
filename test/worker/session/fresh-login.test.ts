import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { accountIdOf } from "../../sandbox/catalogue";
import { contents, rowsOf } from "../../support/database/contents";
import { makeUser, unique } from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { request } from "../../support/request";
import { type BegunLogin, beginLogin, comeBack, cookieOf, decide } from "./login-flow";

const minute = 60_000;
const musician = "eino-kallas";

/** A user with the musician's account at the sandbox, who logged in `age` milliseconds ago. */
async function loggedIn(age: number, ownEmail: string | null = null) {
  const user = await makeUser({ ownEmail });
  const rename = env.DB.prepare("UPDATE users SET spotify_id = ? WHERE id = ?");
  await rename.bind(accountIdOf(musician), user.id).run();
  const { cookie, id } = await makeSession(user, { musician });
  const begin = env.DB.prepare("UPDATE sessions SET created_at = ? WHERE id = ?");
  await begin.bind(Date.now() - age, id).run();
  return { user, cookie };
}

/**
 * The login that an action with an old login redirects to, at Spotify's consent page; of a user who has
 * confirmed an address, by the page that lets them choose.
 */
async function consentOf(asked: Response, cookie: string, own = false): Promise<BegunLogin> {
  const response = own ? await chooseSpotify(asked, cookie) : asked;
  expect(response.status).toBe(303);
  const authorizeUrl = new URL(response.headers.get("Location") ?? "");
  expect(authorizeUrl.href).toContain(`${env.SANDBOX_ORIGIN}/spotify/accounts/authorize?`);
  expect(authorizeUrl.searchParams.get("show_dialog")).toBe("true");
  return { authorizeUrl, cookie: cookieOf(response, "__Host-login") };
}

async function chooseSpotify(asked: Response, cookie: string): Promise<Response> {
  const where = asked.headers.get("Location") ?? "";
  expect([asked.status, where]).toEqual([303, expect.stringMatching(/^\/login\/again\?next=%2F/)]);
  const page = await (await request(where, { cookie })).text();
  const next = new URLSearchParams(where.split("?")[1]).get("next") ?? "";
  expect(page).toContain(`name="next" value="${next.replaceAll("&", "&amp;")}"`);
  return request("/login/again", { cookie, form: { next } });
}

const address = `${unique("new")}@mail.example`;
const actions = [
  { path: "/account/delete", form: { sure: "on" }, back: "/account?again=delete#delete" },
  { path: "/account/email/remove", form: { x: "" }, back: "/account?again=removal#address" },
  {
    path: "/account/email",
    form: { address },
    back: expect.stringMatching(/^\/account\?again=address&entered=[\w-]+#new-address$/),
  },
];

describe.each(actions)("$path", ({ path, form, back }) => {
  const own = "own@mail.example";

  test("acts at once if the login is less than an hour old", async () => {
    const { cookie } = await loggedIn(60 * minute - 5000, own);
    const before = await contents("users", "mailed_proofs");
    const response = await request(path, { cookie, form });
    expect(response.headers.get("Location")).toMatch(/^\/account/);
    expect(await contents("users", "mailed_proofs")).not.toEqual(before);
  });

  test("changes nothing if the login is older, but redirects to Spotify's consent page", async () => {
    const { cookie } = await loggedIn(60 * minute + 5000, own);
    const before = await contents();
    const login = await consentOf(await request(path, { cookie, form }), cookie, true);
    expect(await contents()).toEqual(before);

    const response = await comeBack(await decide(login, musician), login.cookie, cookie);
    expect([response.status, response.headers.get("Location")]).toEqual([303, back]);
    const fresh = cookieOf(response, "__Host-session");
    const page = await (
      await request(response.headers.get("Location") ?? "", { cookie: fresh })
    ).text();
    expect(page).toContain("please press the button once more");
    if ("address" in form) expect(page).toContain(`value="${form.address}"`);
    // Only pressing the button again does it.
    expect(await contents("users", "mailed_proofs")).toMatchObject({
      mailed_proofs: before.mailed_proofs,
      users: [{ own_email: own }],
    });
    expect(await rowsOf("SELECT id FROM sessions")).toHaveLength(1);
    const pressed = await request(path, { cookie: fresh, form });
    expect(pressed.headers.get("Location")).toMatch(/^\/account/);
    expect(await contents("users", "mailed_proofs")).not.toMatchObject({
      mailed_proofs: before.mailed_proofs,
      users: [{ own_email: own }],
    });
  });

  test("does not accept a login with another Spotify account", async () => {
    const { user, cookie } = await loggedIn(2 * 60 * minute, own);
    const login = await consentOf(await request(path, { cookie, form }), cookie, true);
    const before = await contents();
    const response = await comeBack(await decide(login, "mara-lind"), login.cookie, cookie);
    expect(response.status).toBe(403);
    const page = await response.text();
    expect(page).toContain("This is another Spotify account");
    expect(page).toContain(user.displayName);
    expect(page).toContain('<a class="button" href="/account">');
    expect(cookieOf(response, "__Host-session")).toBe("");
    expect(await contents()).toEqual(before);
    expect((await request("/player/token", { cookie })).status).toBe(200);
  });

  test("left at Spotify's page, asks nothing of the next login in that browser", async () => {
    const { cookie } = await loggedIn(2 * 60 * minute, own);
    const left = await consentOf(await request(path, { cookie, form }), cookie, true);
    const login = await beginLogin(left.cookie);
    const response = await comeBack(await decide(login, "mara-lind"), login.cookie);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
    expect(cookieOf(response, "__Host-session")).not.toBe("");
  });

  test("changes nothing for somebody who declines, and keeps them logged in", async () => {
    const { cookie } = await loggedIn(2 * 60 * minute, own);
    const login = await consentOf(await request(path, { cookie, form }), cookie, true);
    const before = await contents();
    const denied = await decide(login, musician, "deny");
    const response = await comeBack(denied, login.cookie, cookie);
    const where = response.headers.get("Location") ?? "";
    expect([response.status, where]).toEqual([303, "/account?declined"]);
    expect(await (await request(where, { cookie })).text()).toContain("so nothing was changed");
    expect(await contents()).toEqual(before);
    expect((await request("/player/token", { cookie })).status).toBe(200);
  });

  test("tells a program to log in again", async () => {
    const { cookie } = await loggedIn(2 * 60 * minute, own);
    const before = await contents();
    const response = await request(path, { cookie, json: form });
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: "Please log in again first", loginAgain: true },
    ]);
    expect(await contents()).toEqual(before);
  });
});

test("the new login does not recreate an account that was deleted meanwhile", async () => {
  const { user, cookie } = await loggedIn(2 * 60 * minute);
  const login = await consentOf(
    await request("/account/delete", { cookie, form: { sure: "on" } }),
    cookie,
  );
  await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(user.id).run();
  const response = await comeBack(await decide(login, musician), login.cookie, cookie);
  expect(response.status).toBe(403);
  expect(await rowsOf("SELECT id FROM users")).toEqual([]);
});

test("activity does not make a login more recent", async () => {
  const { cookie } = await loggedIn(2 * 60 * minute);
  await env.DB.prepare("UPDATE sessions SET last_seen_at = ?")
    .bind(Date.now() - 5 * minute)
    .run();
  await request("/", { cookie });
  await consentOf(await request("/account/delete", { cookie, form: { sure: "on" } }), cookie);
});

test("the address entered is not readable in the URL, and a forged URL cannot fill in the form", async () => {
  const { cookie } = await loggedIn(2 * 60 * minute);
  const login = await consentOf(
    await request("/account/email", { cookie, form: { address } }),
    cookie,
  );
  const back = await comeBack(await decide(login, musician), login.cookie, cookie);
  const path = back.headers.get("Location") ?? "";
  expect(decodeURIComponent(path)).not.toContain(address);
  const stranger = await makeMember();
  for (const forged of [path, `/account?again=address&entered=${encodeURIComponent(address)}`]) {
    expect(await (await request(forged, { cookie: stranger.cookie })).text()).not.toContain(
      address,
    );
  }
});

test("cancelling an unconfirmed address needs no new login", async () => {
  const { cookie } = await loggedIn(2 * 60 * minute);
  const response = await request("/account/email/remove", { cookie, form: { waiting: "1" } });
  expect(response.headers.get("Location")).toBe("/account");
});
