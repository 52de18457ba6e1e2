import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { trackOf } from "../../support/catalogue";
import { freePrice, makeUser } from "../../support/database/factories";
import { change, row } from "../../support/database/rows";
import { answers, hides, shows } from "../../support/expectations";
import { song, songs } from "../../support/people";
import { buyer } from "../../support/people/subscriber";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { tierIn } from "../../support/tier-badge";

const warning =
  "Your payment is past due. Please update your payment method to continue enjoying premium features.";

type Buyer = Awaited<ReturnType<typeof buyer>>;

/** A user who has paid for premium, which is not recorded yet, and twelve songs to rate. */
async function world(credits = 0): Promise<Buyer> {
  const user = await makeUser({ credits });
  await song({ owner: { user }, received: 4 });
  await songs(12);
  return buyer(user);
}

async function pageAt(path: string, { cookie }: Buyer): Promise<string> {
  const page = await (await request(path, { cookie })).text();
  return page.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
}

/** All effects of the tier, as seen in the next requests of the session. */
async function effects(buyer: Buyer) {
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
    toRate: /<p>(\d+) more, then yours/.exec(carousel)?.[1],
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

test("a webhook turns free into premium, and the end of the period turns premium into free", async () => {
  const bought = await world();
  expect(await effects(bought)).toEqual(free);
  await bought.tell("customer.subscription.created");
  expect(await effects(bought)).toEqual(premium);
  await bought.cancels("period_end");
  await bought.tell("customer.subscription.updated");
  expect(await effects(bought)).toEqual(premium);
  await bought.nextPeriod();
  await bought.tell("customer.subscription.deleted");
  expect(await effects(bought)).toEqual(free);
});

test("a failed payment keeps premium but shows a warning, until it is made good", async () => {
  const bought = await world();
  await bought.paymentFails();
  await bought.tell("invoice.payment_failed");
  expect(await effects(bought)).toEqual({ ...premium, warned: true });
  await bought.paysAfterAll();
  await bought.tell();
  expect(await effects(bought)).toEqual(premium);
});

test.each(["unpaid", "incomplete", "paused"])(
  "with a subscription that is %s the user is free, and is offered to manage it instead of buying another",
  async (status) => {
    const bought = await world();
    await bought.tell("customer.subscription.created");
    await bought.at("stripeStatus", { status });
    await bought.tell("customer.subscription.updated");
    expect(await effects(bought)).toEqual({ ...free, offered: false, managed: true });
  },
);

test("a trial is free, because the app sells none", async () => {
  const bought = await world();
  await bought.at("stripeTrialEnd");
  await bought.tell("customer.subscription.trial_will_end");
  expect(await effects(bought)).toMatchObject({ badge: "Free", requiredSeconds: 55 });
});

test("with premium, a submission costs four ratings", async () => {
  const { cookie, user, tell } = await world(4);
  const json = { trackId: trackOf("eino-kallas", 3).trackId };
  const refused = await request("/submissions", { cookie, json });
  expect([refused.status, await refused.json()]).toMatchObject([409, { remaining: freePrice - 4 }]);
  await tell();
  await answers(request("/submissions", { cookie, json }), 200);
  await row("submissions", { ownerId: user.id, spent: 4 });
});

test("a scheduled cancellation is recognised if Stripe only sets its older flag", async () => {
  const { user, record, subscriptions, tell } = await buyer();
  const [subscription] = await subscriptions();
  const told = { ...subscription, cancel_at: null, cancel_at_period_end: true };
  const body = { object: "list", data: [told], has_more: false, url: "/v1/subscriptions" };
  const route = "GET /v1/subscriptions";
  await control("fail", { musician: user.id, route, status: 200, body });
  await tell();
  const end = subscription?.items.data[0]?.current_period_end ?? 0;
  expect(await record()).toMatchObject({ status: "active", cancel_at: end * 1000 });
});

test("a scheduled cancellation is announced with its date, until it is taken back", async () => {
  const bought = await world();
  const announced = /Subscription will be cancelled on (\d+ \w+ \d{4})/;
  await bought.tell();
  hides(await pageAt("/", bought), announced);

  await bought.cancels("period_end");
  await bought.tell("customer.subscription.updated");
  const { cancel_at } = await bought.told();
  const carousel = await pageAt("/", bought);
  const [, date = ""] = announced.exec(carousel) ?? [];
  const dayOf = (time: Date) => time.toISOString().slice(0, 10);
  expect(dayOf(new Date(`${date} UTC`))).toBe(dayOf(new Date(Number(cancel_at))));
  // Above the songs, with the one button that can take it back.
  expect(carousel.search(announced)).toBeLessThan(carousel.indexOf("PLAY SONG"));
  expect(carousel.split('action="/portal-session"')).toHaveLength(2);
  for (const path of ["/subscribe", "/account", "/ratings-of-my-songs"]) {
    shows(await pageAt(path, bought), `Fivefold Premium, ends on ${date}`);
  }
  await bought.resumes();
  await bought.tell("customer.subscription.updated");
  hides(await pageAt("/", bought), announced);
});

test("the subscription page offers premium to those without it, compared with free", async () => {
  const page = await pageAt("/subscribe", await buyer());
  shows(
    page,
    /<form[^>]+action="\/checkout-session"/,
    "USD 2.99 per month",
    "34 seconds",
    "55 seconds",
  );
  hides(page, "Manage Subscription");
});

test.each([
  {
    card: "works",
    event: "invoice.paid",
    says: "Active</span> <span>Fivefold Premium, renews on ",
  },
  {
    card: "declined",
    event: "invoice.payment_failed",
    says: "Payment Required</span> <span>Fivefold Premium, payment failed on ",
  },
])(
  "the subscription page says how it stands after $event, and has the button to manage it",
  async (row) => {
    const bought = await buyer();
    await bought.at("stripeCard", { card: row.card });
    await bought.nextPeriod();
    await bought.tell(row.event);
    const page = await pageAt("/subscribe", bought);
    shows(page, `>${row.says}`, /<form[^>]+action="\/portal-session"/);
    hides(page, "/checkout-session");
  },
);

test("the subscription page offers premium again after it has ended", async () => {
  const bought = await buyer();
  await bought.cancels();
  await bought.tell("customer.subscription.deleted");
  const page = await pageAt("/subscribe", bought);
  shows(
    page,
    />Canceled<\/span> <span>Fivefold Premium ended on \d+ \w+ \d{4}/,
    /<form[^>]+action="\/checkout-session"/,
  );
});

test("with an unreadable record the user is free, and the app still works", async () => {
  const bought = await world();
  await bought.tell("checkout.session.completed");
  expect(await effects(bought)).toMatchObject({ badge: "Premium" });
  await change("subscriptions", {}, { tier: "platinum" as never });
  expect(await effects(bought)).toMatchObject({
    badge: "Free",
    requiredSeconds: 55,
    offered: true,
  });
});
