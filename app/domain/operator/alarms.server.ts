import { sql } from "drizzle-orm";
import { createDatabase } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { countInPassing } from "~/domain/figures/passing.server";
import { logEvent } from "~/platform/log";
import { alarms } from "./alarms";

/**
 * Counts the events of one request, batch or run of which the operator has to know; in one round trip, or
 * in none, as a rule. Where the database does not answer, the log alone has them.
 * @param seen how often each event was logged.
 */
export async function countAlarms(
  binding: D1Database,
  seen: ReadonlyMap<string, number>,
  now: number,
): Promise<void> {
  const raised = [...seen].filter(([event]) => Object.hasOwn(alarms, event));
  if (raised.length === 0) return;
  try {
    const db = createDatabase(binding);
    const counts = raised.map(([event, times]) =>
      countInPassing(db, event, now, { times: sql`${times}` }),
    );
    await runBatch(db, counts);
  } catch (error) {
    logEvent("alarms_not_counted", { error });
  }
}
