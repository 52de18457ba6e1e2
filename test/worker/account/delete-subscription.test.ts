/** What becomes of the subscription when its user deletes the account. */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { deleteAccount, deleteTexts } from "~/account/delete.server";
import { readConfig } from "~/platform/env";
import { BillingError } from "~/premium/billing";
import type { Billing } from "~/premium/stripe.server";
import { createStripe } from "~/premium/stripe.server";
import * as checkout from "~/routes/checkout-session";
import { counts, gives, holds, unchanged } from "../../support/answers";
import { skipWaits } from "../../support/clock";
import { change, db, rows } from "../../support/database/rows";
import { failMails, mailsTo } from "../../support/mails";
import { measure } from "../../support/measure";
import { type Someone, someone } from "../../support/people";
import { control } from "../../support/sandbox";
import { stubBilling } from "../../support/stripe/billing-stub";
import {
  deliver,
  eventOf,
  makeBuyer,
  press,
  stripeApi,
  stripeState,
  subscribeByHand,
} from "../../support/stripe/stripe";

const config = readConfig(env);
const stripe = createStripe(config.stripe, config);
const services = { db, secret: config.sessionSecret, now: Date.now };

/** The status of the answer, and whether the account is there. */
async function removes(who: Someone): Promise<[number, boolean]> {
  const { status } = await who.posts("/account/delete", { sure: "on" });
  return [status, await exists(who)];
}

async function exists({ id }: { id: string }): Promise<boolean> {
  return (await rows("users", { id })).length > 0;
}

async function subscriber() {
  const who = await someone();
  const { customer } = await makeBuyer(who.user);
  await deliver(await eventOf(customer, "customer.subscription.created"));
  return { who, customer };
}

test("a subscription ends at once at Stripe, which forgets the customer", async () => {
  const { who, customer } = await subscriber();
  expect(await removes(who)).toEqual([303, false]);
  expect(await stripeState({ customer })).toMatchObject({
    subscriptions: [{ status: "canceled" }],
    customers: [{ deleted: true }],
  });
  // The event about its end finds no user, which is no error; nobody pays for nothing, so no alarm is raised.
  const logged = vi.spyOn(console, "log").mockImplementation(() => undefined);
  await gives(deliver(await eventOf(customer, "customer.subscription.deleted")), 200);
  const told = JSON.stringify(logged.mock.calls);
  expect(told).toContain("/webhooks/stripe");
  expect(told).not.toContain("customer_of_nobody");
  logged.mockRestore();
  await counts("subscriptions", 0);
});

test("an open checkout can no longer be paid", async () => {
  const who = await someone();
  await press(await who.login());
  await removes(who);
  const { sessions } = await stripeState({ userId: who.id });
  expect(sessions).toMatchObject([{ status: "expired" }]);
});

test("a subscription made in Stripe's dashboard ends too, but its customer stays", async () => {
  const ownEmail = "by-hand@elsewhere.example";
  const { customer } = await subscribeByHand(ownEmail);
  const who = await someone({ ownEmail });
  await deliver(await eventOf(customer, "customer.subscription.created"));
  await holds("subscriptions", { userId: who.id });
  await removes(who);
  const { subscriptions, customers } = await stripeState({ customer });
  expect(subscriptions).toMatchObject([{ status: "canceled" }]);
  expect(customers).toHaveLength(1);
});

test("a subscription ends as well if a checkout creates its customer during the deletion", async () => {
  const who = await someone({ tier: "premium" });
  const [first, second] = [`cus-first-${who.id}`, `cus-second-${who.id}`];
  await change("subscriptions", {}, { customerId: first });
  const ended: string[] = [];
  const billing = stubBilling({
    customer: async (id) => ({ id, userId: who.id, email: null }),
    async deleteCustomer(id) {
      ended.push(id);
      if (ended.length === 1) await change("subscriptions", {}, { customerId: second });
    },
  });
  expect(await deleteAccount({ ...services, billing }, who.id)).toEqual({ sharePaths: [] });
  expect([ended, await exists(who)]).toEqual([[first, second], false]);
});

/** Stripe, with something that happens once before or after a call. */
function stripeWith(
  call: keyof Billing,
  when: "before" | "after",
  happens: () => unknown,
): Billing {
  let isDue = true;
  const once = async (now: "before" | "after") => {
    if (now !== when || !isDue) return;
    isDue = false;
    await happens();
  };
  const original = stripe[call] as (...given: unknown[]) => Promise<unknown>;
  return {
    ...stripe,
    async [call](...given: unknown[]) {
      await once("before");
      const result = await original(...given);
      await once("after");
      return result;
    },
  };
}

/** Begins a checkout with this Stripe. @returns the answer's status. */
async function begins(who: Someone, billing: Billing): Promise<number> {
  const asked = { path: "/", cookie: await who.login(), form: {}, billing };
  return ((await measure(checkout.action, asked)).answer as Response).status;
}

async function expectNothingAtStripe({ id }: { id: string }): Promise<void> {
  const { customers, sessions } = await stripeState({ userId: id });
  expect(customers.filter(({ deleted }) => !deleted)).toEqual([]);
  expect(sessions.filter(({ status }) => status === "open")).toEqual([]);
}

/** Stripe fails at a customer's creation for one press, which then answers 503. */
async function failsAtStripe(who: Someone, status: number): Promise<void> {
  skipWaits();
  const fault = { musician: who.id, route: "POST /v1/customers", status, times: 3 };
  await control("fail", fault);
  await gives(who.sends("/checkout-session"), 503);
}

