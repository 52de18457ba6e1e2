import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import type { Operator } from "./audit.server";
import { selectFigures, toFigures } from "./figures.server";
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
