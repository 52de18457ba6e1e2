import { desc, gte, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { dailyStats } from "~/db/schema";
import type { Operator } from "./audit.server";
import { countDueDays, daysUntil } from "./counting";
import { type DailyFigures, daysShown, fillDays } from "./figures";
import { selectHealth, toHealth } from "./health.server";
import { selectDecisions, toDecisions } from "./overview.server";
import { selectLook, toLook } from "./people.server";

/**
 * The operator's page, in one round trip whose number of rows does not grow with the product. `look`: when
 * the operator looked for somebody whom the page is to show.
 */
export async function loadOperation(
  db: Database,
  operator: Operator,
  { look, now }: { look: number | null; now: number },
) {
  const rows = await runBatch(db, {
    figures: selectFigures(db, now),
    health: selectHealth(db, now),
    decisions: selectDecisions(db),
    look: look === null ? null : selectLook(db, operator, { at: look, now }),
  });
  return {
    days: toFigures(rows.figures, now),
    health: toHealth(rows.health, now),
    decisions: toDecisions(rows.decisions, operator),
    look: rows.look ? toLook(rows.look) : null,
  };
}

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
