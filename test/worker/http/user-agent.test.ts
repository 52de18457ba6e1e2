import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { readConfig } from "~/platform/env";
import { makeSong, makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { addressOf, deliver, oweRating, postsTo } from "../../support/mails";
import { request } from "../../support/request";
import { control, type SandboxRequest, sandboxRequests } from "../../support/sandbox";
import { press } from "../../support/stripe/stripe";
import { cookieOf, logIn } from "../session/login-flow";

const name = /^Fivefold\/\d+\.\d+\.\d+ /;
const contact = `(+${env.APP_ORIGIN}; ${readConfig(env).contactEmail})`;

/** The distinct User-Agents of some calls. */
function agentsOf(calls: SandboxRequest[]): (string | undefined)[] {
  return [...new Set(calls.map(({ headers }) => headers["user-agent"]))];
}

test("every call to Spotify names the app and a contact address", async () => {
  const musician = "thaddeus-vane";
  await control("reset", { musician });
  const cookie = cookieOf(await logIn(musician), "__Host-session");
  await request("/?menu=addownsong&q=amber", { cookie });
  await env.DB.prepare("UPDATE sessions SET token_expires_at = 0").run();
  await request("/player/token", { cookie });
  const calls = await sandboxRequests(musician);
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /api/token",
    "GET /v1/me",
    "GET /v1/search",
    "POST /api/token",
  ]);
  expect(agentsOf(calls)).toEqual([expect.stringMatching(name)]);
  expect(agentsOf(calls)[0]).toContain(contact);
});

test("so does every call to Resend", async () => {
  const owner = await makeUser();
  await deliver([await oweRating(await makeSong(owner))]);
  const calls = await postsTo(addressOf(owner));
  expect(agentsOf(calls)).toEqual([expect.stringMatching(name)]);
  expect(agentsOf(calls)[0]).toContain(contact);
});

test("every call to Stripe names the app after Stripe's own library", async () => {
  const { user, cookie } = await makeMember();
  await press(cookie);
  const calls = (await sandboxRequests(user.id)).filter(({ service }) => service === "stripe");
  expect(calls.length).toBeGreaterThan(0);
  const url = env.APP_ORIGIN.replaceAll(".", "\\.");
  const agent = new RegExp(`^Stripe/v1 \\S+ Fivefold/\\d+\\.\\d+\\.\\d+ \\(${url}\\)$`);
  expect(agentsOf(calls)).toEqual([expect.stringMatching(agent)]);
});
