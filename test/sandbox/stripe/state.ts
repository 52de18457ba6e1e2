/** What all parts of the Stripe stand-in share: Stripe's objects, and what the API does not show of them. */
import type Stripe from "stripe";
import { musicianFor } from "../catalogue.ts";
import type { SandboxContext } from "../context.ts";
import type { Faults } from "../faults.ts";
import type { Line } from "./objects.ts";

export const SECRET_KEY = "sk_test_sandbox_development_only";
export const WEBHOOK_SECRET = "whsec_sandbox_development_only";

export interface Webhooks {
  url: string | null;
  send(event: Stripe.Event): void;
  settled(): Promise<void>;
  /** The header `Stripe-Signature` for a body. `timestamp` is in epoch seconds. */
  sign(body: string, timestamp?: number, secret?: string): string;
}

export interface StripeService {
  context: SandboxContext;
  state: StripeState;
  webhooks: Webhooks;
  /** Faults that hit after a call was carried out: the response is lost. */
  lostAnswers: Faults;
}

export interface Checkout {
  session: Stripe.Checkout.Session;
  lines: Line[];
  subscriptionMetadata: Record<string, string>;
  isTaxed?: boolean;
}

export type Card = "works" | "declined";

interface Wallet {
  card: Card;
  declineNext: boolean;
  coupon: { percentOff: number; invoices: number } | null;
  /** Seconds by which this customer's time is ahead of the clock, because periods were ended early. */
  ahead: number;
}

interface SavedAnswer {
  call: string;
  status: number;
  body: unknown;
}

/** By id (answers by key) and in the order of creation. */
export interface StripeState {
  customers: Map<string, Stripe.Customer>;
  /** `customers` still has the deleted ones, because their subscriptions stay. */
  deleted: Set<string>;
  /** Customers younger than a minute that the search knows already. */
  indexed: Set<string>;
  wallets: Map<string, Wallet>;
  subscriptions: Map<string, Stripe.Subscription>;
  invoices: Map<string, Stripe.Invoice>;
  sessions: Map<string, Checkout>;
  portals: Map<string, Stripe.BillingPortal.Session>;
  refunds: Map<string, Stripe.Refund>;
  events: Map<string, { event: Stripe.Event; customer: string | null }>;
  answers: Map<string, SavedAnswer>;
  /** What is not set at Stripe, under Tax. */
  taxLacks: Set<"origin" | "registration">;
}

export function emptyState(): StripeState {
  return {
    customers: new Map(),
    deleted: new Set(),
    indexed: new Set(),
    wallets: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    sessions: new Map(),
    portals: new Map(),
    refunds: new Map(),
    events: new Map(),
    answers: new Map(),
    taxLacks: new Set(),
  };
}

export function walletOf(state: StripeState, customer: string): Wallet {
  const wallet = state.wallets.get(customer) ?? {
    card: "works",
    declineNext: false,
    coupon: null,
    ahead: 0,
  };
  state.wallets.set(customer, wallet);
  return wallet;
}

export function percentOffNext(state: StripeState, customer: string): number {
  const { coupon } = walletOf(state, customer);
  return coupon && coupon.invoices > 0 ? coupon.percentOff : 0;
}

export function liveCustomer(state: StripeState, id: unknown): Stripe.Customer | undefined {
  return state.deleted.has(String(id)) ? undefined : state.customers.get(String(id));
}

export function newest<T>(map: Map<string, T>): T[] {
  return [...map.values()].reverse();
}

/** The customer's current time in epoch seconds. */
export function timeOf({ context, state }: StripeService, customer?: unknown): number {
  const ahead = state.wallets.get(String(customer))?.ahead ?? 0;
  return Math.floor(context.now() / 1000) + ahead;
}

export function musicianOfCustomer(customer: Stripe.Customer | undefined): string | null {
  return customer ? musicianFor(customer.metadata.user_id, customer.email) : null;
}

/** Goes by the session's own fields, not by its customer. */
export function musicianOfSession(session: Stripe.Checkout.Session | undefined): string | null {
  return musicianFor(session?.client_reference_id, session?.customer_email);
}
