import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { accountIdOf } from "../../sandbox/catalogue";
import { insert } from "../../support/database/factories";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";
import { beginLogin, comeBack, cookieOf, decide, logIn, setCookieOf } from "./login-flow";

async function count(table: "users" | "sessions"): Promise<number> {
  const row = await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>();
  return row?.n ?? -1;
}

function users() {
  return env.DB.prepare("SELECT * FROM users").all<Record<string, unknown>>();
}

function sessions() {
  return env.DB.prepare("SELECT * FROM sessions").all<Record<string, unknown>>();
}

describe("the login button", () => {
  test("leads to Spotify's consent page with all parameters of the authorization", async () => {
    const response = await request("/login", { method: "POST" });
    expect(response.status).toBe(303);
    const url = new URL(response.headers.get("Location") ?? "");
    expect(url.origin + url.pathname).toBe(`${env.SANDBOX_ORIGIN}/spotify/accounts/authorize`);
    const { client_id, state, ...rest } = Object.fromEntries(url.searchParams);
    expect(client_id).toMatch(/^sandbox-client-[ab]$/);
    expect(state?.length).toBeGreaterThan(20);
    expect(rest).toEqual({
      response_type: "code",
      redirect_uri: `${env.APP_ORIGIN}/auth/spotify/callback`,
      show_dialog: "true",
      scope:
        "user-read-currently-playing user-read-playback-state user-modify-playback-state " +
        "user-library-read user-library-modify streaming user-read-email user-read-private",
    });
  });

  test("keeps the login in a cookie that scripts and other sites cannot use", async () => {
    const response = await request("/login", { method: "POST" });
    const header = setCookieOf(response, "__Host-login");
    for (const attribute of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/", "Max-Age=600"]) {
      expect(header.split("; ")).toContain(attribute);
    }
    expect(header).not.toContain("Domain");
  });

  test("uses one of the two clients at random", async () => {
    const drawn = new Set<string | null>();
    for (let draw = 0; draw < 64 && drawn.size < 2; draw += 1) {
      const { authorizeUrl } = await beginLogin();
      drawn.add(authorizeUrl.searchParams.get("client_id"));
    }
    expect([...drawn].sort()).toEqual(["sandbox-client-a", "sandbox-client-b"]);
  });

  test("makes a new state each time", async () => {
    const states = await Promise.all([beginLogin(), beginLogin(), beginLogin()]);
    const distinct = new Set(states.map((login) => login.authorizeUrl.searchParams.get("state")));
    expect(distinct.size).toBe(3);
  });
});

