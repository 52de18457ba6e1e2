/** What becomes of the subscription when its user deletes the account. */
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { deleteAccount, deleteTexts } from "~/account/delete.server";
import { createDatabase } from "~/db/client.server";
import { readConfig } from "~/platform/env";
import { BillingError } from "~/premium/billing";
import type { Billing } from "~/premium/stripe.server";
import { createStripe } from "~/premium/stripe.server";
import * as checkout from "~/routes/checkout-session";
import { skipWaits } from "../../support/clock";
import { contents, rowsOf } from "../../support/database/contents";
import { makeUser, type TestUser } from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { failMails, mailsTo } from "../../support/mails";
import { measure } from "../../support/measure";
import { request } from "../../support/request";
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

function remove(cookie: string): Promise<Response> {
  return request("/account/delete", { cookie, form: { sure: "on" } });
}

describe("the subscription", () => {
  async function subscriber() {
    const user = await makeUser();
    const bought = await makeBuyer(user);
    await deliver(await eventOf(bought.customer, "customer.subscription.created"));
    return bought;
  }

  async function exists({ id }: TestUser): Promise<boolean> {
    return (await rowsOf("SELECT id FROM users WHERE id = ?", id)).length > 0;
  }

  test("ends at once at Stripe, which forgets the customer", async () => {
    const { user, cookie, customer } = await subscriber();
    expect((await remove(cookie)).status).toBe(303);
    expect(await exists(user)).toBe(false);
    const { subscriptions } = await stripeState({ customer });
    expect(subscriptions.map(({ status }) => status)).toEqual(["canceled"]);
    const { customers } = await stripeState({ customer });
    expect(customers.map(({ deleted }) => deleted)).toEqual([true]);
  });

  test("the event about its end finds no user, which is no error", async () => {
    const { cookie, customer } = await subscriber();
    await remove(cookie);
    const logged = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const response = await deliver(await eventOf(customer, "customer.subscription.deleted"));
    expect(response.status).toBe(200);
    // Nobody pays for nothing, so no alarm is raised.
    const told = JSON.stringify(logged.mock.calls);
    expect(told).toContain("/webhooks/stripe");
    expect(told).not.toContain("customer_of_nobody");
    logged.mockRestore();
    expect(await rowsOf("SELECT user_id FROM subscriptions")).toEqual([]);
  });

  test("an open checkout can no longer be paid", async () => {
    const { user, cookie } = await makeMember();
    await press(cookie);
    await remove(cookie);
    const { sessions } = await stripeState({ userId: user.id });
    expect(sessions.map(({ status }) => status)).toEqual(["expired"]);
  });

  test("ends too if it was made in Stripe's dashboard, but its customer stays", async () => {
    const email = "by-hand@elsewhere.example";
    const { customer } = await subscribeByHand(email);
    const user = await makeUser({ ownEmail: email });
    await deliver(await eventOf(customer, "customer.subscription.created"));
    expect(await rowsOf("SELECT user_id FROM subscriptions")).toEqual([{ user_id: user.id }]);
    await remove((await makeSession(user)).cookie);
    const { subscriptions, customers } = await stripeState({ customer });
    expect(subscriptions.map(({ status }) => status)).toEqual(["canceled"]);
    expect(customers).toHaveLength(1);
  });

  test("keeps the account if Stripe refuses to end it", async () => {
    const { user, cookie, customer } = await subscriber();
    await control("fail", { route: `DELETE /v1/customers/${customer}`, status: 400 });
    expect((await remove(cookie)).status).toBe(502);
    expect(await exists(user)).toBe(true);
  });

  test("ends as well if a checkout creates its customer during the deletion", async () => {
    const user = await makeUser({ tier: "premium" });
    const made = [`cus-first-${user.id}`, `cus-second-${user.id}`];
    const remember = env.DB.prepare("UPDATE subscriptions SET customer_id = ? WHERE user_id = ?");
    await remember.bind(made[0], user.id).run();
    const ended: string[] = [];
    const { sessionSecret: secret } = readConfig(env);
    const services = { db: createDatabase(env.DB), secret, now: Date.now };
    const billing = stubBilling({
      customer: async (id) => ({ id, userId: user.id, email: null }),
      async deleteCustomer(id) {
        ended.push(id);
        if (ended.length === 1) await remember.bind(made[1], user.id).run();
      },
    });
    expect(await deleteAccount({ ...services, billing }, user.id)).toEqual({ sharePaths: [] });
    expect(ended).toEqual(made);
    expect(await exists(user)).toBe(false);
  });

  const config = readConfig(env);
  const stripe = createStripe(config.stripe, config);

  /** Stripe, with something that happens once before or after a call. */
  function stripeWith(
    call: keyof Billing,
    { before, after }: { before?(): unknown; after?(): unknown },
  ): Billing {
    const hooks = [before, after];
    const original = stripe[call] as (...given: unknown[]) => Promise<unknown>;
    return {
      ...stripe,
      async [call](...given: unknown[]) {
        await hooks.shift()?.();
        const result = await original(...given);
        await hooks.shift()?.();
        return result;
      },
    };
  }

  async function expectNothingAtStripe({ id }: TestUser): Promise<void> {
    const { customers, sessions } = await stripeState({ userId: id });
    expect(customers.filter(({ deleted }) => !deleted)).toEqual([]);
    expect(sessions.filter(({ status }) => status === "open")).toEqual([]);
  }

  /** Makes a route fail for one press, which then answers 503. */
  async function failAtStripe(user: TestUser, route: string, status: number): Promise<void> {
    const { cookie } = await makeSession(user);
    await control("fail", { musician: user.id, route, status, times: 3 });
    expect((await request("/checkout-session", { cookie, json: {} })).status).toBe(503);
  }

  test.each([500, 0])(
    "is none where Stripe has answered the customer's creation with %s, and holds up nothing",
    async (status) => {
      skipWaits();
      const { user, cookie } = await makeMember();
      await failAtStripe(user, "POST /v1/customers", status);
      for (const route of ["POST /v1/customers", "GET /v1/customers/search"]) {
        await control("fail", { musician: user.id, route, status, times: -1 });
      }
      expect([(await remove(cookie)).status, await exists(user)]).toEqual([303, false]);
    },
  );

  describe("leaves no customer and no checkout at Stripe", () => {
    test.each([
      { call: "premiumPrice", when: "before", status: 401 },
      { call: "createCustomer", when: "before", status: 401 },
      { call: "createCustomer", when: "after", status: 401 },
      { call: "createCheckout", when: "before", status: 401 },
      { call: "createCheckout", when: "after", status: 401 },
      { call: "expireCheckouts", when: "before", status: 200 },
    ] as const)("if it is $when $call of a checkout that begins", async (row) => {
      const { user, cookie } = await makeMember();
      const billing = stripeWith(row.call, { [row.when]: () => remove(cookie) });
      const { answer } = await measure(checkout.action, { path: "/", cookie, form: {}, billing });
      expect((answer as Response).status).toBe(row.status);
      expect(await exists(user)).toBe(false);
      await expectNothingAtStripe(user);
    });

    test.each([
      { call: "customer", when: "before" },
      { call: "customer", when: "after" },
      { call: "deleteCustomer", when: "before" },
      { call: "deleteCustomer", when: "after" },
    ] as const)("if a checkout begins $when its call of $call", async ({ call, when }) => {
      const { user, cookie } = await makeMember();
      const known = await press(cookie);
      await stripe.expireCheckout(known);
      const begin = () => request("/checkout-session", { cookie, json: {} });
      const billing = stripeWith(call, { [when]: begin });
      const { sessionSecret: secret } = config;
      const services = { db: createDatabase(env.DB), billing, secret, now: Date.now };
      expect(await deleteAccount(services, user.id)).toEqual({ sharePaths: [] });
      await expectNothingAtStripe(user);
    });

    test.each(["createCustomer", "createCheckout"] as const)(
      "if a checkout breaks off after %s",
      async (call) => {
        const { user, cookie } = await makeMember();
        const broken = () => Promise.reject(new Error("broken off"));
        const billing = stripeWith(call, { after: broken });
        const begun = measure(checkout.action, { path: "/", cookie, form: {}, billing });
        await expect(begun).rejects.toThrow("broken off");
        await remove(cookie);
        await expectNothingAtStripe(user);
      },
    );

    test.each<[string, Billing["createCheckout"]]>([
      ["was made", stripe.createCheckout],
      ["was refused", () => Promise.reject(new BillingError(400, "no"))],
    ])("if it overlooks the customer of a checkout that %s meanwhile", async (_what, create) => {
      const { user, cookie } = await makeMember();
      const overlooking = { ...stripe, deleteCustomer: async () => undefined };
      const services = { db: createDatabase(env.DB), billing: overlooking, now: Date.now };
      const leave = () => deleteAccount({ ...services, secret: config.sessionSecret }, user.id);
      const createCheckout: typeof create = (wanted) => create(wanted).finally(leave);
      const billing = { ...stripe, createCheckout };
      const { answer } = await measure(checkout.action, { path: "/", cookie, form: {}, billing });
      expect([(answer as Response).status, await exists(user)]).toEqual([401, false]);
      await expectNothingAtStripe(user);
    });

    test("if one was made that no record names", async () => {
      const { user, cookie } = await makeMember();
      await press(cookie);
      const fields = { "metadata[user_id]": user.id, email: "left@behind.example" };
      const { id } = await stripeApi<{ id: string }>("POST", "/customers", fields);
      await control("stripeIndex", { userId: user.id });
      await control("fail", { route: `DELETE /v1/customers/${id}`, status: 400 });
      expect([(await remove(cookie)).status, await exists(user)]).toEqual([502, true]);
      expect([(await remove(cookie)).status, await exists(user)]).toEqual([303, false]);
      await expectNothingAtStripe(user);
    });

    test("if Stripe's fault at the first of them was followed by another", async () => {
      skipWaits();
      const { user, cookie } = await makeMember();
      await failAtStripe(user, "POST /v1/customers", 500);
      await press(cookie);
      await remove(cookie);
      expect(await exists(user)).toBe(false);
      await expectNothingAtStripe(user);
    });

    test("if Stripe has refused the checkout", async () => {
      const { user, cookie } = await makeMember();
      const refused = () => Promise.reject(new BillingError(400, "no"));
      const billing = { ...stripe, createCheckout: refused };
      const { answer } = await measure(checkout.action, { path: "/", cookie, form: {}, billing });
      expect((answer as Response).status).toBe(502);
      await remove(cookie);
      await expectNothingAtStripe(user);
    });
  });

  test("that was paid for too late is mailed to the operator, once for its payment", async () => {
    const { cookie, customer } = await makeBuyer(await makeUser());
    await remove(cookie);
    const paid = await eventOf(customer, "invoice.paid");
    await failMails(config.contactEmail, { status: 422 });
    expect((await deliver(paid)).status).toBe(500);
    for (const type of ["checkout.session.completed", "customer.subscription.deleted"]) {
      expect((await deliver(await eventOf(customer, type))).status).toBe(200);
    }
    for (const _ of [1, 2]) expect((await deliver(paid)).status).toBe(200);
    const mails = await mailsTo(config.contactEmail);
    expect(mails.filter(({ text }) => text.includes(customer))).toHaveLength(1);
  });

  test.each([
    { answers: 503, status: 503 },
    { answers: 403, status: 502 },
  ])("Stripe answers $answers: nothing is deleted, the next press does it", async (fault) => {
    const { user, cookie, customer } = await subscriber();
    const before = await contents();
    const route = `GET /v1/customers/${customer}`;
    await control("fail", { route, status: fault.answers, times: fault.answers === 503 ? 3 : 1 });
    const response = await remove(cookie);
    expect(response.status).toBe(fault.status);
    expect(await response.text()).toContain(deleteTexts.billing);
    expect(await contents()).toEqual(before);
    expect((await remove(cookie)).status).toBe(303);
    expect(await exists(user)).toBe(false);
  });
});
