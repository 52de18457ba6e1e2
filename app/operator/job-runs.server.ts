import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { countEvent } from "~/db/count-event.server";
import { runBatch } from "~/db/gated";
import { jobRuns } from "~/db/schema";

/** A run of a scheduled job, named as in the log. */
export interface JobRun {
  job: string;
  failed: boolean;
}

/** Records that jobs have just run, and counts failures. One round trip. */
export async function noteRuns(db: Database, runs: JobRun[], now: number): Promise<void> {
  const failed = runs.filter((run) => run.failed).length;
  const note = ({ job, failed }: JobRun) => {
    const failedAt = failed ? now : null;
    return db
      .insert(jobRuns)
      .values({ job, ranAt: now, failedAt })
      .onConflictDoUpdate({
        target: jobRuns.job,
        set: { ranAt: now, failedAt: sql`coalesce(excluded.failed_at, failed_at)` },
      });
  };
  await runBatch(db, {
    runs: runs.map(note),
    failed: failed > 0 ? countEvent(db, "jobs_failed", now, { times: sql`${failed}` }) : null,
  });
}
