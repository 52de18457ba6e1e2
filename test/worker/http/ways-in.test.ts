/** What is open follows from the configuration: with Spotify's keys both ways in, without them e-mail alone. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { makeUser, unique } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { pages } from "../../support/pages";
import { request } from "../../support/request";

const withoutSpotify = {
  ...env,
  SPOTIFY_CLIENT_ID: "",
  SPOTIFY_CLIENT_SECRET: "",
  SPOTIFY_CLIENT_ID_2: "",
  SPOTIFY_CLIENT_SECRET_2: "",
  // So that what comes from them can be told from the other stand-ins'.
  SPOTIFY_ACCOUNTS_URL: "https://accounts.spotify.test",
  SPOTIFY_API_URL: "https://api.spotify.test",
  SPOTIFY_SDK_URL: "https://sdk.spotify.test/player.js",
  SPOTIFY_OPEN_URL: "https://open.spotify.test",
  SPOTIFY_IMAGE_ORIGINS: "https://images.spotify.test",
};
type Asked = Parameters<typeof request>[1];

/** A request to a product without Spotify. */
function ask(path: string, asked: Asked = {}): Promise<Response> {
  return request(path, { bindings: { ...withoutSpotify }, ...asked });
}

/** Whatever names Spotify in an answer, in its headers too. */
async function namedIn(response: Response): Promise<string[]> {
  const told = `${JSON.stringify([...response.headers])}\n${await response.text()}`;
  return told.match(/.{0,40}(?:spotify|scdn).{0,20}/gi) ?? [];
}

async function makeMemberByEmail(): Promise<string> {
  const user = await makeUser({ ownEmail: `${unique("mona")}@musicians.example` });
  const { cookie } = await makeSession(user);
  await env.DB.prepare("UPDATE users SET spotify_id = NULL, email = NULL WHERE id = ?")
    .bind(user.id)
    .run();
  await env.DB.prepare(
    `UPDATE sessions SET way = 'email', client_id = NULL, access_token = NULL, refresh_token = NULL,
       token_expires_at = NULL WHERE user_id = ?`,
  )
    .bind(user.id)
    .run();
  return cookie;
}

describe("without Spotify's keys", () => {
  test.each([...pages, "/?ended", "/?declined", "/login", "/sitemap.xml", "/robots.txt"])(
    "a visitor reads nothing of Spotify at %s",
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBeLessThan(500);
      const named = await namedIn(response);
      expect(named.filter((part) => !part.includes("/auth/spotify/callback"))).toEqual([]);
    },
  );

  test.each(["/", "/faq", "/account", "/rated", "/ratings-of-my-songs"])(
    "the button at %s leads to the login by e-mail",
    async (path) => {
      const page = await (await ask(path)).text();
      expect(page).toContain("Log in with your e-mail</a>");
      const next = path === "/" || path === "/faq" ? "" : `?next=${encodeURIComponent(path)}`;
      expect(page).toContain(`href="/login/email${next}"`);
      expect(page).not.toContain('action="/login"');
    },
  );

  test.each(pages)("%s of a member names no host of Spotify in its headers", async (path) => {
    const { status, headers } = await ask(path, { cookie: await makeMemberByEmail() });
    expect(status).toBeLessThan(500);
    expect(JSON.stringify([...headers])).not.toMatch(/spotify|scdn/i);
  });

  test.each(["/faq", "/imprint", "/subscription-success?session_id=none", "/unsubscribe?token=x"])(
    "a member reads nothing of Spotify at %s",
    async (path) => {
      expect(await namedIn(await ask(path, { cookie: await makeMemberByEmail() }))).toEqual([]);
    },
  );

  test("the login by Spotify, pressed in an old page, leads to the one by e-mail", async () => {
    const { status, headers } = await ask("/login", { form: { next: "/rated" } });
    expect([status, headers.get("Location")]).toEqual([303, "/login/email?next=%2Frated"]);
    expect(headers.has("Set-Cookie")).toBe(false);
  });

  test("what comes back from Spotify gets a page that leads on", async () => {
    const response = await ask("/auth/spotify/callback?code=x&state=y");
    expect(response.status).toBe(400);
    expect(response.headers.get("Content-Security-Policy")).not.toContain("spotify");
    expect(await response.text()).toContain('href="/login/email"');
  });

  test("a permission of Spotify's cannot be asked for, and is no fault", async () => {
    const cookie = await makeMemberByEmail();
    const { status } = await ask("/playlists/permission", { cookie, form: { next: "/rated" } });
    expect(status).toBeLessThan(500);
  });

  test("programs are told to log in, by no vendor's name", async () => {
    const response = await ask("/submissions", { json: { trackId: "x" } });
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: "Please log in first" },
    ]);
  });

  test("while uploads are closed, no question is about them", async () => {
    const asked = async (bindings: object) => (await ask("/faq", { bindings })).text();
    expect(await asked(withoutSpotify)).toContain("that is not out yet?");
    const closed = await asked({ ...withoutSpotify, UPLOADS: "off" });
    expect(closed).not.toMatch(/that is not out yet\?|upload/);
    expect(closed).toContain("Then choose a song of yours, and submit it.");
  });

  test("structured data has exactly the questions of the FAQ", async () => {
    const page = await (await ask("/faq")).text();
    const shown = [...page.matchAll(/<summary><h2>(.*?)<\/h2>/g)].map(([, question]) => question);
    const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
    const { mainEntity } = JSON.parse(data) as { mainEntity: { name: string }[] };
    expect(mainEntity.map(({ name }) => name)).toEqual(shown);
    expect(shown).toHaveLength(7);
  });
});

describe("with Spotify's keys", () => {
  test.each(["/", "/faq", "/account", "/rated", "/ratings-of-my-songs", "/auth/spotify/callback"])(
    "%s offers Spotify first, e-mail below, and says what Spotify will ask for",
    async (path) => {
      const page = await (await request(path)).text();
      const [form = ""] = /<form class="login".*?<\/form>/s.exec(page) ?? [];
      const parts = ["Log in with Spotify Premium", "/login/email", "Spotify will ask you whether"];
      const places = parts.map((part) => form.indexOf(part));
      expect(places).not.toContain(-1);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    },
  );

  test("both ways lead to where the login was asked for", async () => {
    const page = await (await request("/rated")).text();
    expect(page).toContain('name="next" value="/rated"');
    expect(page).toContain('href="/login/email?next=%2Frated"');
  });

  test("the menu has a login for visitors alone, which leads to the buttons", async () => {
    const entry = 'href="/login">Log in</a>';
    expect(await (await request("/imprint")).text()).toContain(entry);
    const { cookie } = await makeSession(await makeUser());
    expect(await (await request("/imprint", { cookie })).text()).not.toContain(entry);
    expect((await request("/login")).headers.get("Location")).toBe("/#login");
    expect(await (await request("/")).text()).toContain('id="login"');
  });
});
