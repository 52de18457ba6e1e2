import { env, exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import { makeSong, makeUser } from "../../support/database/factories";
import { failingDatabase } from "../../support/faults/failing-database";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";
import { routes } from "./bad-input-world";

const musician = "wren-calloway-fox";
const displayName = "Wren Calloway-Fox";

function titleOf(page: string): string {
  return (/<title>(.*?)<\/title>/.exec(page)?.[1] ?? "").replaceAll("&amp;", "&");
}

function hasScript(page: string): boolean {
  // Structured data is for crawlers and does not run.
  return /<script(?! type="application\/ld\+json")|<link[^>]+modulepreload/i.test(page);
}

const landing = "Fivefold - promote your music for free";

test.each([
  { path: "/", title: landing },
  { path: "/?menu=addownsong", title: landing },
  { path: "/?menu=songaddedtopool", title: landing },
  { path: "/?menu=whatever", title: landing },
  { path: "/ratings-of-my-songs", title: "Ratings of my songs - Fivefold" },
  { path: "/rated", title: "Songs I rated - Fivefold" },
  { path: "/faq", title: "FAQ - Fivefold" },
  { path: "/imprint", title: "Imprint and privacy - Fivefold" },
  { path: "/numbers", title: "Numbers - Fivefold" },
  { path: "/subscription-success", title: "Your subscription - Fivefold", status: 400 },
  { path: "/login/email", title: "Log in by e-mail - Fivefold" },
  { path: "/login/code", title: "This login has expired - Fivefold", status: 400 },
  { path: "/login/link", title: "This link does not work - Fivefold", status: 403 },
  { path: "/login/name", title: "This login has expired - Fivefold", status: 400 },
])("a visitor reads $path without any script", async ({ path, title, status = 200 }) => {
  const response = await request(path);
  const page = await response.text();
  expect([response.status, titleOf(page), hasScript(page)]).toEqual([status, title, false]);
  expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(page).toMatch(/^<!DOCTYPE html><html lang="en">/);
  expect(page.match(/<h1/g)).toHaveLength(1);
});

test("a visitor is asked to log in on the ratings page, and led from the premium page home", async () => {
  const page = await (await request("/ratings-of-my-songs")).text();
  expect(page).toMatch(/Please login to get.*Only you will see your ratings\./s);
  expect(page).toMatch(/<form[^>]+action="\/login"[^>]*>/);
  const { status, headers } = await request("/subscribe");
  expect([status, headers.get("Location")]).toEqual([303, "/"]);
});

test.each([
  { path: "/", title: "Play and rate - Fivefold", scripts: true },
  { path: "/?menu=addownsong", title: "Submit a song - Fivefold", scripts: false },
  { path: "/?menu=addownsong&q=song", title: "Submit a song - Fivefold", scripts: false },
  { path: "/ratings-of-my-songs", title: "Ratings of my songs - Fivefold", scripts: true },
  { path: "/rated", title: "Songs I rated - Fivefold", scripts: true },
  { path: "/faq", title: "FAQ - Fivefold", scripts: false },
  { path: "/imprint", title: "Imprint and privacy - Fivefold", scripts: false },
  { path: "/numbers", title: "Numbers - Fivefold", scripts: false },
  { path: "/subscribe", title: "Premium - Fivefold", scripts: false },
  { path: "/login/email", title: "Log in by e-mail - Fivefold", scripts: false },
  { path: "/nowhere", title: "Nothing here - Fivefold", scripts: false, status: 404 },
])("a member reads $path", async ({ path, title, scripts, status = 200 }) => {
  const { user, cookie } = await makeMember({ displayName, musician });
  await makeSong(await makeUser());
  await makeSong(user);
  const response = await request(path, { cookie });
  const page = await response.text();
  expect([response.status, titleOf(page), hasScript(page)]).toEqual([status, title, scripts]);
  expect(page).toContain(displayName);
  expect(page).toMatch(/<form[^>]+action="\/logout"/);
});

test("a member sees the confirmation of their own submission, and of nobody else's", async () => {
  const { user, cookie } = await makeMember();
  const confirmation = async (id: string) =>
    request(`/?menu=songaddedtopool&submission=${id}`, { cookie });
  const submissionOf = async ({ id }: { id: string }) =>
    String(
      await env.DB.prepare("SELECT id FROM submissions WHERE song_id = ?").bind(id).first("id"),
    );
  const mine = await confirmation(await submissionOf(await makeSong(user)));
  expect(titleOf(await mine.text())).toBe("Song added - Fivefold");
  const others = await submissionOf(await makeSong(await makeUser()));
  for (const id of [others, "no-such-submission", ""]) {
    const { status, headers } = await confirmation(id);
    expect([status, headers.get("Location")]).toEqual([302, "/"]);
  }
});

test.each([
  ...["/no-such-page", "/_root", "/songs", "/songs/x", "/songs/x/applaud", "/faq/more"],
  ...["/.env", "/wp-login.php"],
])("%s is answered with a page that says so and links home", async (path) => {
  const { cookie } = await makeMember();
  for (const asked of [{}, { cookie }, { method: "POST" }]) {
    const response = await request(path, asked);
    const page = await response.text();
    expect([response.status, page]).toEqual([404, expect.stringContaining("Nothing here")]);
    expect(page).toMatch(/<a class="button"[^>]* href="\/">/);
    expect(hasScript(page)).toBe(false);
  }
});

test("no route refuses a program with a page, logged in or not", async () => {
  const seen = new Set<string>();
  for (const { path } of routes) {
    // Some of them end the login.
    const { cookie } = await makeMember({ musician });
    const address = `/${path.replace(/:\w+/g, "none").replace("*", "nowhere")}`;
    for (const method of ["GET", "POST", "PUT"]) {
      for (const login of [{}, { cookie }]) {
        const headers = { Accept: "application/json" };
        const response = await request(address, { method, headers, ...login });
        const { status } = response;
        if (status < 400) continue;
        seen.add(`${method} ${address} ${status} ${response.headers.get("Allow")}`);
        const asked = `${method} ${address} ${status}`;
        expect([asked, await response.json()]).toEqual([asked, { error: expect.any(String) }]);
        expect([asked, response.headers.has("Allow")]).toEqual([asked, status === 405]);
      }
    }
  }
  const expected = [
    ...["GET /nowhere", "POST /nowhere", "GET /r/none", "GET /ratings-of-my-songs/none"],
    "GET /songs/none/playlist",
  ].map((asked) => `${asked} 404 null`);
  for (const path of ["/", "/faq", "/account", "/health"]) {
    expected.push(`POST ${path} 405 GET, HEAD`);
  }
  for (const name of ["stripe", "resend"]) expected.push(`GET /webhooks/${name} 405 POST`);
  expected.push("POST /submissions 401 null");
  expect(expected.filter((one) => !seen.has(one))).toEqual([]);
  expect([...seen].filter((one) => one.includes(" 422 "))).not.toEqual([]);
});

test.each([
  { path: "/login", to: "/#login" },
  { path: "/logout", to: "/" },
  { path: "/songs/some-song/play", to: "/" },
  { path: "/songs/some-song/pass", to: "/songs/some-song/pass/reason" },
  { path: "/songs/some-song/playlist/add", to: "/songs/some-song/playlist" },
  { path: "/submissions", to: "/?menu=addownsong" },
  { path: "/checkout-session", to: "/subscribe" },
  { path: "/checkout-session/lookup", to: "/" },
  { path: "/portal-session", to: "/" },
])("a GET of $path, which takes posts alone, leads to a page", async ({ path, to }) => {
  const { cookie } = await makeMember();
  const { status, headers } = await request(path, { cookie });
  expect([status, headers.get("Location")]).toEqual([302, to]);
  expect((await request("/player/token", { cookie })).status).toBe(200);
});

test("a page without an action refuses a POST with a readable page", async () => {
  for (const path of ["/imprint", "/ratings-of-my-songs", "/subscribe", "/subscription-success"]) {
    const response = await request(path, { form: { a: "b" } });
    expect([path, response.status, await response.text()]).toEqual([
      path,
      405,
      expect.stringContaining("That did not work"),
    ]);
  }
});

test("a cancelled checkout leads home, and its address leaves no entry in the history", async () => {
  const { cookie } = await makeMember();
  for (const options of [{}, { cookie }]) {
    const { status, headers } = await request("/subscription-cancel", options);
    expect([status, headers.get("Location"), headers.has("X-Remix-Replace")]).toEqual([
      302,
      "/",
      true,
    ]);
  }
});

test("logging in and out is refused to other sites, with and without Origin, and not to the app's own pages", async () => {
  const { cookie } = await makeMember();
  for (const path of ["/login", "/logout", "/no-such-page"]) {
    for (const headers of [
      ...["https://evil.example", "http://127.0.0.1:1", "null"].map((Origin) => ({ Origin })),
      { "Sec-Fetch-Site": "cross-site" },
    ]) {
      const answer = await request(path, { cookie, form: {}, headers });
      expect([path, headers, answer.status]).toEqual([path, headers, 403]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  }
  expect((await request("/player/token", { cookie })).status).toBe(200);
  const headers = { Origin: env.APP_ORIGIN };
  expect((await request("/logout", { cookie, form: {}, headers })).status).toBe(303);
  expect((await request("/player/token", { cookie })).status).toBe(401);
});

test("health is the version, and 503 without a reason if the database does not respond", async () => {
  const bindings = { ...env, DB: failingDatabase(env.DB, () => "refused") };
  const version = expect.stringMatching(/^\d+\.\d+\.\d+$/);
  for (const [options, status, ok] of [
    [{}, 200, true],
    [{ bindings }, 503, false],
  ] as const) {
    const response = await request("/health", options);
    expect([response.status, await response.json()]).toEqual([status, { ok, version }]);
  }
});

test.each([
  ["http://fivefold.example/", 503],
  ["https://fivefold.example/health", 503],
  ["http://192.168.0.7:8787/login", 503],
  ["http://127.0.0.1.example/", 503],
  ["http://localhost:8787/health", 200],
  ["http://[::1]:8787/health", 200],
])("a development configuration answers %s with %i", async (url, status) => {
  const response = await exports.default.fetch(new Request(url));
  expect([response.status, (await response.text()).includes("development configuration")]).toEqual([
    status,
    status === 503,
  ]);
});

test("Remix's own list of routes is not given, however it is asked for", async () => {
  for (const query of ["", "?version=x&p=%2Frated", `?version=x&p=${"/a".repeat(2000)}`]) {
    expect((await request(`/__manifest${query}`)).status).toBe(404);
  }
});
