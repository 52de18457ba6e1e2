import { sql } from "drizzle-orm";
import { createDatabase } from "~/db/client.server";
import { countEvent } from "~/db/count-event.server";
import { runBatch } from "~/db/gated";
import { logEvent } from "~/platform/log";
import { alarms } from "./alarms";

/**
 * Counts the events of a request, queue batch or job run that the operator must know of. One round trip,
 * usually none. If the database does not answer, only the log has them.
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
      countEvent(db, event, now, { times: sql`${times}` }),
    );
    await runBatch(db, counts);
  } catch (error) {
    logEvent("alarms_not_counted", { error });
  }
}
