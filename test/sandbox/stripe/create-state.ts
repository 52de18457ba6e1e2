/** Opens the state of the Stripe stand-in: saved or seeded, and reset on request. */
import type { SandboxContext } from "../context.ts";
import { musicianOfCustomer, musicianOfSession } from "./owner.ts";
import { seedInto } from "./seed.ts";
import type { StripeState } from "./state.ts";

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
    [...state.customers.values()]
      .filter((one) => musicianOfCustomer(one) === musician)
      .map(({ id }) => id),
  );
  for (const [id, { session }] of sessions) {
    const theirs = musicianOfSession(session) === musician;
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
