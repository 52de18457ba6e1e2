/** What the landing page says of a login that ended while a page was open. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import { createDatabase } from "~/db/client.server";
import { rowsOf } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { makeSession, type TestSession } from "../../support/login";
import { dataOf, request } from "../../support/request";
import { control } from "../../support/sandbox";

const musician = "zuleika-marchmont";
const bySpotify = "Spotify has ended your login. Please log in again.";
const neutral = "Your login has ended. Please log in again.";

/** A login whose token has expired. */
async function open(): Promise<TestSession> {
  await control("reset", { musician });
  return makeSession(await makeUser(), { musician, expiresIn: -10 });
}

/** What the landing page says to whoever has the cookie still. */
async function said({ cookie }: TestSession): Promise<string[]> {
  expect((await request("/player/token", { cookie })).status).toBe(401);
  const page = await (await request("/", { cookie })).text();
  expect(page).toContain("Promote your music for free");
  return [bySpotify, neutral].filter((sentence) => page.includes(sentence));
}

test("a login that Spotify has ended is called so, until the row is deleted", async () => {
  const session = await open();
  await control("revoke", { musician });
  expect(await said(session)).toEqual([bySpotify]);
  await purgeExpired(createDatabase(env.DB), Date.now() + 1);
  expect(await rowsOf("SELECT id FROM sessions")).toEqual([]);
  expect(await said(session)).toEqual([neutral]);
});

test("one that its user ended everywhere, from another device, is not", async () => {
  const user = await makeUser();
  const [here, other] = [await makeSession(user), await makeSession(user)];
  await request("/account/sessions/end", { cookie: other.cookie, form: {} });
  expect(await said(here)).toEqual([neutral]);
});

test("nor is one that has expired, or whose tokens we cannot read any more", async () => {
  const [expired, sealed] = [await open(), await open()];
  const update = env.DB.prepare("UPDATE sessions SET expires_at = 1 WHERE id = ?");
  await update.bind(expired.id).run();
  expect(await said(expired)).toEqual([neutral]);
  const spoil = env.DB.prepare("UPDATE sessions SET refresh_token = 'x' WHERE id = ?");
  await spoil.bind(sealed.id).run();
  const answer = await request("/player/token", { cookie: sealed.cookie });
  expect(await answer.json()).toEqual({ error: neutral });
  expect(await said(sealed)).toEqual([neutral]);
});

test("a login that Spotify has ended is none, and is not among the account's", async () => {
  const user = await makeUser();
  const ended = await makeSession(user, { musician, expiresIn: -10 });
  await control("revoke", { musician });
  const update = env.DB.prepare("UPDATE sessions SET device = 'Firefox on Linux' WHERE id = ?");
  await update.bind(ended.id).run();
  await said(ended);
  const { cookie } = await makeSession(user);
  expect(await (await request("/account", { cookie })).text()).not.toContain("Firefox on Linux");
});

/** The page that a login leads to from here. */
async function nextIn(page: Response): Promise<string | undefined> {
  return /name="next" value="([^"]*)"/.exec(await page.text())?.[1]?.replaceAll("&amp;", "&");
}

describe("where a login has ended, the next one leads back", () => {
  async function ended(): Promise<string> {
    const { cookie } = await makeSession(await makeUser());
    await env.DB.prepare("DELETE FROM sessions").run();
    return cookie;
  }

  test.each([
    "/ratings-of-my-songs",
    "/ratings-of-my-songs/x",
    "/rated",
    "/account",
    "/?menu=addownsong",
  ])("to %s, which says so", async (path) => {
    const page = await request(path, { cookie: await ended() });
    expect(await page.clone().text()).toContain(neutral);
    expect(await nextIn(page)).toBe(path);
  });

  test.each([
    ["a page", "/songs/x/playlist", "/songs/x/playlist", {}],
    [
      "a page's data",
      dataOf("/songs/x/playlist"),
      "/songs/x/playlist",
      { headers: { Accept: "*/*" } },
    ],
    [
      "the page of a form",
      "/song-mail",
      "/?menu=songaddedtopool",
      form("/?menu=songaddedtopool&rated=1"),
    ],
  ])("to %s", async (_name, path, next, options) => {
    const cookie = await ended();
    const answer = await request(path, { cookie, ...options });
    const to = answer.headers.get("Location") ?? answer.headers.get("X-Remix-Redirect") ?? "";
    const page = await request(to, { cookie });
    expect(await page.clone().text()).toContain(neutral);
    expect(await nextIn(page)).toBe(next);
  });

  function form(from: string) {
    return { form: {}, headers: { Referer: env.APP_ORIGIN + from } };
  }

  const long = `/songs/x/playlist?${"x".repeat(2000)}`;
  test.each([
    ["a page", long, {}],
    ["the page of a form", "/song-mail", form(long)],
  ])("but not to %s with an address of many letters", async (_name, path, options) => {
    const answer = await request(path, { cookie: await ended(), ...options });
    expect(answer.headers.get("Location")).toBe("/?ended");
  });

  test("a form says so too that is older than a logout elsewhere in the browser", async () => {
    const answer = await request("/song-mail", form("/?menu=songaddedtopool"));
    const page = await request(answer.headers.get("Location") ?? "");
    expect(await page.text()).toContain(neutral);
  });

  test("scripts read that it has ended", async () => {
    const answer = await request("/songs/x/favorite", { cookie: await ended(), json: {} });
    expect([answer.status, await answer.json()]).toEqual([401, { error: neutral }]);
  });
});
