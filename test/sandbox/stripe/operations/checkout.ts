/** Pays checkout sessions. */
import type Stripe from "stripe";
import { emit } from "../events.ts";
import { isEmail } from "../objects/customer.ts";
import type { StripeService } from "../service.ts";
import { type Card, type Checkout, walletOf } from "../state.ts";
import { createCustomer, updateCustomer } from "./customers.ts";
import { beginSubscription } from "./subscriptions.ts";

export type CheckoutResult = "complete" | "declined" | "expired" | "email";

/** The e-mail address that is known without asking the customer for one. */
export function knownEmail({ state }: StripeService, session: Stripe.Checkout.Session) {
  return state.customers.get(String(session.customer))?.email || session.customer_email || null;
}

/**
 * Pays a session. If it was paid before, returns "complete" and does nothing. "email" means that an
 * address is needed.
 * @param typedEmail used and saved if the customer has no address.
 */
export function pay(
  service: StripeService,
  { session, lines, subscriptionMetadata }: Checkout,
  card: Card,
  typedEmail?: string,
): CheckoutResult {
  if (session.status !== "open") return session.status === "complete" ? "complete" : "expired";
  const { state } = service;
  const known = state.customers.get(String(session.customer));
  const email = known?.email || typedEmail?.trim() || session.customer_email || "";
  if (!isEmail(email)) return "email";
  if (card === "declined") return "declined";

  const customer = known ?? createCustomer(service, { email });
  if (!customer.email) updateCustomer(service, customer, { email });
  walletOf(state, customer.id).card = card;
  const subscription = beginSubscription(service, customer.id, lines, subscriptionMetadata);
  Object.assign(session, {
    status: "complete",
    payment_status: "paid",
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email,
      individual_name: null,
      name: customer.name ?? null,
      phone: null,
      tax_exempt: "none",
      tax_ids: [],
    },
    subscription: subscription.id,
    invoice: subscription.latest_invoice,
    url: null,
  } satisfies Partial<Stripe.Checkout.Session>);
  emit(service, "checkout.session.completed", session);
  return "complete";
}

/** The URL that a paid session leads to, with the session's id filled in. */
export function successUrl(session: Stripe.Checkout.Session): string {
  return (session.success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", session.id);
}
