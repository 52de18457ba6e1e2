/** Customers, and the sessions in which they pay. */
import type Stripe from "stripe";
import { beginSubscription, cancelNow, hasEnded } from "./billing.ts";
import { newCustomer } from "./objects.ts";
import { type Card, type Checkout, type StripeService, timeOf, walletOf } from "./state.ts";
import { emit } from "./webhooks.ts";

export function createCustomer(
  service: StripeService,
  fields: { email?: string | null; metadata?: Record<string, string> },
): Stripe.Customer {
  const customer = newCustomer({ metadata: {}, ...fields, created: timeOf(service) });
  service.state.customers.set(customer.id, customer);
  return customer;
}

/** Deletes a customer, and ends their subscriptions. Of open checkouts Stripe's documents do not say that. */
export function deleteCustomer(service: StripeService, { id }: Stripe.Customer): void {
  for (const subscription of service.state.subscriptions.values()) {
    if (subscription.customer === id && !hasEnded(subscription)) cancelNow(service, subscription);
  }
  service.state.deleted.add(id);
}

export function knownEmail({ state }: StripeService, session: Stripe.Checkout.Session): string {
  return state.customers.get(String(session.customer))?.email || session.customer_email || "";
}

/** Pays a session; one that was paid before stays. "email" means that an address is needed. */
export function pay(
  service: StripeService,
  { session, lines, subscriptionMetadata, isTaxed }: Checkout,
  card: Card,
  typedEmail = "",
): "complete" | "declined" | "expired" | "email" {
  if (session.status !== "open") return session.status === "complete" ? "complete" : "expired";
  const { state } = service;
  const known = state.customers.get(String(session.customer));
  const email = known?.email || typedEmail.trim() || session.customer_email || "";
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) return "email";
  if (card === "declined") return "declined";

  const customer = known ?? createCustomer(service, { email });
  customer.email ||= email;
  walletOf(state, customer.id).card = card;
  const subscription = beginSubscription(
    service,
    customer.id,
    lines,
    subscriptionMetadata,
    isTaxed,
  );
  Object.assign(session, {
    status: "complete",
    payment_status: "paid",
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: "none",
      tax_ids: [],
    },
    subscription: subscription.id,
    url: null,
  } satisfies Partial<Stripe.Checkout.Session>);
  emit(service, "checkout.session.completed", session);
  return "complete";
}

export function successUrl(session: Stripe.Checkout.Session): string {
  return (session.success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", session.id);
}
