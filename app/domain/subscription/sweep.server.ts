import { and, asc, eq, gt, isNotNull, notInArray, or } from "drizzle-orm";
import { type Billing, BillingError } from "~/adapters/stripe/billing";
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
  const due = await db
    .select({ customerId: subscriptions.customerId })
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.customerId),
        or(
          notInArray(subscriptions.status, ["none", ...endedStatuses]),
          gt(subscriptions.updatedAt, clock() - checkoutMemoryMs),
        ),
      ),
    )
    .orderBy(asc(subscriptions.syncedAt))
    .limit(customersARun);
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

async function postpone(db: Database, customerId: string, now: number): Promise<void> {
  const known = eq(subscriptions.customerId, customerId);
  await db.update(subscriptions).set({ syncedAt: now }).where(known);
}
