import type { BilledSubscription, CheckoutSession } from "~/premium/billing";
import type { Billing } from "~/premium/stripe.server";

export const premium = { id: "price_premium", productId: "prod_premium", active: true };

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
    cancelSubscription: unexpected("cancelSubscription"),
    refund: unexpected("refund"),
    endSubscription: unexpected("endSubscription"),
    deleteCustomer: unexpected("deleteCustomer"),
    createPortal: unexpected("createPortal"),
    readEvent: unexpected("readEvent"),
    ...answers,
  };
}

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
