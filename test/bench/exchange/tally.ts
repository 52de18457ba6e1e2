/** What is counted while an exchange is simulated, and what its database says at the end. */
import type { DatabaseSync } from "node:sqlite";

const hour = 60 * 60_000;
const day = 24 * hour;
/** Submissions made so shortly before the end do not count towards how long a promise takes. */
const lateDays = 4;
/** A promise that has been open in the rotation for longer seems never to be kept. */
const longestDays = 14;

/** A song's oldest open promise, before a rating. */
interface OpenPromise {
  owed: number;
  promisedAt: number;
  /** Since when it stands in line; null if it waits behind its owner's other songs. */
  lineSince: number | null;
}

export type Tally = ReturnType<typeof createTally>;

export function createTally(database: DatabaseSync, now: () => number) {
  const promiseOf = database.prepare(
    'SELECT owed, owed_since AS "promisedAt", line_since AS "lineSince" FROM songs WHERE id = ?',
  );
  const older = database.prepare(
    `SELECT count(*) FILTER (WHERE owed_since < ?1) AS "byDate",
       count(*) FILTER (WHERE line_since < ?2) AS "inLine"
     FROM songs WHERE owed_since > 0 AND (owed_since < ?1 OR line_since < ?2)
       AND resting_since IS NULL AND id NOT IN (SELECT value FROM json_each(?3))`,
  );
  const returned = new Set<string>();
  const visits = { all: 0, empty: 0, idle: 0 };
  const kept = { all: 0, overtookByDate: 0, overtookInLine: 0 };
  const passes: Record<string, number> = {};

  return {
    visits,
    kept,
    passes,
    ratings: 0,
    unplayable: 0,
    left: 0,
    visited({ isEmpty, rated }: { isEmpty: boolean; rated: number }) {
      visits.all += 1;
      if (isEmpty) visits.empty += 1;
      if (rated === 0) visits.idle += 1;
    },
    passed(reason: string) {
      passes[reason] = (passes[reason] ?? 0) + 1;
    },
    /** A song that has rested comes back behind all others, with its old date. */
    resumed(songId: string) {
      returned.add(songId);
    },
    promiseOf: (songId: string) => promiseOf.get(songId) as OpenPromise | undefined,
    /** Notes a rating, and which promises a day older the one it kept has overtaken. */
    rated(songId: string, before: OpenPromise | undefined) {
      this.ratings += 1;
      if (!before || before.owed % 5 !== 1 || returned.has(songId)) return;
      kept.all += 1;
      const { promisedAt, lineSince } = before;
      const overtaken = older.get(
        promisedAt - day,
        lineSince === null ? 0 : lineSince - day,
        JSON.stringify([...returned]),
      ) as { byDate: number; inLine: number };
      if (overtaken.byDate > 0) kept.overtookByDate += 1;
      if (overtaken.inLine > 0) kept.overtookInLine += 1;
    },
    atTheEnd: () => readEnd(database, now(), [...returned]),
  };
}

/** What the database says at the end; times in hours, infinite where a promise is still open. */
function readEnd(database: DatabaseSync, now: number, returned: string[]) {
  type Promised = { took: number | null; spent: number };
  const promised = database
    .prepare(
      `SELECT completed_at - submissions.created_at AS took, spent FROM submissions
       JOIN songs ON songs.id = song_id
       WHERE submissions.created_at < ?1 AND resting_since IS NULL
         AND song_id NOT IN (SELECT value FROM json_each(?2))`,
    )
    .all(now - lateDays * day, JSON.stringify(returned)) as unknown as Promised[];
  const hours = promised
    .map(({ took }) => (took === null ? Number.POSITIVE_INFINITY : took / hour))
    .sort((a, b) => a - b);
  const within = (share: number) => hours[Math.ceil(hours.length * share) - 1] ?? Number.NaN;
  type Counts = Record<
    "submissions" | "free" | "open" | "resting" | "oldest" | "oldestInLine" | "wishes",
    number
  >;
  const counts = database
    .prepare(
      `SELECT (SELECT count(*) FROM submissions) AS submissions,
         (SELECT count(*) FROM submissions WHERE spent = 0) AS free,
         count(*) FILTER (WHERE resting_since IS NULL) AS open,
         count(*) FILTER (WHERE resting_since IS NOT NULL) AS resting,
         ?1 - min(owed_since) FILTER (WHERE resting_since IS NULL) AS oldest,
         ?1 - min(line_since) AS "oldestInLine",
         (SELECT count(*) FROM song_wishes) AS wishes
       FROM songs WHERE owed > 0`,
    )
    .get(now) as unknown as Counts;
  const stuck = database
    .prepare(
      `SELECT songs.id, owed, (?1 - owed_since) / ${hour} AS hours, line_since IS NOT NULL AS "inLine"
       FROM songs WHERE owed_since < ?1 - ?2 AND resting_since IS NULL`,
    )
    .all(now, longestDays * day);
  return {
    ...counts,
    oldest: (counts.oldest ?? 0) / hour,
    oldestInLine: (counts.oldestInLine ?? 0) / hour,
    half: within(0.5),
    nineOfTen: within(0.9),
    all: within(1),
    stuck,
  };
}
