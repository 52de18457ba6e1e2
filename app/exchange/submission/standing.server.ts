import type { SQL } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import type { Results } from "~/db/gated";
import { type InLogin, type Pool, selectPools, toPools } from "~/exchange/pool/pool.server";
import type { Viewer } from "~/members/viewer.server";
import { eligibility, submissionObstacle } from "./eligibility";
import { selectOwnSongs } from "./limits.server";

type Rows = Results<ReturnType<typeof selectStanding>>;

export function selectStanding(
  db: Database,
  viewerId: string | SQL<string>,
  options: Parameters<typeof selectPools>[2],
) {
  return { pools: selectPools(db, viewerId, options), own: selectOwnSongs(db, viewerId) };
}

/** Whether a viewer may submit, and at what price, or why not (rules 25, 26, 37 and 39). */
export function toStanding(
  { pools, own }: Rows,
  viewer: Viewer,
  now: number,
  agreedCost?: number | null,
) {
  return standingOf({ pool: toPools(pools, viewer, { now }), own }, viewer, now, agreedCost);
}

/** The same, of a pool that is open. */
export function standingOf(
  { pool, own: [own = { owed: 0, locked: null }] }: { pool: InLogin<Pool>; own: Rows["own"] },
  viewer: Viewer,
  now: number,
  agreedCost: number | null = null,
) {
  const standing = { ...viewer, ...pool, agreedCost };
  const terms = eligibility(standing, viewer.tierConfig.ratingsToSubmit, now);
  return { standing, terms, obstacle: submissionObstacle({ ...standing, ...terms }, own, now) };
}
