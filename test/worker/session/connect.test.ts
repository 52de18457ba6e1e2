import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { unseal } from "~/platform/crypto.server";
import { readConfig } from "~/platform/env";
import { accountIdOf } from "../../sandbox/catalogue";
import { contents, rowsOf } from "../../support/database/contents";
import { insert, makePackage, makeSong, makeUser } from "../../support/database/factories";
import { makeEmailMember, makeEmailSession, makeMember } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { type BegunLogin, comeBack, cookieOf, decide, logIn } from "./login-flow";

const musician = "casimir-zareba";
const stranger = "winona-larkspur";
const hour = 60 * 60 * 1000;
const next = "/ratings-of-my-songs";

beforeEach(() => control("reset", { musician }));

async function ask(cookie: string, to = next): Promise<BegunLogin> {
  const response = await request("/account/spotify", { cookie, form: { next: to } });
  expect(response.status).toBe(303);
  const authorizeUrl = new URL(response.headers.get("Location") ?? "");
  return { authorizeUrl, cookie: cookieOf(response, "__Host-login") };
}

/** Presses Connect Spotify and agrees, or not. @returns the app's answer. */
async function connect(cookie: string, as = musician, decision: "agree" | "deny" = "agree") {
  const asked = await ask(cookie);
  return comeBack(await decide(asked, as, decision), asked.cookie, cookie);
}

async function expectPage(response: Response, status: number, title: string): Promise<string> {
  const page = await response.text();
  expect([response.status, /<h1>(.*?)<\/h1>/.exec(page)?.[1]]).toEqual([status, title]);
  return page;
}

async function userOf(id: string) {
  return (await rowsOf("SELECT * FROM users WHERE id = ?", id))[0];
}

async function identify(id: string, as: string): Promise<void> {
  const rename = env.DB.prepare("UPDATE users SET spotify_id = ? WHERE id = ?");
  await rename.bind(accountIdOf(as), id).run();
}

const taken = "This Spotify account has an account here already";

