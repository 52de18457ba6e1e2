/** What the Stripe stand-in holds: the objects themselves, and what Stripe knows beside them. */
import type Stripe from "stripe";
import { newId } from "./objects/ids.ts";
import type { Line } from "./objects/prices.ts";

export interface Checkout {
  session: Stripe.Checkout.Session;
  lines: Line[];
  subscriptionMetadata: Record<string, string>;
}

/** How a customer's payments fare. */
export interface Wallet {
  card: Card;
  paymentMethod: string;
  /** Once: the next payment is declined whatever the card. */
  declineNext: boolean;
  /** Seconds by which this customer's time is ahead of the clock: periods were ended by order. */
  ahead: number;
}
export type Card = "works" | "declined";

export interface EventRecord {
  event: Stripe.Event;
  customer: string | null;
  /** As musician.ts finds it. */
  musician: string | null;
  attempts: number;
  /** "nowhere": no endpoint was set. "failed": given up. */
  delivery: "pending" | "delivered" | "nowhere" | "dropped" | "failed";
}

/** The answer to an idempotent call, kept for a replay. */
export interface SavedAnswer {
  at: number;
  path: string;
  fields: string;
  requestId: string;
  status: number;
  body: unknown;
}

/** Maps keep the order of creation. */
export interface StripeState {
  customers: Map<string, Stripe.Customer>;
  /** Customers who were deleted; `customers` keeps them for what they had. */
  deleted: Set<string>;
  wallets: Map<string, Wallet>;
  subscriptions: Map<string, Stripe.Subscription>;
  invoices: Map<string, Stripe.Invoice>;
  sessions: Map<string, Checkout>;
  portals: Map<string, Stripe.BillingPortal.Session>;
  events: Map<string, EventRecord>;
  answers: Map<string, SavedAnswer>;
}

/** How the customer's payments fare; made on first use. */
export function walletOf(state: StripeState, customer: string): Wallet {
  const wallet = state.wallets.get(customer) ?? newWallet("works");
  state.wallets.set(customer, wallet);
  return wallet;
}

export function newWallet(card: Card): Wallet {
  return { card, paymentMethod: newId("pm_1"), declineNext: false, ahead: 0 };
}

/** The customer, unless there is none or no more. */
export function liveCustomer(state: StripeState, id: unknown): Stripe.Customer | undefined {
  return state.deleted.has(String(id)) ? undefined : state.customers.get(String(id));
}

/** The values of a map, newest first. */
export function newest<T>(held: Map<string, T>): T[] {
  return [...held.values()].reverse();
}
