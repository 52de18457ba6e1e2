/** Whoever has no Spotify Premium learns it on the carousel, where Spotify says so at the login. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { dataOf, request } from "../../support/request";
import { cookieOf, logIn } from "./login-flow";

const noPremium =
  "Songs from Spotify play here only with Spotify Premium, which your account there does not have.";

async function open(musician: string): Promise<string> {
  return cookieOf(await logIn(musician), "__Host-session");
}

/** Whether the carousel says it, as a page and as data. */
async function isTold(cookie: string): Promise<boolean> {
  const page = await (await request("/", { cookie })).text();
  const data = await (await request(dataOf("/"), { cookie })).text();
  const isInPage = page.includes(`>${noPremium}<`);
  expect(data.includes(noPremium)).toBe(isInPage);
  return isInPage;
}

test("what Spotify says of the account at the login counts, and nothing where it says nothing", async () => {
  expect(await isTold(await open("demo-free"))).toBe(false);
  const cookie = await open("demo-nopremium");
  expect(await isTold(cookie)).toBe(true);
  // As after a login through a new app, which is not told.
  await env.DB.prepare("UPDATE sessions SET has_spotify_premium = NULL").run();
  expect(await isTold(cookie)).toBe(false);
});
