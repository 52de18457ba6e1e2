/** What the Stripe stand-in holds: the objects themselves, and what Stripe knows beside them. */
import type Stripe from "stripe";
import type { SandboxContext } from "../context.ts";
import { newId } from "./objects/ids.ts";
import type { Line } from "./objects/prices.ts";
import { seedInto } from "./seed.ts";
import { musicianOf, whose } from "./whose.ts";

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
  /** Whose it is, as in whose.ts. */
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

const SECTION = "stripe";

/** As it was when the sandbox last stopped, or as seeded. */
export function createState(context: SandboxContext): StripeState {
  const state = emptyState();
  const saved = context.store.load(SECTION) as Record<keyof StripeState, unknown[]> | null;
  if (saved) fill(state, saved);
  else seedInto(state, context.now());

  context.store.keep(SECTION, () =>
    Object.fromEntries(Object.entries(state).map(([name, held]) => [name, [...held]])),
  );
  context.resets.push((musician) => {
    if (musician === undefined) for (const held of Object.values(state)) held.clear();
    else forget(state, musician);
    seedInto(state, context.now(), musician);
    context.store.changed();
  });
  return state;
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

function emptyState(): StripeState {
  return {
    customers: new Map(),
    deleted: new Set(),
    wallets: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    sessions: new Map(),
    portals: new Map(),
    events: new Map(),
    answers: new Map(),
  };
}

function fill(state: StripeState, saved: Record<keyof StripeState, unknown[]>): void {
  for (const [name, entries] of Object.entries(saved)) {
    const held = state[name as keyof StripeState] as Map<unknown, unknown> | Set<unknown>;
    for (const entry of entries) {
      if (held instanceof Set) held.add(entry);
      else held.set(...(entry as [unknown, unknown]));
    }
  }
}

/** Drops all that is a musician's. */
function forget(state: StripeState, musician: string): void {
  const { sessions } = state;
  const gone = new Set(
    [...state.customers.values()].filter((one) => musicianOf(one) === musician).map(({ id }) => id),
  );
  for (const [id, { session }] of sessions) {
    const theirs = whose(session.client_reference_id, session.customer_email) === musician;
    if (theirs || gone.has(String(session.customer))) sessions.delete(id);
  }
  for (const [id, record] of state.events) {
    if (record.musician === musician) state.events.delete(id);
  }
  for (const held of [state.subscriptions, state.invoices, state.portals]) {
    for (const [id, { customer }] of held) if (gone.has(String(customer))) held.delete(id);
  }
  for (const id of gone) {
    state.customers.delete(id);
    state.deleted.delete(id);
    state.wallets.delete(id);
  }
}
