import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { readConfig } from "~/platform/env";
import { makeSong, makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { addressOf, deliver, oweRating, postsTo } from "../../support/mails";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";
import { press } from "../../support/stripe/stripe";
import { cookieOf, logIn } from "../session/login-flow";

test("every call to Spotify, Resend and Stripe names the app, and a contact", async () => {
  const musician = "thaddeus-vane";
  await control("reset", { musician });
  const cookie = cookieOf(await logIn(musician), "__Host-session");
  await request("/?menu=addownsong&q=amber", { cookie });
  await env.DB.prepare("UPDATE sessions SET token_expires_at = 0").run();
  await request("/player/token", { cookie });
  const spotify = await sandboxRequests(musician);
  expect(spotify.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /api/token",
    "GET /v1/me",
    "GET /v1/search",
    "POST /api/token",
  ]);
  const owner = await makeUser();
  await deliver([await oweRating(await makeSong(owner))]);
  const mails = await postsTo(addressOf(owner));
  const buyer = await makeMember();
  await press(buyer.cookie);
  const stripe = (await sandboxRequests(buyer.user.id)).filter(
    ({ service }) => service === "stripe",
  );

  const agents = [spotify, mails, stripe].map((calls) => [
    ...new Set(calls.map(({ headers }) => headers["user-agent"])),
  ]);
  const url = env.APP_ORIGIN;
  const own = String.raw`Fivefold/\d+\.\d+\.\d+ `;
  const escaped = (text: string) => text.replace(/[.+()]/g, "\\$&");
  const named = new RegExp(`^${own}${escaped(`(+${url}; ${readConfig(env).contactEmail})`)}`);
  // After Stripe's own library.
  const plugged = new RegExp(`^Stripe/v1 \\S+ ${own}${escaped(`(${url})`)}$`);
  expect(agents).toEqual([named, named, plugged].map((agent) => [expect.stringMatching(agent)]));
});
