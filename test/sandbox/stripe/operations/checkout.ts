/** What happens to checkout sessions: paid, declined, expired. */
import type Stripe from "stripe";
import { emit } from "../events.ts";
import { isEmail } from "../objects/customer.ts";
import type { StripeService } from "../service.ts";
import { type Card, type Checkout, walletOf } from "../state.ts";
import { createCustomer, updateCustomer } from "./customers.ts";
import { begin } from "./subscriptions.ts";

export type CheckoutResult = "complete" | "declined" | "expired" | "email";

/** The address a session has without asking for one. */
export function knownEmail({ state }: StripeService, session: Stripe.Checkout.Session) {
  return state.customers.get(String(session.customer))?.email || session.customer_email || null;
}

/**
 * Pays. "complete" too where it was paid before: then nothing happens. "email": an address is needed.
 * @param typed used where the customer has no address; saved with the customer.
 */
export function pay(
  service: StripeService,
  { session, lines, subscriptionMetadata }: Checkout,
  card: Card,
  typed?: string,
): CheckoutResult {
  if (session.status !== "open") return session.status === "complete" ? "complete" : "expired";
  const { state } = service;
  const known = state.customers.get(String(session.customer));
  const email = known?.email || typed?.trim() || session.customer_email || "";
  if (!isEmail(email)) return "email";
  if (card === "declined") return "declined";

  const customer = known ?? createCustomer(service, { email });
  if (!customer.email) updateCustomer(service, customer, { email });
  walletOf(state, customer.id).card = card;
  const subscription = begin(service, customer.id, lines, subscriptionMetadata);
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

/** Where a paid session leads, with its id filled in. */
export function successUrl(session: Stripe.Checkout.Session): string {
  return (session.success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", session.id);
}
