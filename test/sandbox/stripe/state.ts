/** The state of the Stripe stand-in: Stripe's objects, and what the API does not show of them. */
import type Stripe from "stripe";
import { newId } from "./objects/ids.ts";
import type { Line } from "./objects/prices.ts";

export interface Checkout {
  session: Stripe.Checkout.Session;
  lines: Line[];
  subscriptionMetadata: Record<string, string>;
}

/** What a customer pays with, and how far time has been moved for them. */
interface Wallet {
  card: Card;
  paymentMethod: string;
  /** The next payment, and only that one, is declined with any card. */
  declineNext: boolean;
  /** A coupon, in percent, and how many invoices it still counts for. */
  coupon: { percentOff: number; invoices: number } | null;
  /** Seconds by which this customer's time is ahead of the clock, as tests can end periods early. */
  ahead: number;
}
export type Card = "works" | "declined";

export interface EventRecord {
  event: Stripe.Event;
  customer: string | null;
  /** As found by `musicianFor`. */
  musician: string | null;
  attempts: number;
  /** "nowhere": there was no endpoint. "failed": every attempt failed. */
  delivery: "pending" | "delivered" | "nowhere" | "dropped" | "failed";
}

/** The response to a call with an idempotency key, kept for repeated calls. */
export interface SavedAnswer {
  /** Epoch milliseconds. */
  at: number;
  path: string;
  /** The parameters as they were sent. */
  fields: string;
  requestId: string;
  status: number;
  body: unknown;
}

/** All maps are by id (answers by key) and in the order of creation. */
export interface StripeState {
  customers: Map<string, Stripe.Customer>;
  /** The ids of deleted customers. `customers` still has them, because their subscriptions stay. */
  deleted: Set<string>;
  /** Of customers younger than a minute, the ids of those that the search knows already. */
  indexed: Set<string>;
  wallets: Map<string, Wallet>;
  subscriptions: Map<string, Stripe.Subscription>;
  invoices: Map<string, Stripe.Invoice>;
  sessions: Map<string, Checkout>;
  portals: Map<string, Stripe.BillingPortal.Session>;
  events: Map<string, EventRecord>;
  answers: Map<string, SavedAnswer>;
}

/** The customer's wallet; created on first use. */
export function walletOf(state: StripeState, customer: string): Wallet {
  const wallet = state.wallets.get(customer) ?? newWallet("works");
  state.wallets.set(customer, wallet);
  return wallet;
}

export function newWallet(card: Card): Wallet {
  return { card, paymentMethod: newId("pm_1"), declineNext: false, coupon: null, ahead: 0 };
}

/** What the customer's coupon takes off the next invoice, in percent. */
export function percentOffNext(state: StripeState, customer: string): number {
  const { coupon } = walletOf(state, customer);
  return coupon && coupon.invoices > 0 ? coupon.percentOff : 0;
}

/** The customer, unless deleted or unknown. */
export function liveCustomer(state: StripeState, id: unknown): Stripe.Customer | undefined {
  return state.deleted.has(String(id)) ? undefined : state.customers.get(String(id));
}

/** The values of a map, newest first. */
export function newest<T>(map: Map<string, T>): T[] {
  return [...map.values()].reverse();
}
