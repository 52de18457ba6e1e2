import { sql } from "drizzle-orm";
import { createDatabase, type Database } from "~/db/client.server";
import { countEvent } from "~/db/count-event.server";
import { runBatch } from "~/db/gated";
import { jobRuns } from "~/db/schema";
import { logEvent } from "~/platform/log";
import { alarms } from "./alarms";

/** Counts what the operator must know of. If the database does not answer, only the log has it. */
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

export interface JobRun {
  job: string;
  failed: boolean;
}

export async function noteRuns(db: Database, runs: JobRun[], now: number): Promise<void> {
  const failures = runs.filter(({ failed }) => failed).length;
  await runBatch(db, {
    runs: runs.map(({ job, failed }) =>
      db
        .insert(jobRuns)
        .values({ job, ranAt: now, failedAt: failed ? now : null })
        .onConflictDoUpdate({
          target: jobRuns.job,
          set: { ranAt: now, failedAt: sql`coalesce(excluded.failed_at, failed_at)` },
        }),
    ),
    failures: failures > 0 ? countEvent(db, "jobs_failed", now, { times: sql`${failures}` }) : null,
  });
}