describe("a login", () => {
  test.each([
    ["/ratings-of-my-songs?song=s#song-s", "/ratings-of-my-songs?song=s#song-s"],
    ["/account", "/account"],
    ["https://evil.example/account", "/"],
    ["//evil.example/account", "/"],
    ["/logout", "/"],
  ])("that begins at %s ends at %s", async (next, where) => {
    const login = await beginLogin(undefined, next);
    const response = await comeBack(await decide(login, "mara-lind"), login.cookie);
    expect([response.status, response.headers.get("Location")]).toEqual([303, where]);
  });

  test("through either client opens a session that records the client", async () => {
    const drawn = new Set<string | null>();
    for (let draw = 0; draw < 64 && drawn.size < 2; draw += 1) {
      const login = await beginLogin();
      const client = login.authorizeUrl.searchParams.get("client_id");
      if (drawn.has(client)) continue;
      drawn.add(client);
      const response = await comeBack(await decide(login, "mara-lind"), login.cookie);
      expect(response.status).toBe(303);
      const { results } = await sessions();
      expect(results.map((row) => row.client_id)).toContain(client);
    }
    expect(drawn.size).toBe(2);
  });

  test("ends on the carousel, with the musician's name and a session cookie", async () => {
    const response = await logIn("mara-lind");
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/");
    const header = setCookieOf(response, "__Host-session");
    for (const attribute of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) {
      expect(header.split("; ")).toContain(attribute);
    }
    expect(header).not.toContain("Domain");
    expect(setCookieOf(response, "__Host-login")).toMatch(/Expires=Thu, 01 Jan 1970|Max-Age=0/);

    const home = await request("/", { cookie: cookieOf(response, "__Host-session") });
    expect(await home.text()).toContain("Mara Lind");
  });

  test("leaves nothing in the database that would give access to the account or the session", async () => {
    const response = await logIn("bram-oosterhagen");
    const answers = (await sandboxRequests("bram-oosterhagen")).filter(
      ({ path }) => path === "/api/token",
    );
    const tokens = JSON.stringify(answers).match(/(?<=_token":")[^"]{40,}/g) ?? [];
    expect(tokens).toHaveLength(2);
    const cookie = decodeURIComponent(cookieOf(response, "__Host-session"));
    const [, payload = "", signature = ""] = /=([^.]+)\.(.+)$/.exec(cookie) ?? [];
    const sessionToken: unknown = JSON.parse(atob(payload));
    expect(sessionToken).toMatch(/^[\w-]{43}$/);

    const { results } = await sessions();
    const stored = JSON.stringify([results, (await users()).results]);
    expect(results).toHaveLength(1);
    expect(results[0]?.access_token).toMatch(/^[\w-]{60,}$/);
    expect(results[0]?.refresh_token).toMatch(/^[\w-]{60,}$/);
    for (const secret of [...tokens, String(sessionToken), payload, signature]) {
      expect(stored).not.toContain(secret.slice(0, 24));
    }
  });

  test("identifies the user by the account id and stores the profile", async () => {
    await logIn("kaito-morinaga");
    expect((await users()).results).toMatchObject([
      {
        spotify_id: accountIdOf("kaito-morinaga"),
        display_name: "Kaito Morinaga",
        email: "kaito-morinaga@musicians.example",
        credits: 0,
        rated_count: 0,
        submitted_count: 0,
      },
    ]);
  });

  test("of a known user updates the user and creates no second one", async () => {
    await insert("users", {
      id: "user-known",
      spotify_id: accountIdOf("ilse-kornblatt"),
      display_name: "An older name",
      image_url: "https://i.scdn.co/old",
      email: "old@musicians.example",
      created_at: 1,
      updated_at: 1,
    }).run();
    await logIn("ilse-kornblatt");
    await logIn("ilse-kornblatt");
    const { results } = await users();
    expect(results).toMatchObject([
      {
        id: "user-known",
        display_name: "Ilse Kornblatt",
        email: "ilse-kornblatt@musicians.example",
        created_at: 1,
      },
    ]);
    expect(results[0]?.image_url).not.toBe("https://i.scdn.co/old");
    expect(results[0]?.updated_at).not.toBe(1);
    expect(await count("sessions")).toBe(2);
  });

  test("takes no picture that the pages would not show", async () => {
    const musician = "ilse-kornblatt";
    const images = [{ url: "https://platform-lookaside.fbsbx.com/platform/profilepic/" }];
    const body = { id: musician, account_id: accountIdOf(musician), images };
    await logIn(musician);
    expect((await users()).results).toMatchObject([{ image_url: expect.stringMatching(/^http/) }]);
    await control("fail", { route: "GET /v1/me", status: 200, body, musician });
    await logIn(musician);
    expect((await users()).results).toMatchObject([{ image_url: null }]);
  });

  test("keeps a confirmed address if Spotify's profile has none", async () => {
    await insert("users", {
      id: "user-noemail",
      spotify_id: accountIdOf("demo-noemail"),
      display_name: "Noa",
      email: "confirmed@musicians.example",
      created_at: 1,
      updated_at: 1,
    }).run();
    await logIn("demo-noemail");
    expect((await users()).results[0]?.email).toBe("confirmed@musicians.example");
  });

  test("by a logged-in user ends the previous session and opens another", async () => {
    const first = cookieOf(await logIn("mara-lind"), "__Host-session");
    const [before] = (await sessions()).results;
    const second = cookieOf(await logIn("mara-lind", first), "__Host-session");
    const after = (await sessions()).results;
    expect(after).toHaveLength(1);
    expect(after[0]?.id).not.toBe(before?.id);
    expect(second).not.toBe(first);
    expect((await request("/player/token", { cookie: first })).status).toBe(401);
    expect((await request("/player/token", { cookie: second })).status).toBe(200);
  });

  test("writes one line to the login log", async () => {
    await logIn("mara-lind");
    const { results } = await env.DB.prepare("SELECT kind, song_id, score FROM activity_log").all();
    expect(results).toEqual([{ kind: "login", song_id: null, score: null }]);
  });
});

describe("a login that fails", () => {
  /** What leads on from the page that says what happened. */
  const loginForm = '<form class="login" method="post" action="/login">';

  /** Expects a readable page that says what happened and has a way on, and that nobody is logged in. */
  async function expectReadable(
    response: Response,
    status: number,
    title: string,
    wayOn: string | RegExp = loginForm,
    loginCookie = /Expires=Thu, 01 Jan 1970|Max-Age=0/,
  ) {
    const page = await response.text();
    expect({ status: response.status, title: /<h1>(.*?)<\/h1>/.exec(page)?.[1] }).toEqual({
      status,
      title,
    });
    expect(response.headers.get("Content-Type")).toContain("text/html");
    expect(page).toMatch(wayOn);
    const policy = response.headers.get("Content-Security-Policy");
    expect(policy).toMatch(new RegExp(`form-action 'self' ${env.SANDBOX_ORIGIN};`));
    expect(setCookieOf(response, "__Host-login")).toMatch(loginCookie);
    expect(page).not.toMatch(/Error \d|SpotifyError|at \w+ \(|Ordered failure|invalid_grant/);
    expect(cookieOf(response, "__Host-session")).toBe("");
    expect(await count("sessions")).toBe(0);
    expect(await count("users")).toBe(0);
  }

  const declined = "You chose not to log in, so nothing was stored.";

  test("because the musician declined leads back to the landing page, which says so", async () => {
    const login = await beginLogin();
    const callback = await decide(login, "mara-lind", "deny");
    expect(callback.searchParams.get("error")).toBe("access_denied");
    const response = await comeBack(callback, login.cookie);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/?declined"]);
    expect(setCookieOf(response, "__Host-login")).toMatch(/Expires=Thu, 01 Jan 1970|Max-Age=0/);
    expect(cookieOf(response, "__Host-session")).toBe("");
    const landing = await request("/?declined");
    expect(await landing.text()).toContain(declined);
    expect(await (await request("/")).text()).not.toContain(declined);
  });

  test("and is tried again leads where the first one was to lead", async () => {
    const musician = "petra-wolkenstein";
    await control("fail", { route: "GET /v1/me", status: 500, musician });
    const login = await beginLogin(undefined, "/account");
    const page = await (await comeBack(await decide(login, musician), login.cookie)).text();
    expect(page).toContain('<input type="hidden" name="next" value="/account"/>');
  });

  const expired = "This login has expired";

  test("because of a wrong state opens no session", async () => {
    const login = await beginLogin();
    const callback = await decide(login, "mara-lind");
    callback.searchParams.set(
      "state",
      (await beginLogin()).authorizeUrl.searchParams.get("state") ?? "",
    );
    const response = await comeBack(callback, login.cookie);
    await expectReadable(response, 400, expired, loginForm, /Max-Age=600/);
  });

  test.each(["?error=access_denied", "?error=access_denied&state=x", "?code=x&state=x"])(
    "that another site makes up (%s) leaves the one under way as it is",
    async (query) => {
      const login = await beginLogin();
      const callback = login.authorizeUrl.searchParams.get("redirect_uri") ?? "";
      const forged = await comeBack(new URL(query, callback), login.cookie);
      expect(forged.status).toBe(400);
      const kept = cookieOf(forged, "__Host-login");
      const response = await comeBack(await decide(login, "demo-new"), kept);
      expect(cookieOf(response, "__Host-session")).not.toBe("");
    },
  );

  test("because of a missing state opens no session", async () => {
    const login = await beginLogin();
    const callback = await decide(login, "mara-lind");
    callback.searchParams.delete("state");
    const response = await comeBack(callback, login.cookie);
    await expectReadable(response, 400, expired, loginForm, /Max-Age=600/);
  });

  test("because of a missing code opens no session", async () => {
    const login = await beginLogin();
    const callback = await decide(login, "mara-lind");
    callback.searchParams.delete("code");
    await expectReadable(await comeBack(callback, login.cookie), 400, expired);
  });

  test("because another browser began it opens no session", async () => {
    const callback = await decide(await beginLogin(), "mara-lind");
    await expectReadable(await comeBack(callback), 400, expired);
  });

  test("because its login cookie was altered opens no session", async () => {
    const login = await beginLogin();
    const callback = await decide(login, "mara-lind");
    const payload = login.cookie.replace(/=(.)/, (_, first) => `=${first === "e" ? "f" : "e"}`);
    await expectReadable(await comeBack(callback, payload), 400, expired);
    const signature = login.cookie.replace(/\..*/, ".no-signature-at-all");
    expect(signature).not.toBe(login.cookie);
    await expectReadable(await comeBack(callback, signature), 400, expired);
  });

  test("because the browser came back twice opens no second session", async () => {
    const login = await beginLogin();
    const callback = await decide(login, "mara-lind");
    const first = await comeBack(callback, login.cookie);
    expect(first.status).toBe(303);
    const again = await comeBack(callback, cookieOf(first, "__Host-login"));
    expect(again.status).toBe(400);
    expect(cookieOf(again, "__Host-session")).toBe("");
    expect(await count("sessions")).toBe(1);
  });

  test("because the code and cookie were used before opens no second session", async () => {
    const login = await beginLogin();
    const callback = await decide(login, "mara-lind");
    await comeBack(callback, login.cookie);
    const again = await comeBack(callback, login.cookie);
    expect(again.status).toBeGreaterThanOrEqual(400);
    expect(again.headers.get("Content-Type")).toContain("text/html");
    expect(cookieOf(again, "__Host-session")).toBe("");
    expect(await count("sessions")).toBe(1);
  });

  const unavailable = "Spotify did not complete the login";

  test.each([
    { name: "its token endpoint fails", route: "POST /api/token", status: 500 },
    { name: "its token endpoint cuts the connection", route: "POST /api/token", status: 0 },
    { name: "its token endpoint is at its rate limit", route: "POST /api/token", status: 429 },
    { name: "its profile fails", route: "GET /v1/me", status: 500 },
    { name: "its profile cuts the connection", route: "GET /v1/me", status: 0 },
    {
      name: "its profile is unreadable",
      route: "GET /v1/me",
      status: 200,
      body: "<!DOCTYPE html>",
    },
  ])("because Spotify is down ($name) asks to try again", async ({ route, status, body }) => {
    const musician = "petra-wolkenstein";
    await control("fail", { route, status, body, musician });
    await expectReadable(await logIn(musician), 502, unavailable);
  });

  test("because the musician is not on the app's user list says so, although Spotify's error is plain text", async () => {
    const response = await logIn("demo-unlisted");
    const profile = (await sandboxRequests("demo-unlisted")).find(({ path }) => path === "/v1/me");
    expect(profile).toMatchObject({ status: 403, responseBody: expect.any(String) });
    const mail = /<a class="button" href="mailto:[^"@]+@[^"@]+\?subject=/;
    await expectReadable(response, 403, "Spotify does not let you in yet", mail);
  });

  test("does not affect a session that was open before", async () => {
    const open = cookieOf(await logIn("mara-lind"), "__Host-session");
    const login = await beginLogin(open);
    await comeBack(await decide(login, "mara-lind", "deny"), login.cookie, open);
    expect((await request("/player/token", { cookie: open })).status).toBe(200);
    const stale = await comeBack(await decide(login, "mara-lind"), "", open);
    const page = await stale.text();
    expect(page).toContain("You are still logged in as before");
    expect(page).not.toContain(loginForm);
  });
});
