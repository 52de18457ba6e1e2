import { env, exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { makePackage, makeSong, makeUser } from "../../support/database/factories";
import { failingDatabase } from "../../support/faults/failing-database";
import { makeMember, makeSession } from "../../support/login";
import { request } from "../../support/request";
import { routes } from "./bad-input-world";

const musician = "wren-calloway-fox";

/** A logged-in musician with a song to rate and a song of their own, and the owner of the former. */
async function world() {
  const viewer = await makeUser({ displayName: "Wren Calloway-Fox" });
  const owner = await makeUser({ displayName: "The Other Musician" });
  const song = await makeSong(owner, { title: "A song to rate" });
  const own = await makeSong(viewer, { title: "The viewer's own song" });
  await makePackage(viewer, [song]);
  const { cookie, accessToken, refreshToken } = await makeSession(viewer, { musician });
  return { viewer, owner, song, own, cookie, secrets: [accessToken, refreshToken] };
}

function titleOf(page: string): string {
  return (/<title>(.*?)<\/title>/.exec(page)?.[1] ?? "").replaceAll("&amp;", "&");
}

function hasScript(page: string): boolean {
  // Structured data is for crawlers and does not run.
  return (
    /<script(?! type="application\/ld\+json")/i.test(page) || /<link[^>]+modulepreload/i.test(page)
  );
}

const landing = "Fivefold - promote your music for free";

test("what cannot be done with a song is an address that leads nowhere", async () => {
  const { song, cookie } = await world();
  const path = `/songs/${song.id}/applaud`;
  for (const method of ["GET", "POST"]) {
    const answer = await request(path, { cookie, method });
    const nowhere = await request("/nowhere", { cookie, method });
    expect([answer.status, titleOf(await answer.text())]).toEqual([
      nowhere.status,
      titleOf(await nowhere.text()),
    ]);
  }
});

test("a missing page still shows who is logged in", async () => {
  const { cookie } = await makeMember({ displayName: "Lost Musician" });
  const answer = await request("/nowhere", { cookie });
  const page = await answer.text();
  expect([answer.status, page.includes("Lost Musician"), hasScript(page)]).toEqual([
    404,
    true,
    false,
  ]);
});

describe("a visitor", () => {
  test.each([
    { path: "/", title: landing },
    { path: "/?menu=addownsong", title: landing },
    { path: "/?menu=songaddedtopool", title: landing },
    { path: "/?menu=whatever", title: landing },
    { path: "/ratings-of-my-songs", title: "Ratings of my songs - Fivefold" },
    { path: "/rated", title: "Songs I rated - Fivefold" },
    { path: "/faq", title: "FAQ - Fivefold" },
    { path: "/imprint", title: "Imprint and privacy - Fivefold" },
    { path: "/subscription-success", title: "Your subscription - Fivefold", status: 400 },
    { path: "/login/email", title: "Log in by e-mail - Fivefold" },
    { path: "/login/code", title: "This login has expired - Fivefold", status: 400 },
    { path: "/login/link", title: "This link does not work - Fivefold", status: 403 },
    { path: "/login/name", title: "This login has expired - Fivefold", status: 400 },
  ])("reads $path without any script", async ({ path, title, status = 200 }) => {
    const response = await request(path);
    const page = await response.text();
    expect([response.status, titleOf(page)]).toEqual([status, title]);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(page).toMatch(/^<!DOCTYPE html><html lang="en">/);
    expect(page.match(/<h1/g)).toHaveLength(1);
    expect(hasScript(page)).toBe(false);
  });

  test("is asked to log in on the ratings page", async () => {
    const page = await (await request("/ratings-of-my-songs")).text();
    expect(page).toContain("Please login to get");
    expect(page).toContain("Only you will see your ratings.");
    expect(page).toMatch(/<form[^>]+action="\/login"[^>]*>/);
  });

  test("is redirected from the premium page to the landing page", async () => {
    const response = await request("/subscribe");
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
  });
});

describe("a logged-in user", () => {
  test.each([
    { path: "/", title: "Play and rate - Fivefold", scripts: true },
    { path: "/?menu=addownsong", title: "Submit a song - Fivefold", scripts: false },
    { path: "/?menu=addownsong&q=song", title: "Submit a song - Fivefold", scripts: false },
    { path: "/ratings-of-my-songs", title: "Ratings of my songs - Fivefold", scripts: true },
    { path: "/rated", title: "Songs I rated - Fivefold", scripts: true },
    { path: "/faq", title: "FAQ - Fivefold", scripts: false },
    { path: "/imprint", title: "Imprint and privacy - Fivefold", scripts: false },
    { path: "/subscribe", title: "Premium - Fivefold", scripts: false },
    { path: "/login/email", title: "Log in by e-mail - Fivefold", scripts: false },
  ])("reads $path", async ({ path, title, scripts }) => {
    const { cookie } = await world();
    const response = await request(path, { cookie });
    const page = await response.text();
    expect([response.status, titleOf(page)]).toEqual([200, title]);
    expect(page).toContain("Wren Calloway-Fox");
    expect(page).toMatch(/<form[^>]+action="\/logout"/);
    expect(hasScript(page)).toBe(scripts);
  });

  test("sees the confirmation of their own submission, and of nobody else's", async () => {
    const { cookie, viewer, own, song } = await world();
    const submissionOf = async (songId: string) => {
      const query = env.DB.prepare("SELECT id FROM submissions WHERE song_id = ?").bind(songId);
      return (await query.first<{ id: string }>())?.id;
    };
    expect(own.ownerId).toBe(viewer.id);
    const confirmation = (id: string | undefined) =>
      request(`/?menu=songaddedtopool&submission=${id}`, { cookie });
    const mine = await confirmation(await submissionOf(own.id));
    expect(titleOf(await mine.text())).toBe("Song added - Fivefold");
    for (const id of [await submissionOf(song.id), "no-such-submission", ""]) {
      const response = await confirmation(id);
      expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
    }
  });
});

describe("an address without a page", () => {
  test.each([
    "/no-such-page",
    "/_root",
    "/songs",
    "/songs/x",
    "/faq/more",
    "/.env",
    "/wp-login.php",
  ])("%s is answered with a page that says so and links home", async (path) => {
    const response = await request(path);
    const page = await response.text();
    expect(response.status).toBe(404);
    expect(page).toContain("Nothing here");
    expect(page).toMatch(/<a class="button"[^>]* href="\/">/);
    expect(hasScript(page)).toBe(false);
  });

  test("is 404 for a posted form too", async () => {
    expect((await request("/no-such-page", { form: { a: "b" } })).status).toBe(404);
  });
});

test.each([
  ["GET", "/no-such-page", 404],
  ["POST", "/no-such-page", 404],
  ["GET", "/r/none", 404],
  ["GET", "/ratings-of-my-songs/none", 404],
  ["GET", "/songs/none/playlist", 404],
  ["POST", "/", 405],
  ["POST", "/faq", 405],
  ["POST", "/account", 405],
  ["POST", "/health", 405],
])("to programs, %s %s is %i as JSON", async (method, path, status) => {
  const { cookie } = await world();
  const headers = { Accept: "application/json" };
  const response = await request(path, { method, headers, cookie });
  expect([response.status, await response.json()]).toEqual([status, { error: expect.any(String) }]);
  expect(response.headers.get("Allow")).toBe(status === 405 ? "GET, HEAD" : null);
});

test("no route refuses a program with a page, logged in or not", async () => {
  const { cookie } = await makeMember({ musician });
  const seen = new Set<number>();
  for (const { path } of routes) {
    const address = `/${path.replace(/:\w+/g, "none").replace("*", "nowhere")}`;
    for (const method of ["GET", "POST", "PUT"]) {
      for (const login of [{}, { cookie }]) {
        const headers = { Accept: "application/json" };
        const response = await request(address, { method, headers, ...login });
        const { status } = response;
        seen.add(status);
        if (status < 400) continue;
        const asked = `${method} ${address} ${status}`;
        expect([asked, await response.json()]).toEqual([asked, { error: expect.any(String) }]);
        expect([asked, response.headers.has("Allow")]).toEqual([asked, status === 405]);
      }
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining([401, 404, 405, 422]));
});

describe("a route that only accepts POST", () => {
  test.each([
    { path: "/login", to: "/#login" },
    { path: "/logout", to: "/" },
    { path: "/songs/some-song/play", to: "/" },
    { path: "/songs/some-song/listened", to: "/" },
    { path: "/songs/some-song/rating", to: "/" },
    { path: "/songs/some-song/favorite", to: "/" },
    { path: "/songs/some-song/unfavorite", to: "/" },
    { path: "/songs/some-song/pass", to: "/songs/some-song/pass/reason" },
    { path: "/songs/some-song/playlist/add", to: "/songs/some-song/playlist" },
    { path: "/submissions", to: "/?menu=addownsong" },
    { path: "/checkout-session", to: "/subscribe" },
    { path: "/checkout-session/lookup", to: "/" },
    { path: "/portal-session", to: "/" },
  ])("redirects a GET of $path and does nothing", async ({ path, to }) => {
    const { cookie } = await world();
    const response = await request(path, { cookie });
    expect([response.status, response.headers.get("Location")]).toEqual([302, to]);
    expect((await request("/player/token", { cookie })).status).toBe(200);
  });

  test.each(["stripe", "resend"])("refuses a GET of the webhook of %s", async (name) => {
    const response = await request(`/webhooks/${name}`);
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "POST"]);
    expect(await response.json()).toEqual({ error: "Events are posted here." });
  });

  test("a page without an action refuses a POST with a readable page", async () => {
    for (const path of [
      "/",
      "/faq",
      "/imprint",
      "/ratings-of-my-songs",
      "/subscribe",
      "/subscription-success",
    ]) {
      const response = await request(path, { form: { a: "b" } });
      expect([path, response.status]).toEqual([path, 405]);
      expect(await response.text()).toContain("That did not work");
    }
  });
});