test.each([500, 0])(
  "a subscription is none where Stripe has answered the customer's creation with %s, and holds up nothing",
  async (status) => {
    const who = await someone();
    await failsAtStripe(who, status);
    for (const route of ["POST /v1/customers", "GET /v1/customers/search"]) {
      await control("fail", { musician: who.id, route, status, times: -1 });
    }
    expect(await removes(who)).toEqual([303, false]);
  },
);

test.each([
  ["before", "premiumPrice", 401],
  ["before", "createCustomer", 401],
  ["after", "createCustomer", 401],
  ["before", "createCheckout", 401],
  ["after", "createCheckout", 401],
  ["before", "expireCheckouts", 200],
] as const)(
  "nothing is left at Stripe by a deletion %s %s of a checkout that begins",
  async (when, call, status) => {
    const who = await someone();
    const billing = stripeWith(call, when, () => removes(who));
    expect([await begins(who, billing), await exists(who)]).toEqual([status, false]);
    await expectNothingAtStripe(who);
  },
);

test.each([
  ["before", "customer"],
  ["after", "customer"],
  ["before", "deleteCustomer"],
  ["after", "deleteCustomer"],
] as const)(
  "nothing is left at Stripe if a checkout begins %s a deletion's call of %s",
  async (when, call) => {
    const who = await someone();
    await stripe.expireCheckout(await press(await who.login()));
    const billing = stripeWith(call, when, () => who.sends("/checkout-session"));
    expect(await deleteAccount({ ...services, billing }, who.id)).toEqual({ sharePaths: [] });
    await expectNothingAtStripe(who);
  },
);

test.each(["createCustomer", "createCheckout"] as const)(
  "nothing is left at Stripe if a checkout breaks off after %s",
  async (call) => {
    const who = await someone();
    const broken = () => Promise.reject(new Error("broken off"));
    await expect(begins(who, stripeWith(call, "after", broken))).rejects.toThrow("broken off");
    await removes(who);
    await expectNothingAtStripe(who);
  },
);

const refused = () => Promise.reject(new BillingError(400, "no"));

test.each<[string, Billing["createCheckout"]]>([
  ["was made", stripe.createCheckout],
  ["was refused", refused],
])(
  "nothing is left at Stripe by a deletion that overlooks the customer of a checkout that %s meanwhile",
  async (_what, create) => {
    const who = await someone();
    const overlooking = { ...stripe, deleteCustomer: async () => undefined };
    const leave = () => deleteAccount({ ...services, billing: overlooking }, who.id);
    const createCheckout: typeof create = (wanted) => create(wanted).finally(leave);
    expect(await begins(who, { ...stripe, createCheckout })).toBe(401);
    expect(await exists(who)).toBe(false);
    await expectNothingAtStripe(who);
  },
);

test("a customer at Stripe that no record names is forgotten too, and keeps the account if Stripe refuses", async () => {
  const who = await someone();
  await press(await who.login());
  const fields = { "metadata[user_id]": who.id, email: "left@behind.example" };
  const { id } = await stripeApi<{ id: string }>("POST", "/customers", fields);
  await control("stripeIndex", { userId: who.id });
  await control("fail", { route: `DELETE /v1/customers/${id}`, status: 400 });
  expect(await removes(who)).toEqual([502, true]);
  expect(await removes(who)).toEqual([303, false]);
  await expectNothingAtStripe(who);
});

test.each(["failed at the first of two", "refused the only one"])(
  "nothing is left at Stripe if it has %s of a member's checkouts",
  async (what) => {
    const who = await someone();
    if (what.startsWith("failed")) {
      await failsAtStripe(who, 500);
      await press(await who.login());
    } else expect(await begins(who, { ...stripe, createCheckout: refused })).toBe(502);
    expect(await removes(who)).toEqual([303, false]);
    await expectNothingAtStripe(who);
  },
);

test("a subscription that was paid for too late is mailed to the operator, once for its payment", async () => {
  const who = await someone();
  const { customer } = await makeBuyer(who.user);
  await removes(who);
  const paid = await eventOf(customer, "invoice.paid");
  await failMails(config.contactEmail, { status: 422 });
  await gives(deliver(paid), 500);
  for (const type of ["checkout.session.completed", "customer.subscription.deleted"]) {
    await gives(deliver(await eventOf(customer, type)), 200);
  }
  for (const _ of [1, 2]) await gives(deliver(paid), 200);
  const mails = await mailsTo(config.contactEmail);
  expect(mails.filter(({ text }) => text.includes(customer))).toHaveLength(1);
});

test.each([
  ["GET", 503, 503, 3],
  ["GET", 403, 502, 1],
  ["DELETE", 400, 502, 1],
])(
  "if Stripe answers %s of the customer with %i, nothing is deleted, and the next press does it",
  async (method, answered, status, times) => {
    const { who, customer } = await subscriber();
    await who.login();
    await control("fail", {
      route: `${method} /v1/customers/${customer}`,
      status: answered,
      times,
    });
    const response = await unchanged(() => who.posts("/account/delete", { sure: "on" }));
    expect([response.status, await response.text()]).toEqual([
      ...[status, expect.stringContaining(deleteTexts.billing)],
    ]);
    expect(await removes(who)).toEqual([303, false]);
  },
);
