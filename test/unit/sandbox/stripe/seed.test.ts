/** The demo subscribers are the same at Stripe as in the seeded database. */
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { seedSql } from "../../../sandbox/seed.ts";
import { startRig } from "./rig.ts";

it.each(["active", "past_due"])("knows the subscriber who is %s", async (status) => {
  const now = Date.now();
  const db = new DatabaseSync(":memory:");
  const folder = new URL("../../../../migrations/", import.meta.url);
  for (const name of readdirSync(folder).sort()) {
    if (name.endsWith(".sql")) db.exec(readFileSync(new URL(name, folder), "utf8"));
  }
  db.exec(seedSql("http://127.0.0.1:8788", now));
  const row = db
    .prepare("SELECT * FROM subscriptions JOIN users ON users.id = user_id WHERE status = ?")
    .get(status);

  const rig = await startRig();
  const subscription = await rig.stripe.subscriptions.retrieve(String(row?.subscription_id), {
    expand: ["customer", "latest_invoice"],
  });
  expect(subscription).toMatchObject({
    status,
    cancel_at: row?.cancel_at,
    metadata: { user_id: row?.user_id },
    customer: {
      id: row?.customer_id,
      email: row?.email,
      name: row?.display_name,
      metadata: { user_id: row?.user_id },
    },
    latest_invoice: { status: status === "active" ? "paid" : "open" },
  });
  expect(Math.abs(subscription.start_date - Number(row?.started_at) / 1000)).toBeLessThan(60);
  const period = subscription.items.data[0];
  expect(period?.current_period_start).toBeLessThan(now / 1000);
  expect(period?.current_period_end).toBeGreaterThan(now / 1000);
  await rig.close();
});