test("a cancelled checkout leads home, and its address leaves no entry in the history", async () => {
  const { cookie } = await world();
  for (const options of [{}, { cookie }]) {
    const response = await request("/subscription-cancel", options);
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
    expect(response.headers.has("X-Remix-Replace")).toBe(true);
  }
});

describe("a post from another site", () => {
  const posts = [
    "/login",
    "/logout",
    "/songs/x/play",
    "/songs/x/listened",
    "/songs/x/rating",
    "/songs/x/favorite",
    "/songs/x/unfavorite",
    "/songs/x/pass",
    "/songs/x/playlist/add",
    "/submissions",
    "/checkout-session",
    "/checkout-session/lookup",
    "/portal-session",
    "/webhooks/stripe",
    "/webhooks/resend",
    "/no-such-page",
  ];
  test.each(posts)("to %s is refused before anything else", async (path) => {
    const { cookie } = await world();
    for (const origin of ["https://evil.example", "http://127.0.0.1:1", "null"]) {
      const headers = { Origin: origin };
      const response = await request(path, { cookie, form: { score: "1" }, headers });
      expect([origin, response.status]).toEqual([origin, 403]);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect((await request("/player/token", { cookie })).status).toBe(200);
  });

  test("is refused if the browser marks it as cross-site without naming the site", async () => {
    const headers = { "Sec-Fetch-Site": "cross-site" };
    expect((await request("/logout", { method: "POST", headers })).status).toBe(403);
  });

  test("is refused, but one from the app's own pages is accepted", async () => {
    const { cookie } = await world();
    const headers = { Origin: env.APP_ORIGIN };
    expect((await request("/logout", { cookie, form: {}, headers })).status).toBe(303);
    expect((await request("/player/token", { cookie })).status).toBe(401);
  });
});

describe("health", () => {
  test("responds with the version if the database responds", async () => {
    const response = await request("/health");
    expect([response.status, await response.json()]).toEqual([
      200,
      { ok: true, version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    ]);
  });

  test("is 503 without a reason if the database does not respond", async () => {
    const bindings = { ...env, DB: failingDatabase(env.DB, () => "refused") };
    const response = await request("/health", { bindings });
    expect([response.status, await response.json()]).toEqual([
      503,
      { ok: false, version: expect.any(String) },
    ]);
  });
});

describe("a development configuration", () => {
  test.each([
    "http://fivefold.example/",
    "https://fivefold.example/health",
    "http://192.168.0.7:8787/login",
    "http://127.0.0.1.example/",
  ])("does not serve the app at %s", async (url) => {
    const response = await exports.default.fetch(new Request(url));
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("development configuration");
  });

  test.each(["http://localhost:8787/health", "http://[::1]:8787/health"])(
    "serves the app at %s",
    async (url) => {
      expect((await exports.default.fetch(new Request(url))).status).toBe(200);
    },
  );
});

test("Remix's own list of routes is not given, however it is asked for", async () => {
  const ask = (query: string) => request(`/__manifest${query}`);
  expect((await ask("")).status).toBe(404);
  expect((await ask("?version=x&p=%2Fratings-of-my-songs")).status).toBe(404);
  expect((await ask(`?version=x&p=${"/a".repeat(2000)}`)).status).toBe(404);
});
