import { asc, eq, type SQL, sql } from "drizzle-orm";
import { type Billing, BillingError } from "~/adapters/billing/billing";
import type { Database } from "~/db/client.server";
import { subscriptions } from "~/db/schema";
import { logEvent } from "~/platform/log";
import { endedStatuses } from "./record";
import { syncCustomer } from "./sync.server";

/** Of those without a subscription only who has begun a checkout lately is asked after. */
const checkoutMemoryMs = 2 * 24 * 60 * 60 * 1000;
/** After so many faults of Stripe's own, the rest waits for the next run. */
const mostOutages = 5;
/** As many customers as one run asks after, those asked after longest ago first; and at once. */
const customersARun = 200;
const atOnce = 5;

/** Catches up with what no webhook told: reads customers anew, one after the other's failure too. */
export async function sweepSubscriptions(
  db: Database,
  billing: Billing,
  clock: () => number,
): Promise<{ synced: number; failed: number }> {
  const due = await customersDue(db, clock());
  const outcome = { synced: 0, failed: 0 };
  let outages = 0;
  async function sync(customerId: string) {
    try {
      await syncCustomer(db, billing, customerId, clock);
      outcome.synced += 1;
    } catch (error) {
      outcome.failed += 1;
      logEvent("subscription_not_swept", { customerId, error });
      if (error instanceof BillingError && error.outage) outages += 1;
      // Who cannot be read must not stand at the head of every run.
      else await postpone(db, customerId, clock());
    }
  }
  async function work() {
    for (let next = due.shift(); next && outages < mostOutages; next = due.shift()) {
      if (next.customerId) await sync(next.customerId);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcome;
}

/**
 * The customers to ask after, those asked after longest ago first. The statuses stand in the statement
 * as they do in its index.
 */
async function customersDue(db: Database, now: number) {
  const over = sql.raw(["none", ...endedStatuses].map((status) => `'${status}'`).join(", "));
  function read(rows: SQL) {
    return db
      .select({ customerId: subscriptions.customerId, syncedAt: subscriptions.syncedAt })
      .from(subscriptions)
      .where(sql`customer_id IS NOT NULL AND ${rows}`)
      .orderBy(asc(subscriptions.syncedAt))
      .limit(customersARun);
  }
  const [live, lately] = await db.batch([
    // A range, so that the partial index is searched and not scanned.
    read(sql`status NOT IN (${over}) AND synced_at >= 0`),
    read(sql`status IN (${over}) AND updated_at > ${now - checkoutMemoryMs}`),
  ]);
  return [...live, ...lately].sort((a, b) => a.syncedAt - b.syncedAt).slice(0, customersARun);
}

async function postpone(db: Database, customerId: string, now: number): Promise<void> {
  const known = eq(subscriptions.customerId, customerId);
  await db.update(subscriptions).set({ syncedAt: now }).where(known);
}
