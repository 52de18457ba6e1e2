import { gt, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { rounds } from "~/db/schema";
import { selectCircle } from "~/exchange/pool/circle.server";
import { dayMs, dayOf } from "~/platform/dates";
import { type Numbers, numbersDays } from "./community";
import { selectCommunity, toCommunity } from "./community.server";

/** The songs at the front of the line that are looked at. */
const frontOfLine = 50;

/** The line is in the order of the promises, except for songs that have rested. */
export function selectOldestPromise(db: Database) {
  return db.select({ at: sql<number | null>`min(owed_since)`.as("oldest_promise_at") }).from(
    sql`(SELECT owed_since FROM (SELECT owed_since FROM songs WHERE line_since IS NOT NULL
          ORDER BY line_since, id LIMIT ${frontOfLine})
        UNION ALL SELECT owed_since FROM (SELECT owed_since FROM songs
          WHERE owed_since IS NOT NULL AND line_since IS NULL AND resting_since IS NULL
          ORDER BY owed_since, id LIMIT 1))`,
  );
}

/** What `/numbers` tells. One round trip, whose rows do not grow with the product. */
export async function loadNumbers(db: Database, now: number): Promise<Numbers> {
  const since = dayOf(now - numbersDays * dayMs);
  const { community, oldest, people, days, ...read } = await runBatch(db, {
    community: selectCommunity(db),
    oldest: selectOldestPromise(db),
    people: selectCircle(db, now),
    rounds: db
      .select({ held: sql<number>`count(*)`.as("held") })
      .from(rounds)
      .where(gt(rounds.openedAt, now - numbersDays * dayMs)),
    days: db
      .select({
        made: sql<number>`coalesce(sum(submissions), 0)`.as("made"),
        given: sql<number>`coalesce(sum(ratings), 0)`.as("given"),
        owed: sql<
          number | null
        >`(SELECT owed FROM daily_stats WHERE day > ${since} AND owed IS NOT NULL
          ORDER BY day DESC LIMIT 1)`.as("owed"),
      })
      .from(sql`daily_stats`)
      .where(sql`day > ${since}`),
  });
  return {
    community: toCommunity(community),
    countedAt: community[0]?.computedAt ?? null,
    oldestOpenAt: oldest[0]?.at ?? null,
    ...{ made: 0, given: 0, owed: null, ...days[0] },
    ...{ members: 0, back: 0, ...people[0] },
    rounds: read.rounds[0]?.held ?? 0,
  };
}
