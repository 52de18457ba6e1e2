/** Creates, changes and deletes customers. */
import type Stripe from "stripe";
import { change, emit } from "../events.ts";
import { newCustomer } from "../objects/customer.ts";
import { type StripeService, timeOf } from "../service.ts";
import { type Card, newWallet, walletOf } from "../state.ts";
import { cancelNow, hasEnded } from "./subscriptions.ts";

type CustomerFields = Omit<Parameters<typeof newCustomer>[0], "created" | "id">;

export function createCustomer(service: StripeService, fields: CustomerFields): Stripe.Customer {
  const customer = newCustomer({ ...fields, created: timeOf(service) });
  service.state.customers.set(customer.id, customer);
  emit(service, "customer.created", customer);
  return customer;
}

export function updateCustomer(
  service: StripeService,
  customer: Stripe.Customer,
  changes: Partial<Stripe.Customer>,
): void {
  const previous = change(customer, changes);
  if (Object.keys(previous).length > 0) emit(service, "customer.updated", customer, previous);
}

/** Sets the card that the customer pays with from now on. */
export function changeCard(service: StripeService, customer: Stripe.Customer, card: Card): void {
  const wallet = walletOf(service.state, customer.id);
  const { paymentMethod } = newWallet(card);
  Object.assign(wallet, { card, paymentMethod, declineNext: false });
  const { invoice_settings } = customer;
  updateCustomer(service, customer, {
    invoice_settings: { ...invoice_settings, default_payment_method: paymentMethod },
  });
}

/** Deletes a customer, and ends their subscriptions. Of open checkouts Stripe's documents do not say that. */
export function deleteCustomer(service: StripeService, customer: Stripe.Customer): void {
  const { state } = service;
  for (const subscription of state.subscriptions.values()) {
    if (subscription.customer === customer.id && !hasEnded(subscription)) {
      cancelNow(service, subscription);
    }
  }
  state.deleted.add(customer.id);
  emit(service, "customer.deleted", customer);
}