describe("connecting Spotify", () => {
  test("gives account and session what a login would, and makes the login no younger", async () => {
    const { user, id, cookie, ownEmail } = await makeEmailMember({ age: hour / 2 });
    const before = await userOf(user.id);
    const asked = await ask(cookie);
    expect(asked.authorizeUrl.searchParams.get("show_dialog")).toBe("true");
    expect(asked.authorizeUrl.searchParams.get("scope")?.split(" ")).toHaveLength(8);
    const [session] = await rowsOf("SELECT created_at, expires_at FROM sessions");
    const response = await comeBack(await decide(asked, musician), asked.cookie, cookie);
    expect([response.status, response.headers.get("Location")]).toEqual([303, next]);
    expect(cookieOf(response, "__Host-session")).toBe("");
    expect(await userOf(user.id)).toEqual({
      ...(before as object),
      spotify_id: accountIdOf(musician),
      own_email: ownEmail,
      own_name: 1,
      email: expect.stringContaining("@"),
      image_url: expect.anything(),
      hears_spotify_until: expect.any(Number),
      updated_at: expect.any(Number),
    });
    const [row] = (await rowsOf("SELECT * FROM sessions")) as [Record<string, string>];
    expect(row).toMatchObject({ ...(session as object), id, way: "email", has_spotify_premium: 1 });
    const { tokenKey } = readConfig(env);
    expect(await unseal(tokenKey, row.access_token ?? "", id)).not.toBeNull();
    expect((await request("/player/token", { cookie })).status).toBe(200);
  });

  test("keeps the name that the member chose, also at later logins with Spotify", async () => {
    const { user, cookie } = await makeEmailMember({ displayName: "Chosen Name" });
    await connect(cookie);
    expect((await logIn(musician)).headers.get("Location")).toBe("/");
    expect(await rowsOf("SELECT id, display_name FROM users")).toEqual([
      { id: user.id, display_name: "Chosen Name" },
    ]);
    // Without a name of one's own it is Spotify's.
    await logIn(stranger);
    const named = env.DB.prepare("SELECT display_name FROM users WHERE spotify_id = ?");
    expect(await named.bind(accountIdOf(stranger)).first("display_name")).not.toBe("Chosen Name");
  });

  test("needs a fresh login where the account has no Spotify yet, and none where it has", async () => {
    const { user, cookie } = await makeEmailMember({ age: 2 * hour });
    const before = await contents();
    const refused = await request("/account/spotify", { cookie, form: { next } });
    const again = encodeURIComponent("/account?again=spotify#ways");
    const where = refused.headers.get("Location");
    expect([refused.status, where]).toEqual([303, `/login/email?next=${again}`]);
    expect(await contents()).toEqual(before);
    const json = await request("/account/spotify", { cookie, json: { next } });
    expect([json.status, await json.json()]).toEqual([
      401,
      { error: "Please log in again first", loginAgain: true },
    ]);
    await identify(user.id, musician);
    expect((await connect(cookie)).headers.get("Location")).toBe(next);
    expect((await request("/player/token", { cookie })).status).toBe(200);
  });

  test("declined, changes nothing, says so and leads back", async () => {
    const { cookie } = await makeEmailMember();
    const before = await contents();
    const page = await expectPage(
      await connect(cookie, musician, "deny"),
      200,
      "Spotify is not connected",
    );
    expect(page).toContain("nothing was changed");
    expect(page).toContain(`<a class="button" href="${next}">`);
    expect(await contents()).toEqual(before);
  });

  test("asks nothing of a session that is connected", async () => {
    const { cookie } = await makeMember();
    const response = await request("/account/spotify", { cookie, form: { next } });
    expect(response.headers.get("Location")).toBe(next);
  });

  test("is nowhere offered or possible without an app at Spotify", async () => {
    const { cookie } = await makeEmailMember();
    const bindings = {
      ...env,
      SPOTIFY_CLIENT_ID: "",
      SPOTIFY_CLIENT_SECRET: "",
      SPOTIFY_CLIENT_ID_2: "",
      SPOTIFY_CLIENT_SECRET_2: "",
    };
    const page = await (await request("/account", { cookie, bindings })).text();
    expect(page).not.toContain("/account/spotify");
    const response = await request("/account/spotify", { cookie, bindings, form: { next } });
    expect(response.status).toBe(404);
    expect((await request("/account", { cookie })).status).toBe(200);
  });

  test("leads to pages of this site alone", async () => {
    const { cookie } = await makeEmailMember();
    const asked = await ask(cookie, "https://evil.example/");
    const response = await comeBack(await decide(asked, musician), asked.cookie, cookie);
    expect(response.headers.get("Location")).toBe("/");
  });
});

describe("connecting Spotify is refused, and changes nothing,", () => {
  test("where the Spotify account belongs to another account", async () => {
    await identify((await makeUser()).id, musician);
    const { cookie } = await makeEmailMember();
    const before = await contents();
    const page = await expectPage(await connect(cookie), 403, taken);
    expect(page).toContain("log in with Spotify");
    expect(await contents()).toEqual(before);
  });

  test("where the account has another Spotify account", async () => {
    const user = await makeUser();
    await identify(user.id, stranger);
    const { cookie } = await makeEmailSession(user);
    const before = await contents();
    await expectPage(await connect(cookie), 403, "This is another Spotify account");
    expect(await contents()).toEqual(before);
  });

  test.each(["somebody else is logged in", "nobody is logged in", "the account is gone"])(
    "where by then %s",
    async (what) => {
      const { user, cookie } = await makeEmailMember();
      const other = await makeEmailMember();
      const asked = await ask(cookie);
      const callback = await decide(asked, musician);
      if (what.endsWith("gone")) {
        await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(user.id).run();
      }
      const before = await contents();
      const now = { "somebody else is logged in": other.cookie, "nobody is logged in": "" }[what];
      const response = await comeBack(callback, asked.cookie, now ?? cookie);
      await expectPage(response, 400, "This request has expired");
      expect(await contents()).toEqual(before);
    },
  );

  test("in another browser than the one that asked, where it would connect one's own Spotify to somebody else's account", async () => {
    const attacker = await makeEmailMember();
    const victim = await makeEmailMember();
    const asked = await ask(attacker.cookie);
    const callback = await decide(asked, musician);
    const before = await contents();
    expect((await comeBack(callback, victim.cookie)).status).toBe(400);
    const own = await ask(victim.cookie);
    expect((await comeBack(callback, own.cookie, victim.cookie)).status).toBe(400);
    expect(await contents()).toEqual(before);
  });
});

