/** Those who pay, and what happens to their subscription at Stripe and reaches the app. */
import { expect } from "vitest";
import { makeUser, type TestUser } from "../database/factories";
import { control } from "../sandbox";
import {
  deliver,
  eventOf,
  eventsOf,
  makeBuyer,
  recordOf,
  stripeState,
  subscribeByHand,
  toldByStripe,
} from "../stripe/stripe";

/** A customer of Stripe's, whose events reach the app when they are told. */
export function customerAt(customer: string) {
  const told = new Set<string>();
  const at = (action: string, more: object = {}) => control(action, { customer, ...more });
  return {
    customer,
    /** What the app should have on record. */
    told: () => toldByStripe(customer),
    /** It is on record as this user's, as Stripe has it. */
    async belongsTo(user: TestUser): Promise<void> {
      expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    },
    subscriptions: async () => (await stripeState({ customer })).subscriptions,

    /** Delivers the newest event of a type, after which the app reads the customer. */
    async tell(type = "invoice.paid") {
      expect((await deliver(await eventOf(customer, type))).status, type).toBe(200);
    },
    /** Delivers all events that have not been told yet, each some times. */
    async tellAll({ times = 1, again = false } = {}) {
      for (const event of await eventsOf(customer)) {
        if (told.has(event.id) && !again) continue;
        told.add(event.id);
        for (let n = 0; n < times; n += 1) {
          expect((await deliver(event)).status, event.type).toBe(200);
        }
      }
    },

    at,
    cancels: (when: "now" | "period_end" = "now") => at("stripeCancel", { at: when }),
    resumes: () => at("stripeResume"),
    nextPeriod: () => at("stripePeriod"),
    async paymentFails() {
      await at("stripeCard", { card: "declined" });
      await at("stripePeriod");
    },
    async paysAfterAll() {
      await at("stripeCard", { card: "works" });
      await at("stripePayInvoice");
    },
  };
}

/** Somebody who has bought premium, of which the app has not heard yet. */
export async function buyer(user?: TestUser, options: Parameters<typeof makeBuyer>[1] = {}) {
  const bought = await makeBuyer(user ?? (await makeUser()), options);
  const { customer } = bought;
  const record = () => recordOf(bought.user);
  return {
    ...{ ...bought, ...customerAt(customer), record },
    /** On record it has this status. */
    async is(status: string): Promise<void> {
      expect(await record()).toMatchObject({ status });
    },
  };
}

/** Somebody whose premium is on record. */
export async function subscriber(...given: Parameters<typeof buyer>) {
  const bought = await buyer(...given);
  await bought.tellAll();
  return bought;
}

/** A subscription made in Stripe's dashboard, without the app. */
export async function byHand(...given: Parameters<typeof subscribeByHand>) {
  return customerAt((await subscribeByHand(...given)).customer);
}
