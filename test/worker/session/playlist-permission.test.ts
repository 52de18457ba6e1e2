import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { forgetPlaylistGrant } from "~/login/sessions.server";
import { unseal } from "~/platform/crypto.server";
import { readConfig } from "~/platform/env";
import { SpotifyLoginEnded } from "~/sources/spotify/client/spotify";
import { extendLoginSession } from "~/sources/spotify/login/session.server";
import { spotifyToken, type TokenServices } from "~/sources/spotify/token.server";
import { accountIdOf } from "../../sandbox/catalogue";
import { rowsOf } from "../../support/database/contents";
import { makeUser, type TestUser } from "../../support/database/factories";
import {
  connectionOf,
  makeMember,
  makeSession,
  type TestSession,
  viewerOf,
} from "../../support/login";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";
import { type BegunLogin, comeBack, cookieOf, decide, logIn, setCookieOf } from "./login-flow";

const musician = "valdis-hrafnsey";
const stranger = "winona-larkspur";
const eight =
  "user-read-currently-playing user-read-playback-state user-modify-playback-state " +
  "user-library-read user-library-modify streaming user-read-email user-read-private";
const three = "playlist-read-private playlist-modify-private playlist-modify-public";
const next = "/ratings-of-my-songs?song=s#song-s";
const callback = "/auth/spotify/callback";

interface Row {
  id: string;
  client_id: string;
  created_at: number;
  refresh_token: string;
  access_token: string;
  token_expires_at: number;
  may_add_to_playlists: number;
}

async function row(id: string): Promise<Row | undefined> {
  return (await rowsOf("SELECT * FROM sessions WHERE id = ?", id))[0] as Row | undefined;
}

/** The musician, logged in for a while, in the middle of a visit. */
async function member(
  options: { expiresIn?: number } = {},
): Promise<{ user: TestUser; session: TestSession }> {
  await control("reset", { musician });
  await control("revoke", { musician });
  const user = await makeUser();
  const identify = env.DB.prepare("UPDATE users SET spotify_id = ? WHERE id = ?");
  await identify.bind(accountIdOf(musician), user.id).run();
  return { user, session: await makeSession(user, { musician, ...options }) };
}

/** Presses the button that asks for the permission. */
async function ask(cookie: string, form: Record<string, string> = { next }): Promise<BegunLogin> {
  const response = await request("/playlists/permission", { method: "POST", cookie, form });
  expect(response.status).toBe(303);
  return {
    authorizeUrl: new URL(response.headers.get("Location") ?? ""),
    cookie: cookieOf(response, "__Host-login"),
  };
}

/** Asks for the permission and gives it, or not. @returns the app's answer. */
async function permit(
  { cookie }: { cookie: string },
  as = musician,
  decision: "agree" | "deny" = "agree",
): Promise<Response> {
  const asked = await ask(cookie);
  return comeBack(await decide(asked, as, decision), asked.cookie, cookie);
}

async function expectPage(response: Response, status: number, title: string): Promise<string> {
  const page = await response.text();
  const shown = /<h1>(.*?)<\/h1>/.exec(page)?.[1];
  expect({ status: response.status, title: shown }).toEqual({ status, title });
  return page;
}

