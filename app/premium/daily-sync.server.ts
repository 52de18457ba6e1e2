import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { subscriptions } from "~/db/schema";
import { dayMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { BillingError } from "./billing";
import { overStatuses } from "./record";
import type { Billing } from "./stripe.server";
import { type BillingServices, syncCustomer } from "./sync.server";

/** For so long after a checkout began, a customer without a subscription is read. */
const checkoutMemoryMs = 2 * dayMs;
/** After so many, the rest waits for the next run. */
const maxOutages = 5;
/** Each costs five calls. */
const customersPerRun = 200;
const concurrency = 5;

/** Catches up with changes that no webhook reported. Throws only if no customer at all could be read. */
export async function syncDueSubscriptions({
  billing,
  ...rest
}: BillingServices): Promise<{ synced: number; failed: number }> {
  const services = { ...rest, billing: withOnePrice(billing) };
  const { db, now } = services;
  const due = await customersDue(db, now());
  const outcome = { synced: 0, failed: 0 };
  let outages = 0;
  async function sync(customerId: string) {
    try {
      const { userId } = await syncCustomer(services, customerId);
      outcome.synced += 1;
      // Nothing was written, and it must not stand at the head of every run.
      if (userId === null) await postpone(db, customerId, now());
    } catch (error) {
      outcome.failed += 1;
      logEvent("subscription_not_swept", { customerId, error });
      if (error instanceof BillingError && error.outage) outages += 1;
      // A customer that cannot be read must not stand at the head of every run.
      else await postpone(db, customerId, now());
    }
  }
  async function work() {
    for (let next = due.shift(); next && outages < maxOutages; next = due.shift()) {
      if (next.customerId) await sync(next.customerId);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  if (outcome.failed > 0 && outcome.synced === 0) throw new Error("No customer could be read.");
  return outcome;
}

function withOnePrice(billing: Billing): Billing {
  let price: ReturnType<Billing["premiumPrice"]> | null = null;
  return {
    ...billing,
    premiumPrice() {
      price ??= billing.premiumPrice().catch((error) => {
        price = null;
        throw error;
      });
      return price;
    },
  };
}

/** Starts with the customers read longest ago. */
async function customersDue(db: Database, now: number) {
  function read(rows: SQL) {
    return db
      .select({ customerId: subscriptions.customerId, syncedAt: subscriptions.syncedAt })
      .from(subscriptions)
      .where(sql`customer_id IS NOT NULL AND ${rows}`)
      .orderBy(asc(subscriptions.syncedAt), asc(subscriptions.userId))
      .limit(customersPerRun);
  }
  const holders = sql`(SELECT count(*) FROM users
    WHERE own_email IS NOT NULL AND lower(own_email) = lower(matched_address))`;
  const { live, justEnded, waiting } = await runBatch(db, {
    // A range, so that the partial index is searched and not scanned.
    live: read(sql`status NOT IN (${overStatuses}) AND synced_at >= 0`),
    justEnded: read(sql`status IN (${overStatuses}) AND updated_at > ${now - checkoutMemoryMs}`),
    // Those that ended because several users had the address, of whom one is left.
    waiting: read(sql`status = 'none' AND matched_address > '' AND ${holders} = 1`),
  });
  const due = new Map([...live, ...justEnded, ...waiting].map((one) => [one.customerId, one]));
  return [...due.values()].sort((a, b) => a.syncedAt - b.syncedAt).slice(0, customersPerRun);
}

async function postpone(db: Database, customerId: string, now: number): Promise<void> {
  const known = eq(subscriptions.customerId, customerId);
  await db.update(subscriptions).set({ syncedAt: now }).where(known);
}
