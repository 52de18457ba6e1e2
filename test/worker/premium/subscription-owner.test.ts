import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { removeAddress } from "~/domain/contact/address.server";
import { contents } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { askToConfirm } from "../../support/mails";
import { control } from "../../support/sandbox";
import {
  deliver,
  eventOf,
  eventsOf,
  freeEmail,
  makeBuyer,
  pay,
  recordOf,
  stripeApi,
  subscribeByHand,
  toldByStripe,
} from "../../support/stripe/stripe";

/** Lets the product know how a customer stands. */
async function tell(customer: string, type = "invoice.paid"): Promise<void> {
  const { status } = await deliver(await eventOf(customer, type));
  if (status !== 200) throw new Error(`${type} was answered ${status}`);
}

describe("a subscription made without the product", () => {
  test("is that of the user of its address, however that is written", async () => {
    const email = freeEmail();
    const user = await makeUser({ ownEmail: `Ines.${email}` });
    const other = await makeUser({ ownEmail: email });
    const { customer } = await subscribeByHand(`iNES.${email.toUpperCase()}`);
    await tell(customer);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    expect(await recordOf(other)).toBeNull();
  });

  test("is nobody's where its address is known by Spotify's word alone, or asked for but not confirmed", async () => {
    const email = freeEmail();
    const [told, asking] = [await makeUser({ email }), await makeUser()];
    await askToConfirm(asking.id, email);
    const { customer } = await subscribeByHand(email);
    const before = await contents();
    await tell(customer);
    expect(await contents()).toEqual(before);
    expect([await recordOf(told), await recordOf(asking)]).toEqual([null, null]);
  });

  test("is nobody's where two users share the address, or none has it", async () => {
    const email = freeEmail();
    await makeUser({ ownEmail: email });
    await makeUser({ ownEmail: email.toUpperCase() });
    await makeUser({ email: null });
    for (const address of [email, freeEmail()]) {
      const { customer } = await subscribeByHand(address);
      const before = await contents();
      await tell(customer);
      expect(await contents()).toEqual(before);
    }
  });

  test("is found when its user comes later, and an event after that", async () => {
    const email = freeEmail();
    const { customer } = await subscribeByHand(email);
    await tell(customer);
    const user = await makeUser({ ownEmail: email });
    await tell(customer);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("is that of the user whom the customer was made for, not of who has the address", async () => {
    const email = freeEmail();
    const [named, addressed] = [await makeUser(), await makeUser({ ownEmail: email })];
    const { customer } = await subscribeByHand(email, { userId: named.id });
    await tell(customer);
    expect([await recordOf(named), await recordOf(addressed)]).toEqual([
      await toldByStripe(customer),
      null,
    ]);
  });

  test("stays with the user it is known for when another one takes the address", async () => {
    const email = freeEmail();
    const user = await makeUser({ ownEmail: email });
    const { customer } = await subscribeByHand(email);
    await tell(customer);
    await removeAddress(createDatabase(env.DB), user.id, Date.now());
    const taker = await makeUser({ ownEmail: email });
    await control("stripePeriod", { customer });
    await tell(customer);
    expect([await recordOf(user), await recordOf(taker)]).toEqual([
      await toldByStripe(customer),
      null,
    ]);
  });
});

describe("a checkout made elsewhere that names the user who began it", () => {
  test.each([
    { first: "checkout.session.completed", next: "customer.subscription.created" },
    { first: "customer.subscription.created", next: "checkout.session.completed" },
  ])("gives it to that user, whoever has the address, with $first first", async (order) => {
    const email = freeEmail();
    const [beginner, addressed] = [await makeUser(), await makeUser({ ownEmail: email })];
    const { customer } = await subscribeByHand(email, {
      userId: beginner.id,
      clientReference: true,
    });
    await tell(customer, order.first);
    await tell(customer, order.next);
    expect([await recordOf(beginner), await recordOf(addressed)]).toEqual([
      await toldByStripe(customer),
      null,
    ]);
  });
});

describe("somebody with two customers", () => {
  /** Premium by the product's own checkout, and another customer of the same address. */
  async function twice() {
    const email = freeEmail();
    const buyer = await makeBuyer(await makeUser({ ownEmail: email }));
    await tell(buyer.customer);
    const other = await subscribeByHand(email);
    return { ...buyer, other: other.customer };
  }

  test("keeps premium when the other one's subscription lapses", async () => {
    const { user, customer, other } = await twice();
    await tell(other);
    await control("stripeCancel", { customer: other, at: "now" });
    await tell(other, "customer.subscription.deleted");
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("is known by the first while both give premium", async () => {
    const { user, customer, other } = await twice();
    await tell(other);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    await control("stripePeriod", { customer: other });
    await tell(other);
    expect(await recordOf(user)).toMatchObject({ customer_id: customer });
  });

  test("is known by the other when the first one lapses and that one is heard of", async () => {
    const { user, customer, other } = await twice();
    await control("stripeCancel", { customer, at: "now" });
    await tell(customer, "customer.subscription.deleted");
    expect(await recordOf(user)).toMatchObject({ status: "canceled", customer_id: customer });
    await tell(other);
    expect(await recordOf(user)).toEqual(await toldByStripe(other));
    // And what is told of the first once more changes nothing.
    await tell(customer, "customer.subscription.updated");
    expect(await recordOf(user)).toEqual(await toldByStripe(other));
  });

  test("of whom one has no subscription is known by the one that has", async () => {
    const email = freeEmail();
    const { user, customer } = await makeBuyer(await makeUser({ ownEmail: email }));
    await control("stripeCancel", { customer, at: "now" });
    await tell(customer, "customer.subscription.deleted");
    const { customer: other } = await subscribeByHand(email);
    await tell(other);
    expect(await recordOf(user)).toEqual(await toldByStripe(other));
  });
});

test("a customer who buys something else of the operator's gets no premium by it", async () => {
  const email = freeEmail();
  const user = await makeUser({ ownEmail: email });
  const { id } = await stripeApi<{ id: string }>("POST", "/checkout/sessions", {
    mode: "subscription",
    customer_email: email,
    "line_items[0][price]": "price_ForeignMonthly",
    "line_items[0][quantity]": "1",
    success_url: env.APP_ORIGIN,
  });
  const { session } = await pay(id);
  const customer = String(session.customer);
  for (const event of await eventsOf(customer)) expect((await deliver(event)).status).toBe(200);
  expect(await recordOf(user)).toBeNull();
});
