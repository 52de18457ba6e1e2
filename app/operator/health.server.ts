import { desc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { listOf } from "~/db/expressions";
import type { Results } from "~/db/gated";
import { dailyCounts, jobRuns, outbox, users } from "~/db/schema";
import { selectOldestPromise } from "~/exchange/community/numbers.server";
import { selectCircle } from "~/exchange/pool/circle.server";
import { dayMs, dayOf } from "~/platform/dates";
import { databaseAlarm, databaseLimit, jobStates, mailOverdueMs, raisedAlarms } from "./alarms";
import { kindsThatTell } from "./decisions";

const limits = { failed: 10, waiting: 50 };

export type Health = ReturnType<typeof toHealth>;

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
        // A mail may be due from the start of time on, but was not owed then.
        oldestDueAt: sql<number | null>`min(max(not_before, created_at))`.as("oldest_due_at"),
      })
      .from(
        sql`(SELECT not_before, created_at FROM outbox WHERE state = 'pending' AND not_before <= ${now}
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
      .leftJoin(users, eq(users.id, outbox.userId))
      .where(
        sql`${outbox.state} = 'failed' AND ${outbox.mailId} = ${outbox.id}
          AND kind NOT IN ${listOf(kindsThatTell)}`,
      )
      .orderBy(desc(outbox.createdAt))
      .limit(limits.failed + 1),
    promise: selectOldestPromise(db),
    circle: selectCircle(db, now),
    rounds: db
      .select({
        gathering: sql<number>`(SELECT count(*) FROM rounds
          WHERE gather_until > 0 AND begun_at IS NULL AND ended_at IS NULL)`.as("gathering"),
        listening: sql<number>`(SELECT count(*) FROM rounds
          WHERE ends_at > 0 AND begun_at IS NOT NULL AND opened_at IS NULL)`.as("listening"),
      })
      .from(sql`(SELECT 1)`),
    // D1 tells its size with any result.
    size: db.run(sql`SELECT 1`),
  };
}

export function toHealth(rows: Results<ReturnType<typeof selectHealth>>, now: number) {
  const { counts, jobs, waiting, failed, promise, circle, rounds, size } = rows;
  const [today, yesterday] = daysOf(now);
  const refused = (day: string) =>
    counts.find((one) => one.name === "webhook_refused" && one.day === day)?.count ?? 0;
  const [{ count = 0, oldestDueAt = null } = {}] = waiting;
  const bytes = size.meta.size_after ?? 0;
  return {
    alarms: raisedAlarms(counts, [today, yesterday]),
    jobs: jobStates(jobs, now),
    mails: {
      /** Counted up to `most`. */
      waiting: count,
      most: limits.waiting,
      oldestDueAt,
      isOverdue: oldestDueAt !== null && now - oldestDueAt > mailOverdueMs,
      failed: failed.slice(0, limits.failed),
      more: failed.length > limits.failed,
    },
    webhooksRefused: { today: refused(today), yesterday: refused(yesterday) },
    /** Among the songs at the front of the line. */
    oldestPromiseAt: promise[0]?.at ?? null,
    /** Of the last week, and of these who had been here before it; counted up to a hundred logins. */
    circle: circle[0] ?? { members: 0, back: 0 },
    rounds: { gathering: 0, listening: 0, ...rounds[0] },
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

export async function databaseAnswers(db: Database): Promise<boolean> {
  try {
    await db.run(sql`SELECT id FROM users LIMIT 1`);
    return true;
  } catch {
    return false;
  }
}
