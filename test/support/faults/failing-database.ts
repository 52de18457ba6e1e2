import { preparedOn, withoutSessions, wrappedDatabase } from "../database/wrapped-database";

/** A broken call fails in D1 at the statement with this index, which rolls back those before it. */
export type Fate = "fine" | "refused" | "lost" | { broken: number };

/** A statement that D1 can prepare but not run. */
const failingStatement = "SELECT json('not JSON')";

/** `fate` decides on each call by its SQL, its number from 1, and its number of statements. */
export function failingDatabase(
  database: D1Database,
  fate: (sql: string, call: number, statements: number) => Fate,
): D1Database {
  const prepare = preparedOn(database);
  let calls = 0;
  const wrapped = wrappedDatabase(async (sent, carryOut) => {
    calls += 1;
    const fated = fate(sent.map(({ sql }) => sql).join(";\n"), calls, sent.length);
    if (fated === "refused") throw new Error("D1_ERROR: ordered to refuse");
    const broken = typeof fated === "object" ? fated.broken : null;
    const result = await carryOut(database, (one, index) =>
      index === broken ? database.prepare(failingStatement) : prepare(one, index),
    );
    if (fated === "lost") throw new Error("D1_ERROR: ordered to lose the response");
    return result;
  });
  return withoutSessions(wrapped);
}
