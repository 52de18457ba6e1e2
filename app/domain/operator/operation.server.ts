import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { selectFigures, toFigures } from "~/domain/figures/figures.server";
import type { Operator } from "./audit.server";
import { selectHealth, toHealth } from "./health.server";
import { selectDecisions, toDecisions } from "./overview.server";
import { selectPerson, toPerson } from "./people.server";

/**
 * The data of the operator's page. One round trip, whose number of rows does not grow with the product.
 * @param asked Spotify id, confirmed address or id of the user that the operator looks for; null for none.
 * @param now epoch milliseconds.
 */
export async function loadOperation(
  db: Database,
  operator: Operator,
  { asked, now }: { asked: string | null; now: number },
) {
  const rows = await runBatch(db, {
    figures: selectFigures(db, now),
    health: selectHealth(db, now),
    decisions: selectDecisions(db),
    person: asked === null ? null : selectPerson(db, asked),
  });
  return {
    days: toFigures(rows.figures, now),
    health: toHealth(rows.health, now),
    decisions: toDecisions(rows.decisions, operator),
    person: rows.person ? toPerson(rows.person) : null,
  };
}
