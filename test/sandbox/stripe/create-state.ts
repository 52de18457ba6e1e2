/** Creates the state of the Stripe stand-in: restored or seeded, and reset on request. */
import type { SandboxContext } from "../context.ts";
import { musicianOfCustomer, musicianOfSession } from "./owner.ts";
import { seedInto } from "./seed.ts";
import type { StripeState } from "./state.ts";

const SECTION = "stripe";

/** Restores the state of the last run; the first run starts with the seed. */
export function createState(context: SandboxContext): StripeState {
  const state = emptyState();
  const saved = context.store.load(SECTION) as Record<keyof StripeState, unknown[]> | null;
  if (saved) restore(state, saved);
  else seedInto(state, context.now());

  context.store.register(SECTION, () =>
    Object.fromEntries(Object.entries(state).map(([name, collection]) => [name, [...collection]])),
  );
  context.resets.push((musician) => {
    if (musician === undefined) for (const collection of Object.values(state)) collection.clear();
    else removeMusician(state, musician);
    seedInto(state, context.now(), musician);
    context.store.changed();
  });
  return state;
}

function emptyState(): StripeState {
  return {
    customers: new Map(),
    deleted: new Set(),
    indexed: new Set(),
    wallets: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    sessions: new Map(),
    portals: new Map(),
    events: new Map(),
    answers: new Map(),
  };
}

function restore(state: StripeState, saved: Record<keyof StripeState, unknown[]>): void {
  for (const [name, entries] of Object.entries(saved)) {
    const collection = state[name as keyof StripeState] as Map<unknown, unknown> | Set<unknown>;
    for (const entry of entries) {
      if (collection instanceof Set) collection.add(entry);
      else collection.set(...(entry as [unknown, unknown]));
    }
  }
}

/** Removes everything that belongs to a musician. */
function removeMusician(state: StripeState, musician: string): void {
  const { sessions } = state;
  const removed = new Set(
    [...state.customers.values()]
      .filter((customer) => musicianOfCustomer(customer) === musician)
      .map(({ id }) => id),
  );
  for (const [id, { session }] of sessions) {
    const owned = musicianOfSession(session) === musician;
    if (owned || removed.has(String(session.customer))) sessions.delete(id);
  }
  for (const [id, record] of state.events) {
    if (record.musician === musician) state.events.delete(id);
  }
  for (const collection of [state.subscriptions, state.invoices, state.portals]) {
    for (const [id, { customer }] of collection)
      if (removed.has(String(customer))) collection.delete(id);
  }
  for (const id of removed) {
    state.customers.delete(id);
    state.deleted.delete(id);
    state.indexed.delete(id);
    state.wallets.delete(id);
  }
}
