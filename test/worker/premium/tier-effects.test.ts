import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import {
  freePrice,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
} from "../../support/database/factories";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import {
  type Buyer,
  deliver,
  eventOf,
  makeBuyer,
  recordOf,
  stripeState,
} from "../../support/stripe/stripe";
import { tierIn } from "../../support/tier-badge";

const warning =
  "Your payment is past due. Please update your payment method to continue enjoying premium features.";

interface World extends Buyer {
  song: TestSong;
}

/** A user who has paid for premium, which is not recorded yet, and twelve songs to rate. */
async function world(credits = 0): Promise<World> {
  const user = await makeUser({ credits });
  const own = await makeSong(user);
  for (let n = 0; n < 4; n += 1) await makeRating(await makeUser(), own);
  for (let n = 0; n < 11; n += 1) await makeSong(await makeUser());
  const song = await makeSong(await makeUser());
  return { ...(await makeBuyer(user)), song };
}

/** Delivers the newest event of a type. */
async function tell({ customer }: Buyer, type: string): Promise<void> {
  expect((await deliver(await eventOf(customer, type))).status).toBe(200);
}

async function pageAt(path: string, { cookie }: Buyer): Promise<string> {
  const page = await (await request(path, { cookie })).text();
  return page.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
}

/** All effects of the tier, as seen in the next requests of the session. */
async function effects(buyer: World) {
  // So that the carousel draws again, and Spotify is not asked about a song begun before.
  await env.DB.batch(
    ["packages", "listens"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
  const carousel = await pageAt("/", buyer);
  const songs = [...carousel.matchAll(/id="song-([^"]+)"/g)].map((match) => match[1]);
  const { cookie } = buyer;
  const play = await request(`/songs/${songs[0]}/play`, { cookie, json: { deviceId: "browser" } });
  const { requiredSeconds } = await play.json<{ requiredSeconds: number }>();
  const ratings = await pageAt("/ratings-of-my-songs", buyer);
  return {
    badge: tierIn(carousel),
    packageSize: songs.length,
    toRate: /(\d+) songs? to rate before/.exec(carousel)?.[1],
    requiredSeconds,
    ratingsShown: ratings.match(/<li>.+?<time/g)?.length,
    locked: ratings.includes("Only premium users can see all ratings"),
    offered: carousel.includes("Upgrade to Premium"),
    waits: /You can rate after (\d+) seconds/.exec(carousel)?.[1],
    managed: carousel.includes('action="/portal-session"'),
    warned: carousel.includes(warning) && ratings.includes(warning),
  };
}

const free = {
  badge: "Free",
  packageSize: 5,
  toRate: String(freePrice),
  requiredSeconds: 55,
  ratingsShown: 2,
  locked: true,
  offered: true,
  waits: "55",
  managed: false,
  warned: false,
};
const premium = {
  badge: "Premium",
  packageSize: 4,
  toRate: "4",
  requiredSeconds: 34,
  ratingsShown: 4,
  locked: false,
  offered: false,
  waits: "34",
  managed: true,
  warned: false,
};

describe("in the next request of the session", () => {
  test("a webhook turns free into premium, and the end of the period turns premium into free", async () => {
    const buyer = await world();
    expect(await effects(buyer)).toEqual(free);
    await tell(buyer, "customer.subscription.created");
    expect(await effects(buyer)).toEqual(premium);

    await control("stripeCancel", { customer: buyer.customer, at: "period_end" });
    await tell(buyer, "customer.subscription.updated");
    expect(await effects(buyer)).toEqual(premium);
    await control("stripePeriod", { customer: buyer.customer });
    await tell(buyer, "customer.subscription.deleted");
    expect(await effects(buyer)).toEqual(free);
  });

  test("a failed payment keeps premium but shows a warning, until it is made good", async () => {
    const buyer = await world();
    const { customer } = buyer;
    await control("stripeCard", { customer, card: "declined" });
    await control("stripePeriod", { customer });
    await tell(buyer, "invoice.payment_failed");
    expect(await effects(buyer)).toEqual({ ...premium, warned: true });
    await control("stripeCard", { customer, card: "works" });
    await control("stripePayInvoice", { customer });
    await tell(buyer, "invoice.paid");
    expect(await effects(buyer)).toEqual(premium);
  });

  test.each(["unpaid", "incomplete", "paused"])(
    "with a subscription that is %s the user is free, and is offered to manage it instead of buying another",
    async (status) => {
      const buyer = await world();
      await tell(buyer, "customer.subscription.created");
      await control("stripeStatus", { customer: buyer.customer, status });
      await tell(buyer, "customer.subscription.updated");
      expect(await effects(buyer)).toEqual({ ...free, offered: false, managed: true });
    },
  );

  test("a trial is free, because the app sells none", async () => {
    const buyer = await world();
    await control("stripeTrialEnd", { customer: buyer.customer });
    await tell(buyer, "customer.subscription.trial_will_end");
    expect(await effects(buyer)).toMatchObject({ badge: "Free", requiredSeconds: 55 });
  });
});

test("with premium, a submission costs four ratings", async () => {
  const buyer = await world(4);
  const { cookie, user } = buyer;
  const json = { trackId: trackOf("eino-kallas", 3).trackId };
  const refused = await request("/submissions", { cookie, json });
  expect([refused.status, await refused.json()]).toMatchObject([409, { remaining: freePrice - 4 }]);
  await tell(buyer, "invoice.paid");
  expect((await request("/submissions", { cookie, json })).status).toBe(200);
  const sql = "SELECT spent FROM submissions WHERE owner_id = ? AND spent > 0";
  expect(await rowsOf(sql, user.id)).toEqual([{ spent: 4 }]);
});

describe("a scheduled cancellation", () => {
  test("is recognised if Stripe only sets its older flag", async () => {
    const buyer = await makeBuyer(await makeUser());
    const { user, customer } = buyer;
    const [subscription] = (await stripeState({ customer })).subscriptions;
    const told = { ...subscription, cancel_at: null, cancel_at_period_end: true };
    const body = { object: "list", data: [told], has_more: false, url: "/v1/subscriptions" };
    const route = "GET /v1/subscriptions";
    await control("fail", { musician: user.id, route, status: 200, body });
    await tell(buyer, "invoice.paid");
    const end = subscription?.items.data[0]?.current_period_end ?? 0;
    expect(await recordOf(user)).toMatchObject({ status: "active", cancel_at: end * 1000 });
  });

  test("is announced with its date, until it is taken back", async () => {
    const buyer = await world();
    const { customer } = buyer;
    const announced = /Subscription will be cancelled on (\d+ \w+ \d{4})/;
    await tell(buyer, "invoice.paid");
    expect(await pageAt("/", buyer)).not.toMatch(announced);

    type Answer = { subscription: { cancel_at: number } };
    const { subscription } = await control<Answer>("stripeCancel", { customer, at: "period_end" });
    await tell(buyer, "customer.subscription.updated");
    const day = new Date(subscription.cancel_at * 1000).toISOString().slice(0, 10);
    const carousel = await pageAt("/", buyer);
    const [, date = ""] = announced.exec(carousel) ?? [];
    expect(new Date(`${date} UTC`).toISOString().slice(0, 10)).toBe(day);
    // Above the songs, with the one button that can take it back.
    expect(carousel.search(announced)).toBeLessThan(carousel.indexOf("PLAY SONG"));
    expect(carousel.split('action="/portal-session"')).toHaveLength(2);
    for (const path of ["/subscribe", "/account", "/ratings-of-my-songs"]) {
      expect(await pageAt(path, buyer)).toContain(`Fivefold Premium, ends on ${date}`);
    }
    await control("stripeResume", { customer });
    await tell(buyer, "customer.subscription.updated");
    expect(await pageAt("/", buyer)).not.toMatch(announced);
  });
});

describe("the subscription page", () => {
  test("offers premium to those without it, compared with free", async () => {
    const buyer = await makeBuyer(await makeUser());
    const page = await pageAt("/subscribe", buyer);
    expect(page).toMatch(/<form[^>]+action="\/checkout-session"/);
    for (const text of ["USD 2.99 per month", "34 seconds", "55 seconds"]) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain("Manage Subscription");
  });

  test.each([
    {
      order: "stripePeriod",
      card: "works",
      event: "invoice.paid",
      label: "Active",
      line: "Fivefold Premium, renews on ",
    },
    {
      order: "stripePeriod",
      card: "declined",
      event: "invoice.payment_failed",
      label: "Payment Required",
      line: "Fivefold Premium, payment failed on ",
    },
  ])("says $label after $event, and has the button to manage it", async (row) => {
    const buyer = await makeBuyer(await makeUser());
    const { customer } = buyer;
    await control("stripeCard", { customer, card: row.card });
    await control(row.order, { customer });
    await tell(buyer, row.event);
    const page = await pageAt("/subscribe", buyer);
    expect(page).toContain(`>${row.label}</span> <span>${row.line}`);
    expect(page).toMatch(/<form[^>]+action="\/portal-session"/);
    expect(page).not.toContain("/checkout-session");
  });

  test("offers premium again after it has ended", async () => {
    const buyer = await makeBuyer(await makeUser());
    await control("stripeCancel", { customer: buyer.customer, at: "now" });
    await tell(buyer, "customer.subscription.deleted");
    const page = await pageAt("/subscribe", buyer);
    expect(page).toMatch(/>Canceled<\/span> <span>Fivefold Premium ended on \d+ \w+ \d{4}/);
    expect(page).toMatch(/<form[^>]+action="\/checkout-session"/);
  });
});

test("with an unreadable record the user is free, and the app still works", async () => {
  const buyer = await world();
  await tell(buyer, "checkout.session.completed");
  expect(await effects(buyer)).toMatchObject({ badge: "Premium" });
  await env.DB.prepare("UPDATE subscriptions SET tier = 'platinum' WHERE user_id = ?")
    .bind(buyer.user.id)
    .run();
  expect(await effects(buyer)).toMatchObject({ badge: "Free", requiredSeconds: 55, offered: true });
});
