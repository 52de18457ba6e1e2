/** Without Stripe's keys there is no premium, and no page, price or contract about it. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { makeOwnSong, makeRating, makeUser } from "../../support/database/factories";
import { rows } from "../../support/database/rows";
import { answers, hides, shows } from "../../support/expectations";
import { makeMember } from "../../support/login";
import { pages } from "../../support/pages";
import { request } from "../../support/request";
import { makeBuyer, stripeState } from "../../support/stripe/stripe";
import { daily, runJobs } from "../../support/worker";

const bindings = { ...env, STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "" };
const ask = (path: string, asked: Parameters<typeof request>[1] = {}) =>
  request(path, { bindings, ...asked });

const gone = [
  ...["/subscribe", "/subscription-success", "/subscription-cancel", "/cancel", "/withdraw"],
  ...["/portal-session", "/checkout-session"],
];

test.each(gone)("without Stripe's keys %s leads nowhere, for members too", async (path) => {
  const { cookie } = await makeMember();
  await answers(ask(path), 404);
  await answers(ask(path, { cookie }), 404);
  expect((await ask(path, { cookie, form: { x: "" } })).status).toBeGreaterThanOrEqual(404);
});

test("without Stripe's keys its events are not taken", async () => {
  const body = JSON.stringify({ id: "evt_1", type: "invoice.paid" });
  expect((await ask("/webhooks/stripe", { body })).status).toBeGreaterThanOrEqual(404);
});

test.each(pages.filter((path) => !gone.includes(path)))(
  "without Stripe's keys nobody reads of Premium or a price at %s",
  async (path) => {
    const { cookie } = await makeMember();
    for (const asked of [{}, { cookie }]) {
      const text = (await (await ask(path, asked)).text()).replaceAll("Spotify Premium", "");
      // Scripts and styles are the same for all.
      const read = text.replace(/<(script|style)\b.*?<\/\1>/gs, "");
      hides(read, /Fivefold Premium|USD|Upgrade|\/subscribe|\/cancel|Stripe/);
    }
  },
);

test("without Stripe's keys all ratings of a song are shown, because nobody could pay for them", async () => {
  const { user, cookie } = await makeMember();
  const song = await makeOwnSong(user);
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), song);
  const path = `/ratings-of-my-songs/${song.id}`;
  shows(await (await request(path, { cookie })).text(), "3 more ratings");
  const text = await (await ask(path, { cookie })).text();
  hides(text, "more rating", "Only premium users");
  shows(text, /5 of 5|of 5 liked it/);
});

test("where Stripe's keys were taken out, no job asks it about customers of before", async () => {
  const { user } = await makeMember();
  await makeBuyer(user);
  await runJobs(daily, bindings);
  expect(await rows("jobRuns")).toMatchObject([{ job: "subscriptions", failedAt: null }]);
});

test("where Stripe's keys were taken out, who may have paid keeps the account until Stripe can be asked", async () => {
  const { user, cookie } = await makeMember();
  const { customer } = await makeBuyer(user);
  const sure = { sure: "on" };
  await answers(ask("/account/delete", { cookie, form: sure }), 502);
  expect(await rows("users", { id: user.id })).toHaveLength(1);
  await answers(request("/account/delete", { cookie, form: sure }), 303);
  expect(await stripeState({ customer })).toMatchObject({
    subscriptions: [{ status: "canceled" }],
  });
});
