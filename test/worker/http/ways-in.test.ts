/** What is open follows from the configuration: with Spotify's keys both ways in, without them e-mail alone. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { makeUser } from "../../support/database/factories";
import { makeEmailMember, makeSession } from "../../support/login";
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

/** A request to a product without Spotify. */
function ask(path: string, asked: Parameters<typeof request>[1] = {}): Promise<Response> {
  return request(path, { bindings: { ...withoutSpotify }, ...asked });
}

async function textOf(asked: Promise<Response>): Promise<string> {
  return (await asked).text();
}

/** Whatever names Spotify in an answer, in its headers too. */
async function namedIn(response: Response): Promise<string[]> {
  const told = `${JSON.stringify([...response.headers])}\n${await response.text()}`;
  return told.match(/.{0,40}(?:spotify|scdn).{0,20}/gi) ?? [];
}

test.each([...pages, "/?ended", "/?declined", "/login", "/sitemap.xml", "/robots.txt"])(
  "without Spotify's keys nobody reads anything of Spotify at %s, nor a member in its headers",
  async (path) => {
    const response = await ask(path);
    const named = await namedIn(response);
    expect(named.filter((part) => !part.includes("/auth/spotify/callback"))).toEqual([]);
    const { status, headers } = await ask(path, { cookie: (await makeEmailMember()).cookie });
    expect(Math.max(status, response.status)).toBeLessThan(500);
    expect(JSON.stringify([...headers])).not.toMatch(/spotify|scdn/i);
  },
);

test.each(["/faq", "/imprint", "/subscription-success?session_id=none", "/unsubscribe?token=x"])(
  "without Spotify's keys a member reads nothing of Spotify at %s",
  async (path) => {
    expect(await namedIn(await ask(path, { cookie: (await makeEmailMember()).cookie }))).toEqual(
      [],
    );
  },
);

test.each([
  ["/", ""],
  ["/faq", ""],
  ["/account", "?next=%2Faccount"],
  ["/rated", "?next=%2Frated"],
  ["/ratings-of-my-songs", "?next=%2Fratings-of-my-songs"],
])("without Spotify's keys the button at %s leads to the login by e-mail", async (path, next) => {
  const page = await textOf(ask(path));
  expect(page).toContain("Log in with your e-mail</a>");
  expect(page).toContain(`href="/login/email${next}"`);
  expect(page).not.toContain('action="/login"');
});

test("without Spotify's keys its login, its way back and its permission lead on, and are no fault", async () => {
  const { status, headers } = await ask("/login", { form: { next: "/rated" } });
  expect([status, headers.get("Location")]).toEqual([303, "/login/email?next=%2Frated"]);
  expect(headers.has("Set-Cookie")).toBe(false);
  const back = await ask("/auth/spotify/callback?code=x&state=y");
  expect(back.status).toBe(400);
  expect(back.headers.get("Content-Security-Policy")).not.toContain("spotify");
  expect(await back.text()).toContain('href="/login/email"');
  const { cookie } = await makeEmailMember();
  const permission = await ask("/playlists/permission", { cookie, form: { next: "/rated" } });
  expect(permission.status).toBeLessThan(500);
});

test("without Spotify's keys programs are told to log in, by no vendor's name", async () => {
  const response = await ask("/submissions", { json: { trackId: "x" } });
  expect([response.status, await response.json()]).toEqual([401, { error: "Log in first" }]);
});

test("without Spotify's keys and uploads, no question is about them", async () => {
  expect(await textOf(ask("/faq"))).toContain("that is not out yet?");
  const closed = await textOf(ask("/faq", { bindings: { ...withoutSpotify, UPLOADS: "off" } }));
  expect(closed).not.toMatch(/that is not out yet\?|upload/);
  expect(closed).toContain("Then choose a song of yours, and submit it.");
});

test("without Spotify's keys structured data has exactly the questions of the FAQ", async () => {
  const page = await textOf(ask("/faq"));
  const shown = [...page.matchAll(/<summary><h2>(.*?)<\/h2>/g)].map(([, question]) => question);
  const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  const { mainEntity } = JSON.parse(data) as { mainEntity: { name: string }[] };
  expect(mainEntity.map(({ name }) => name)).toEqual(shown);
  expect(shown).toHaveLength(10);
});

test.each(["/", "/faq", "/account", "/rated", "/ratings-of-my-songs", "/auth/spotify/callback"])(
  "with Spotify's keys %s offers Spotify first, e-mail below, and says what Spotify will ask for",
  async (path) => {
    const [form = ""] = /<form class="login".*?<\/form>/s.exec(await textOf(request(path))) ?? [];
    expect(form).toMatch(
      /Log in with Spotify Premium.*\/login\/email.*Spotify will ask you whether/s,
    );
  },
);

test("with Spotify's keys both ways lead to where the login was asked for", async () => {
  const page = await textOf(request("/rated"));
  expect(page).toContain('name="next" value="/rated"');
  expect(page).toContain('href="/login/email?next=%2Frated"');
});

test("the menu has a login for visitors alone, which leads to the buttons", async () => {
  const entry = 'href="/login">Log in</a>';
  expect(await textOf(request("/imprint"))).toContain(entry);
  const { cookie } = await makeSession(await makeUser());
  expect(await textOf(request("/imprint", { cookie }))).not.toContain(entry);
  expect(await textOf(request("/"))).toContain('id="login"');
});
