/** What the landing page says of a login that ended while a page was open. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import { counts, gives, hides, led, shows, tells } from "../../support/answers";
import { change, db } from "../../support/database/rows";
import { type Someone, someone } from "../../support/people";
import { browser } from "../../support/people/logins";
import { dataOf } from "../../support/request";
import { control } from "../../support/sandbox";

const musician = "zuleika-marchmont";
const bySpotify = "Spotify has ended your login. Log in again.";
const neutral = "Your login has ended. Log in again.";

/** A login whose token has expired. */
async function open(): Promise<Someone> {
  await control("reset", { musician });
  const who = await someone({ musician, expiresIn: -10 });
  await who.login();
  return who;
}

/** What the landing page says to whoever has the cookie still. */
async function said(who: Someone): Promise<string[]> {
  await gives(who.gets("/player/token"), 401);
  const page = await shows(who, "/", "Promote your music for free");
  return [bySpotify, neutral].filter((sentence) => page.includes(sentence));
}

test("a login that Spotify has ended is called so until its row is deleted, and is not among the account's", async () => {
  const who = await open();
  await control("revoke", { musician });
  await change("sessions", {}, { device: "Firefox on Linux" });
  expect(await said(who)).toEqual([bySpotify]);
  const other = await someone({ user: who.user });
  await hides(other, "/account", "Firefox on Linux");
  await purgeExpired(db, Date.now() + 1);
  await counts("sessions", 1);
  expect(await said(who)).toEqual([neutral]);
});

test("a login that ended in another way is not said to have been ended by Spotify", async () => {
  const here = await open();
  const other = await someone({ user: here.user });
  await other.posts("/account/sessions/end");
  expect(await said(here)).toEqual([neutral]);
  const [expired, sealed] = [await open(), await open()];
  await change("sessions", { userId: expired.id }, { expiresAt: 1 });
  expect(await said(expired)).toEqual([neutral]);
  // Its tokens cannot be read any more.
  await change("sessions", { userId: sealed.id }, { refreshToken: "x" });
  expect(await (await sealed.gets("/player/token")).json()).toEqual({ error: neutral });
  expect(await said(sealed)).toEqual([neutral]);
});

/** Somebody whose login has ended. */
async function ended(): Promise<Someone> {
  const who = await open();
  await env.DB.prepare("DELETE FROM sessions").run();
  return who;
}

/** The page that a login leads to from here, which says that one has ended. */
async function nextFrom(who: Pick<Someone, "reads">, path: string): Promise<string | undefined> {
  const page = await shows(who, path, neutral);
  return /name="next" value="([^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
}

const pages = ["/ratings-of-my-songs", "/ratings-of-my-songs/x", "/rated", "/account"];
test.each([...pages, "/?menu=addownsong"])(
  "where a login has ended, the next one leads back to %s, which says so",
  async (path) => expect(await nextFrom(await ended(), path)).toBe(path),
);

const form = (from: string) => ({ form: {}, headers: { Referer: env.APP_ORIGIN + from } });
const list = "/songs/x/playlist";
test.each([
  ["a page", list, list, {}],
  ["a page's data", dataOf(list), list, { headers: { Accept: "*/*" } }],
  [
    "the page of a form",
    "/song-mail",
    "/?menu=songaddedtopool",
    form("/?menu=songaddedtopool&rated=1"),
  ],
])("where a login has ended, the next one leads back to %s", async (_name, path, next, asked) => {
  const who = await ended();
  const { headers } = await who.gets(path, asked);
  const to = headers.get("Location") ?? headers.get("X-Remix-Redirect") ?? "";
  expect(await nextFrom(who, to)).toBe(next);
});

const long = `/songs/x/playlist?${"x".repeat(2000)}`;
test.each([
  ["a page", long, {}],
  ["the page of a form", "/song-mail", form(long)],
])("a login leads not back to %s with an address of many letters", async (_, path, asked) => {
  expect(led(await (await ended()).gets(path, asked))[1]).toBe("/?ended");
});

test("a form says that the login has ended too that is older than a logout elsewhere in the browser", async () => {
  const answer = await browser().gets("/song-mail", form("/?menu=songaddedtopool"));
  await shows(browser(), led(answer)[1] ?? "", neutral);
});

test("scripts read that the login has ended", async () => {
  await tells((await ended()).sends("/songs/x/favorite"), 401, { error: neutral });
});
