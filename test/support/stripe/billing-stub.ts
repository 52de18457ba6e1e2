import type { BilledSubscription, CheckoutSession } from "~/premium/billing";
import type { Billing } from "~/premium/stripe.server";

/** The product and price of premium. */
export const premium = { id: "price_premium", productId: "prod_premium", active: true };

/** All statuses that the payment provider has for subscriptions, in no particular order. */
export const statuses = [
  "trialing",
  "canceled",
  "past_due",
  "incomplete_expired",
  "active",
  "paused",
  "unpaid",
  "incomplete",
];

/** A fake payment provider. A call that the test gives no answer for throws. */
export function stubBilling(answers: Partial<Billing> = {}): Billing {
  const unexpected = (name: string) => async () => {
    throw new Error(`The payment provider was asked for ${name}`);
  };
  return {
    checkoutIdPlaceholder: "{id}",
    premiumPrice: async () => premium,
    createCustomer: unexpected("createCustomer"),
    customersOf: async () => [],
    customer: unexpected("customer"),
    subscriptions: unexpected("subscriptions"),
    nextPayment: async () => null,
    createCheckout: unexpected("createCheckout"),
    checkout: unexpected("checkout"),
    findCheckoutUser: async () => null,
    expireCheckout: unexpected("expireCheckout"),
    expireCheckouts: unexpected("expireCheckouts"),
    endSubscription: unexpected("endSubscription"),
    deleteCustomer: unexpected("deleteCustomer"),
    createPortal: unexpected("createPortal"),
    readEvent: unexpected("readEvent"),
    ...answers,
  };
}

/** A subscription to premium, as returned by the payment provider. */
export function billed(changes: Partial<BilledSubscription> = {}): BilledSubscription {
  return {
    id: "sub_1",
    status: "active",
    createdAt: 1_000,
    startedAt: 2_000,
    cancelAt: null,
    isCharged: true,
    failedAt: null,
    retryAt: null,
    endedAt: null,
    productIds: [premium.productId],
    ...changes,
  };
}

/** A paid checkout that no user of the app began. */
export function paidCheckout(changes: Partial<CheckoutSession> = {}): CheckoutSession {
  return {
    id: "cs_1",
    status: "complete",
    userId: null,
    customerId: "cus_1",
    email: "buyer@musicians.example",
    url: null,
    ...changes,
  };
}
