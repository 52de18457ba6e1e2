import { desc, gte, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { dailyStats } from "~/db/schema";
import { countDueDays, daysUntil } from "./counting";
import { type DailyFigures, daysShown, fillDays } from "./figures";

/** Today and yesterday, if they are due. */
export function writeFigures(db: Database, now: number) {
  return db.run(sql.raw(countDueDays(now)));
}

export function selectFigures(db: Database, now: number) {
  const [first = ""] = daysUntil(now, daysShown);
  return db
    .select()
    .from(dailyStats)
    .where(gte(dailyStats.day, first))
    .orderBy(desc(dailyStats.day))
    .limit(daysShown);
}

export function toFigures(rows: (typeof dailyStats.$inferSelect)[], now: number): DailyFigures[] {
  return fillDays(
    rows.map(({ writtenAt: _writtenAt, ...figures }) => figures),
    daysUntil(now, daysShown),
  );
}
