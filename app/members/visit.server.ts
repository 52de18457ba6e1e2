import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { cycleLength } from "~/db/rules";
import { users } from "~/db/schema";
import { visitTimeoutMs } from "./visit";

/** 1, 2, 3, 1 and so on. */
export function nextInCycle(column: SQLiteColumn): SQL<number> {
  return sql<number>`${column} % ${sql.raw(String(cycleLength))} + 1`;
}

/** Records activity. After thirty minutes without any, the visit counter moves on (`visitAt`). */
export function activeAt(now: number) {
  const isVisitOver = sql`${users.lastActiveAt} <= ${now - visitTimeoutMs}`;
  return {
    visit: sql<number>`iif(${isVisitOver}, ${nextInCycle(users.visit)}, ${users.visit})`,
    lastActiveAt: now,
  };
}
