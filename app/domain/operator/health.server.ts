import { desc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import type { Results } from "~/db/gated";
import { dayMs } from "~/db/rules";
import { dailyCounts, jobRuns, outbox, users } from "~/db/schema";
import { dayOf } from "~/domain/figures/counting";
import {
  databaseAlarm,
  databaseLimit,
  type JobState,
  jobStates,
  mailOverdueMs,
  type Raised,
  raisedAlarms,
} from "./alarms";

/** How many failed mails are listed, waiting ones counted, and songs in line looked at. */
const limits = { failed: 10, waiting: 50, line: 50 };

/** A mail that was given up on. */
export interface FailedMail {
  id: string;
  userId: string;
  name: string;
  kind: string;
  fault: string | null;
  at: number;
}

/** How the product fares. */
export interface Health {
  alarms: Raised[];
  jobs: JobState[];
  mails: {
    /** How many are due, counted no further than `most`. */
    waiting: number;
    most: number;
    /** Since when the one is due that has been so longest; null if none is. */
    oldestDueAt: number | null;
    isOverdue: boolean;
    failed: FailedMail[];
    /** More failed than are listed. */
    more: boolean;
  };
  webhooksRefused: { today: number; yesterday: number };
  /** When the submission was made, of those at the front, that has waited longest; null if none waits. */
  oldestPromiseAt: number | null;
  database: { bytes: number; limit: number; isNearlyFull: boolean };
}

/** The statements that read how the product fares, for `toHealth`. */
export function selectHealth(db: Database, now: number) {
  return {
    counts: db
      .select()
      .from(dailyCounts)
      .where(inArray(dailyCounts.day, daysOf(now))),
    jobs: db.select().from(jobRuns),
    waiting: db
      .select({
        count: sql<number>`count(*)`.as("waiting"),
        oldestDueAt: sql<number | null>`min(not_before)`.as("oldest_due_at"),
      })
      .from(
        sql`(SELECT not_before FROM outbox WHERE state = 'pending' AND not_before <= ${now}
          ORDER BY not_before LIMIT ${limits.waiting})`,
      ),
    failed: db
      .select({
        id: sql<string>`${outbox.id}`.as("mail"),
        userId: outbox.userId,
        name: users.displayName,
        kind: outbox.kind,
        fault: outbox.fault,
        at: sql<number>`${outbox.createdAt}`.as("mail_at"),
      })
      .from(outbox)
      .innerJoin(users, eq(users.id, outbox.userId))
      .where(sql`${outbox.state} = 'failed' AND ${outbox.mailId} = ${outbox.id}`)
      .orderBy(desc(outbox.createdAt))
      .limit(limits.failed + 1),
    // Those in line stand there in the order of their promises, but for those that have rested.
    promise: db.select({ at: sql<number | null>`min(owed_since)`.as("oldest_promise_at") }).from(
      sql`(SELECT owed_since FROM (SELECT owed_since FROM songs WHERE line_since IS NOT NULL
            ORDER BY line_since, id LIMIT ${limits.line})
          UNION ALL SELECT owed_since FROM (SELECT owed_since FROM songs
            WHERE owed_since IS NOT NULL AND line_since IS NULL AND resting_since IS NULL
            ORDER BY owed_since, id LIMIT 1))`,
    ),
    // What D1 says of its size, whatever it is asked.
    size: db.run(sql`SELECT 1`),
  };
}

/** How the product fares, from the rows of `selectHealth`. */
export function toHealth(
  { counts, jobs, waiting, failed, promise, size }: Results<ReturnType<typeof selectHealth>>,
  now: number,
): Health {
  const [today, yesterday] = daysOf(now);
  const refused = (day: string) =>
    counts.find((one) => one.name === "webhook_refused" && one.day === day)?.count ?? 0;
  const [{ count = 0, oldestDueAt = null } = {}] = waiting;
  const bytes = size.meta.size_after ?? 0;
  return {
    alarms: raisedAlarms(counts, [today, yesterday]),
    jobs: jobStates(jobs, now),
    mails: {
      waiting: count,
      most: limits.waiting,
      oldestDueAt,
      isOverdue: oldestDueAt !== null && now - oldestDueAt > mailOverdueMs,
      failed: failed.slice(0, limits.failed),
      more: failed.length > limits.failed,
    },
    webhooksRefused: { today: refused(today), yesterday: refused(yesterday) },
    oldestPromiseAt: promise[0]?.at ?? null,
    database: {
      bytes,
      limit: databaseLimit,
      isNearlyFull: bytes > databaseAlarm * databaseLimit,
    },
  };
}

function daysOf(now: number): [today: string, yesterday: string] {
  return [dayOf(now), dayOf(now - dayMs)];
}
