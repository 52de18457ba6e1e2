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

/** Delivers a customer's newest event of a type, after which the app reads the customer. */
async function tell(customer: string, type = "invoice.paid"): Promise<void> {
  const { status } = await deliver(await eventOf(customer, type));
  if (status !== 200) throw new Error(`${type} was answered ${status}`);
}

describe("a subscription made in Stripe's dashboard", () => {
  test("belongs to the user with its e-mail address, in upper or lower case", async () => {
    const email = freeEmail();
    const user = await makeUser({ ownEmail: `Ines.${email}` });
    const other = await makeUser({ ownEmail: email });
    const { customer } = await subscribeByHand(`iNES.${email.toUpperCase()}`);
    await tell(customer);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    expect(await recordOf(other)).toBeNull();
  });

  test("belongs to nobody if the user's address comes from Spotify, or is not confirmed yet", async () => {
    const email = freeEmail();
    const [told, asking] = [await makeUser({ email }), await makeUser()];
    await askToConfirm(asking.id, email);
    const { customer } = await subscribeByHand(email);
    const before = await contents();
    await tell(customer);
    expect(await contents()).toEqual(before);
    expect([await recordOf(told), await recordOf(asking)]).toEqual([null, null]);
  });

  test("belongs to nobody if two users have the address, or none has", async () => {
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

  test("is found if its user comes later, at the next event", async () => {
    const email = freeEmail();
    const { customer } = await subscribeByHand(email);
    await tell(customer);
    const user = await makeUser({ ownEmail: email });
    await tell(customer);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("belongs to the user in the customer's metadata, not to the one with the address", async () => {
    const email = freeEmail();
    const [named, addressed] = [await makeUser(), await makeUser({ ownEmail: email })];
    const { customer } = await subscribeByHand(email, { userId: named.id });
    await tell(customer);
    expect([await recordOf(named), await recordOf(addressed)]).toEqual([
      await toldByStripe(customer),
      null,
    ]);
  });

  test("stays with its user when another one takes over the address", async () => {
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

describe("a checkout made without the app, with a user as its client reference,", () => {
  test.each([
    { first: "checkout.session.completed", next: "customer.subscription.created" },
    { first: "customer.subscription.created", next: "checkout.session.completed" },
  ])("gives premium to that user, whoever has the address, with $first first", async (order) => {
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

describe("a user with two customers", () => {
  /** A user with premium bought in the app, and another customer with the same address. */
  async function withTwoCustomers() {
    const email = freeEmail();
    const buyer = await makeBuyer(await makeUser({ ownEmail: email }));
    await tell(buyer.customer);
    const other = await subscribeByHand(email);
    return { ...buyer, other: other.customer };
  }

  test("keeps premium when the other one's subscription lapses", async () => {
    const { user, customer, other } = await withTwoCustomers();
    await tell(other);
    await control("stripeCancel", { customer: other, at: "now" });
    await tell(other, "customer.subscription.deleted");
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("keeps the first as the recorded customer while both give premium", async () => {
    const { user, customer, other } = await withTwoCustomers();
    await tell(other);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    await control("stripePeriod", { customer: other });
    await tell(other);
    expect(await recordOf(user)).toMatchObject({ customer_id: customer });
  });

  test("switches to the other after the first lapses, at the other's next event", async () => {
    const { user, customer, other } = await withTwoCustomers();
    await control("stripeCancel", { customer, at: "now" });
    await tell(customer, "customer.subscription.deleted");
    expect(await recordOf(user)).toMatchObject({ status: "canceled", customer_id: customer });
    await tell(other);
    expect(await recordOf(user)).toEqual(await toldByStripe(other));
    // A further event about the first customer changes nothing.
    await tell(customer, "customer.subscription.updated");
    expect(await recordOf(user)).toEqual(await toldByStripe(other));
  });

  test("switches to the other if that one subscribes after the first has ended", async () => {
    const email = freeEmail();
    const { user, customer } = await makeBuyer(await makeUser({ ownEmail: email }));
    await control("stripeCancel", { customer, at: "now" });
    await tell(customer, "customer.subscription.deleted");
    const { customer: other } = await subscribeByHand(email);
    await tell(other);
    expect(await recordOf(user)).toEqual(await toldByStripe(other));
  });
});

test("a customer who buys another product of the operator's gets no premium", async () => {
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