describe("at once", () => {
  test("of two accounts that connect one Spotify account, one does", async () => {
    for (let round = 0; round < 4; round += 1) {
      const members = [await makeEmailMember(), await makeEmailMember()];
      const answers = await Promise.all(members.map(({ cookie }) => connect(cookie)));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
      expect(await rowsOf("SELECT id FROM users WHERE spotify_id IS NOT NULL")).toHaveLength(1);
      await env.DB.prepare("DELETE FROM users").run();
    }
  });

  test("two presses connect once, to both logins", async () => {
    const { user, cookie } = await makeEmailMember();
    const other = await makeEmailSession(user);
    const answers = await Promise.all([cookie, other.cookie].map((one) => connect(one)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(
      await rowsOf("SELECT count(*) AS connected FROM sessions WHERE access_token IS NOT NULL"),
    ).toEqual([{ connected: 2 }]);
  });

  test("connecting and logging in with one Spotify account leave it one account", async () => {
    for (let round = 0; round < 4; round += 1) {
      const { user, cookie } = await makeEmailMember();
      const [connected, login] = await Promise.all([connect(cookie), logIn(musician)]);
      expect(login.status).toBe(303);
      const [{ id }] = (await rowsOf("SELECT id FROM users WHERE spotify_id IS NOT NULL")) as [
        { id: string },
      ];
      expect([connected.status, id === user.id]).toEqual(
        connected.status === 303 ? [303, true] : [403, false],
      );
      await env.DB.prepare("DELETE FROM users").run();
    }
  });
});

describe("who deleted the account of that Spotify account", () => {
  const leave = async () => {
    const cookie = cookieOf(await logIn(musician), "__Host-session");
    expect((await request("/account/delete", { cookie, json: {} })).status).toBe(200);
  };

  test("within a day gets no songs after connecting it, not even those drawn before", async () => {
    await leave();
    const { user, cookie } = await makeEmailMember();
    const song = await makeSong(await makeUser());
    await makePackage(user, [song]);
    await connect(cookie);
    expect(await rowsOf("SELECT id FROM packages")).toEqual([]);
    const page = await (await request("/", { cookie })).text();
    expect(page).toContain("Welcome back");
    expect(page).not.toContain('action="/songs/');
  });

  test("after a day keeps what was drawn", async () => {
    await leave();
    await env.DB.prepare("UPDATE departures SET left_at = left_at - ?")
      .bind(24 * hour)
      .run();
    const { user, cookie } = await makeEmailMember();
    await makePackage(user, [await makeSong(await makeUser())]);
    await connect(cookie);
    expect(await rowsOf("SELECT user_id FROM packages")).toEqual([{ user_id: user.id }]);
  });

  test("with a lock is locked after connecting it, by both ways in", async () => {
    await logIn(musician);
    const [{ id: locked }] = (await rowsOf("SELECT id FROM users")) as [{ id: string }];
    const lock = { id: "l".repeat(43), user_id: locked, reason: "Noise.", locked_at: 1 };
    await insert("submission_locks", lock).run();
    await leave();
    const { user, cookie } = await makeEmailMember();
    await connect(cookie);
    const rows = await rowsOf("SELECT reason FROM submission_locks WHERE user_id = ?", user.id);
    expect(rows).toEqual([{ reason: "Noise." }, { reason: "Noise." }]);
  });
});
