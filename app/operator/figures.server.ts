import { desc, gte, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { dailyStats } from "~/db/schema";
import { countDueDays, daysUntil } from "./counting";
import { type DailyFigures, daysShown, fillDays } from "./figures";

/** The statement that writes the figures of today and yesterday, if they are due. */
export function writeFigures(db: Database, now: number) {
  return db.run(sql.raw(countDueDays(now)));
}

/** The statement that reads the figures of the last days; days without a row are left out. */
export function selectFigures(db: Database, now: number) {
  const [first = ""] = daysUntil(now, daysShown);
  return db
    .select()
    .from(dailyStats)
    .where(gte(dailyStats.day, first))
    .orderBy(desc(dailyStats.day))
    .limit(daysShown);
}

/** The figures from the rows of `selectFigures`, one entry a day. */
export function toFigures(rows: (typeof dailyStats.$inferSelect)[], now: number): DailyFigures[] {
  return fillDays(
    rows.map(({ writtenAt: _writtenAt, ...figures }) => figures),
    daysUntil(now, daysShown),
  );
}