describe("the permission to add to playlists", () => {
  test("is asked for besides the eight, through the session's own client, and only once by Spotify", async () => {
    const { session } = await member();
    for (const client of ["sandbox-client-a", "sandbox-client-b"]) {
      await env.DB.prepare("UPDATE sessions SET client_id = ?").bind(client).run();
      const { authorizeUrl } = await ask(session.cookie);
      const { state, ...rest } = Object.fromEntries(authorizeUrl.searchParams);
      expect(state?.length).toBeGreaterThan(20);
      expect(rest).toEqual({
        client_id: client,
        response_type: "code",
        redirect_uri: `${env.APP_ORIGIN}${callback}`,
        scope: `${eight} ${three}`,
        show_dialog: "false",
      });
    }
    const { authorizeUrl } = await ask(session.cookie, { next, choose: "account" });
    expect(authorizeUrl.searchParams.get("show_dialog")).toBe("true");
  });

  test("begun and left spoils no login in the same browser", async () => {
    const { session } = await member();
    const left = await ask(session.cookie);
    const begun = await request("/login", { method: "POST", cookie: left.cookie, form: {} });
    const login = {
      authorizeUrl: new URL(begun.headers.get("Location") ?? ""),
      cookie: cookieOf(begun, "__Host-login"),
    };
    expect(login.authorizeUrl.searchParams.get("scope")).toBe(eight);
    const answer = await comeBack(await decide(login, stranger), login.cookie);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
    expect(setCookieOf(answer, "__Host-session")).not.toBe("");
  });

  test("once given goes to the session that asked, which stays as it is", async () => {
    const { session } = await member();
    const before = await row(session.id);
    expect(before?.may_add_to_playlists).toBe(0);
    const response = await permit(session);
    expect([response.status, response.headers.get("Location")]).toEqual([303, next]);
    expect(setCookieOf(response, "__Host-session")).toBe("");
    expect(setCookieOf(response, "__Host-login")).toMatch(/Expires=Thu, 01 Jan 1970|Max-Age=0/);
    const after = await row(session.id);
    expect(after?.access_token).not.toBe(before?.access_token);
    expect(after?.refresh_token).not.toBe(before?.refresh_token);
    const { access_token, refresh_token, token_expires_at, ...kept } = { ...before } as Row;
    expect(after).toMatchObject({ ...kept, may_add_to_playlists: 1 });
    expect((await viewerOf(session.id)).session.spotify?.mayAddToPlaylists).toBe(true);
    expect(await rowsOf("SELECT id FROM sessions")).toHaveLength(1);
    expect(await rowsOf("SELECT kind FROM activity_log")).toEqual([]);

    // The player goes on with the new token, which Spotify takes.
    const token = await request("/player/token", { cookie: session.cookie });
    const { accessToken } = await token.json<{ accessToken: string }>();
    const lists = await fetch(`${env.SANDBOX_ORIGIN}/spotify/api/v1/me/playlists`, {
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    expect(lists.status).toBe(200);
  });

  test("once declined changes nothing, and the page is told", async () => {
    const { session } = await member();
    const before = await row(session.id);
    for (const [from, to] of [
      [next, "/ratings-of-my-songs?song=s&permission=declined#song-s"],
      ["/", "/?permission=declined"],
      ["/?permission=declined", "/?permission=declined"],
    ] as const) {
      const asked = await ask(session.cookie, { next: from });
      const back = await decide(asked, musician, "deny");
      const response = await comeBack(back, asked.cookie, session.cookie);
      expect([response.status, response.headers.get("Location")]).toEqual([303, to]);
    }
    expect(await row(session.id)).toEqual(before);
  });

  test("given after it was declined leads back without a word of that", async () => {
    const { session } = await member();
    const asked = await ask(session.cookie, { next: "/?permission=declined" });
    const response = await comeBack(await decide(asked, musician), asked.cookie, session.cookie);
    expect(response.headers.get("Location")).toBe("/");
  });

  test("of another account changes nothing, and leads to a page that lets one choose", async () => {
    const { session } = await member();
    const before = await row(session.id);
    const page = await expectPage(
      await permit(session, stranger),
      403,
      "This is another Spotify account",
    );
    expect(page).toContain("You are still logged in as before, and nothing was changed.");
    expect(page).toContain('action="/playlists/permission"');
    expect(page).toContain('name="choose" value="account"');
    expect(page).toContain(`href="${next}"`);
    expect(await row(session.id)).toEqual(before);
    expect(await rowsOf("SELECT id FROM users")).toHaveLength(1);
  });

  test("leads to no page of another site, and is for members only", async () => {
    const { session } = await member();
    const asked = await ask(session.cookie, { next: "https://evil.example/" });
    const response = await comeBack(await decide(asked, musician), asked.cookie, session.cookie);
    expect(response.headers.get("Location")).toBe("/");
    const form = { method: "POST", form: { next }, headers: { Accept: "text/html" } };
    const refused = await request("/playlists/permission", form);
    expect([refused.status, refused.headers.get("Location")]).toEqual([303, "/?ended"]);
    expect((await request("/playlists/permission")).headers.get("Location")).toBe("/");
  });

  test("begun in one browser cannot be completed in another", async () => {
    const { session } = await member();
    const asked = await ask(session.cookie);
    const back = await decide(asked, musician);
    await expectPage(await comeBack(back, "", session.cookie), 400, "This login has expired");
    expect((await row(session.id))?.may_add_to_playlists).toBe(0);
  });

  test.each([
    { name: "made up", change: (url: URL) => url.searchParams.set("code", "AQmadeup") },
    { name: "with another state", change: (url: URL) => url.searchParams.set("state", "other") },
  ])("from an answer that is $name is not given", async ({ change }) => {
    const { session } = await member();
    const before = await row(session.id);
    const asked = await ask(session.cookie);
    const back = await decide(asked, musician);
    change(back);
    const page = await expectPage(
      await comeBack(back, asked.cookie, session.cookie),
      400,
      "This request has expired",
    );
    expect(page).toContain(`href="${next}"`);
    expect(await row(session.id)).toEqual(before);
  });

  test.each([500, 429, 0])("is not given while Spotify fails with %i", async (status) => {
    const { session } = await member();
    const before = await row(session.id);
    await control("fail", { route: "POST /api/token", status, musician });
    const page = await expectPage(await permit(session), 502, "Spotify did not answer");
    expect(page).toContain(`href="${next}"`);
    expect(await row(session.id)).toEqual(before);
  });

  test("goes once into the session, also if the browser comes back twice", async () => {
    const { session } = await member();
    const asked = await ask(session.cookie);
    const back = await decide(asked, musician);
    const responses = await Promise.all([
      comeBack(back, asked.cookie, session.cookie),
      comeBack(back, asked.cookie, session.cookie),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 400]);
    expect((await row(session.id))?.may_add_to_playlists).toBe(1);
    const token = await request("/player/token?refused", { cookie: session.cookie });
    expect(token.status).toBe(200);
  });

  test("does not bring back a login that has ended meanwhile", async () => {
    const { session } = await member();
    const asked = await ask(session.cookie);
    const back = await decide(asked, musician);
    await request("/logout", { method: "POST", cookie: session.cookie, form: {} });
    const page = await expectPage(
      await comeBack(back, asked.cookie, session.cookie),
      400,
      "This request has expired",
    );
    expect(page).toContain('action="/login"');
    expect(await rowsOf("SELECT id FROM sessions")).toEqual([]);
  });

  test("goes to the login that the browser has now, if that is the same user's", async () => {
    const { session } = await member();
    const asked = await ask(session.cookie);
    const back = await decide(asked, musician);
    const cookie = cookieOf(await logIn(musician, session.cookie), "__Host-session");
    expect((await comeBack(back, asked.cookie, cookie)).headers.get("Location")).toBe(next);
    expect(await rowsOf("SELECT may_add_to_playlists, client_id FROM sessions")).toEqual([
      { may_add_to_playlists: 1, client_id: asked.authorizeUrl.searchParams.get("client_id") },
    ]);
  });

  test("goes to no other user's login", async () => {
    const { session } = await member();
    const asked = await ask(session.cookie);
    const back = await decide(asked, musician);
    const other = await makeMember({ musician: stranger });
    const before = await row(other.id);
    await expectPage(
      await comeBack(back, asked.cookie, other.cookie),
      400,
      "This request has expired",
    );
    expect(await row(other.id)).toEqual(before);
  });
});

describe("what Spotify says of the permission decides", () => {
  /** Comes back from the consent page to an answer of the token endpoint with this scope. */
  async function exchanged(scope: string | undefined) {
    const { session } = await member();
    const asked = await ask(session.cookie);
    const back = await decide(asked, musician);
    const issued = await control("issueToken", { musician, scope: `${eight} ${three}` });
    const { access_token, refresh_token } = issued as Record<string, unknown>;
    const body = { access_token, refresh_token, expires_in: 3600, scope };
    await control("fail", { route: "POST /api/token", status: 200, body, musician });
    const response = await comeBack(back, asked.cookie, session.cookie);
    return {
      location: response.headers.get("Location"),
      granted: (await row(session.id))?.may_add_to_playlists,
    };
  }

  test("an answer that names no permissions means all that were asked for", async () => {
    expect(await exchanged(undefined)).toEqual({ location: next, granted: 1 });
  });

  test.each(three.split(" "))("an answer that lacks %s is none", async (missing) => {
    const declined = "/ratings-of-my-songs?song=s&permission=declined#song-s";
    const scope = `${eight} ${three}`.replace(missing, "").trim();
    expect(await exchanged(scope)).toEqual({ location: declined, granted: 0 });
  });

  test("a login that is told of the permission has it, one that is not told has not", async () => {
    await control("reset", { musician });
    for (const [scope, granted] of [
      [`${eight} ${three}`, 1],
      [eight, 0],
      [undefined, 0],
    ] as const) {
      const issued = (await control("issueToken", { musician })) as Record<string, unknown>;
      const { access_token, refresh_token } = issued;
      const body = { access_token, refresh_token, expires_in: 3600, scope };
      await control("fail", { route: "POST /api/token", status: 200, body, musician });
      const cookie = cookieOf(await logIn(musician), "__Host-session");
      expect(cookie).not.toBe("");
      const [newest] = await rowsOf(
        "SELECT may_add_to_playlists FROM sessions ORDER BY created_at DESC, rowid DESC LIMIT 1",
      );
      expect(newest).toEqual({ may_add_to_playlists: granted });
    }
  });
});

describe("a renewal of the token", () => {
  const soon = 60;

  async function renewed(session: TestSession) {
    const due = "UPDATE sessions SET token_expires_at = ? WHERE id = ?";
    await env.DB.prepare(due)
      .bind(Date.now() + soon * 1000, session.id)
      .run();
    expect((await request("/player/token", { cookie: session.cookie })).status).toBe(200);
    return (await row(session.id))?.may_add_to_playlists;
  }

  test("keeps the permission, loses it with Spotify, and finds it again", async () => {
    const { session } = await member();
    await permit(session);
    expect(await renewed(session)).toBe(1);
    await control("withdraw", { musician, scope: three });
    // Spotify's answer names no permissions that are as they were when it answered last.
    const body = { access_token: "another", expires_in: 3600, scope: eight };
    await control("fail", { route: "POST /api/token", status: 200, body, musician });
    expect(await renewed(session)).toBe(0);
    expect(await renewed(session)).toBe(0);
  });

  test("of an older login of the user knows the permission that a newer one was given", async () => {
    const { user, session } = await member();
    const older = await makeSession(user, { musician });
    await permit(session);
    expect(await renewed(older)).toBe(1);
  });

  /** Gives the permission as soon as the renewal has asked Spotify, and then lets Spotify answer. */
  async function overtaken(answer: () => ReturnType<TokenServices["refresh"]>) {
    const { user, session } = await member({ expiresIn: -10 });
    const db = createDatabase(env.DB);
    const config = readConfig(env);
    const refresh: TokenServices["refresh"] = async () => {
      const profile = { displayName: "T", imageUrl: null, email: null, hasPremium: null };
      const outcome = await extendLoginSession(
        db,
        {
          profile: { ...profile, id: accountIdOf(musician) },
          accessToken: "permitted",
          refreshToken: "permitted too",
          expiresIn: 3600,
          mayAddToPlaylists: true,
        },
        {
          id: session.id,
          userId: user.id,
          clientId: "sandbox-client-a",
          tokenKey: config.tokenKey,
          now: Date.now(),
        },
      );
      expect(outcome).toBe("extended");
      return answer();
    };
    const early = await connectionOf(session.id);
    const token = await spotifyToken({ db, config, now: Date.now, refresh }, early);
    const after = await row(session.id);
    return {
      token: token.accessToken,
      refreshToken: await unseal(config.tokenKey, after?.refresh_token ?? "", session.id),
      granted: after?.may_add_to_playlists,
    };
  }

  test.each([
    {
      name: "with tokens of its own",
      answer: async () => ({
        accessToken: "renewed",
        refreshToken: "rotated",
        expiresIn: 3600,
        mayAddToPlaylists: false,
      }),
    },
    {
      name: "with the end of the old login",
      answer: async () => {
        throw new SpotifyLoginEnded();
      },
    },
  ])("that ends $name does not undo a permission given meanwhile", async ({ answer }) => {
    expect(await overtaken(answer)).toEqual({
      token: "permitted",
      refreshToken: "permitted too",
      granted: 1,
    });
  });
});

test("a grant that Spotify no longer honours is forgotten, but not one given since", async () => {
  const { session } = await member();
  await permit(session);
  const db = createDatabase(env.DB);
  const early = await connectionOf(session.id);
  await permit(session);
  await forgetPlaylistGrant(db, early);
  expect((await row(session.id))?.may_add_to_playlists).toBe(1);
  await forgetPlaylistGrant(db, await connectionOf(session.id));
  expect((await row(session.id))?.may_add_to_playlists).toBe(0);
});

test("who gave the permission before passes straight through, until it is revoked at Spotify", async () => {
  const { session } = await member();
  await permit(session);
  const cookie = `sandbox-spotify-login=${musician}`;
  const visit = async () => {
    const { authorizeUrl } = await ask(session.cookie);
    return fetch(authorizeUrl, { headers: { Cookie: cookie }, redirect: "manual" });
  };
  const passed = await visit();
  expect(passed.status).toBe(302);
  expect(passed.headers.get("Location")).toContain("code=");
  await control("revoke", { musician });
  expect((await visit()).status).toBe(200);
  expect(await sandboxRequests(musician)).not.toEqual([]);
});
