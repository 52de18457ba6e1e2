/**
 * A D1 that fails on request: a call is refused, is carried out but its response is lost, or fails at
 * one of its statements.
 */

/**
 * The fate of a call: it works; it is refused; it is carried out but its response is lost; or the
 * statement with this index fails in D1, which then rolls back those before it.
 */
export type Fate = "fine" | "refused" | "lost" | { broken: number };

/** A statement that D1 can prepare but not run. */
const failingStatement = "SELECT json('not JSON')";

/**
 * Wraps a D1 binding.
 * @param fate decides on each call (a batch is one call) by its SQL, its number from 1, and its number
 *   of statements.
 */
export function failingDatabase(
  database: D1Database,
  fate: (sql: string, call: number, statements: number) => Fate,
): D1Database {
  const wrapped = new WeakMap<
    D1PreparedStatement,
    { original: D1PreparedStatement; sql: string }
  >();
  let calls = 0;

  async function call<T>(
    sql: string,
    carryOut: (broken: number | null) => Promise<T>,
    statements = 1,
  ): Promise<T> {
    calls += 1;
    const fated = fate(sql, calls, statements);
    if (fated === "refused") throw new Error("D1_ERROR: ordered to refuse");
    const result = await carryOut(typeof fated === "object" ? fated.broken : null);
    if (fated === "lost") throw new Error("D1_ERROR: ordered to lose the response");
    return result;
  }

  function wrap(original: D1PreparedStatement, sql: string): D1PreparedStatement {
    const run = (broken: number | null) =>
      broken === null ? original : database.prepare(failingStatement);
    const statement = {
      bind: (...params: unknown[]) => wrap(original.bind(...params), sql),
      all: () => call(sql, (broken) => run(broken).all()),
      run: () => call(sql, (broken) => run(broken).run()),
      first: (...column: [string]) => call(sql, (broken) => run(broken).first(...column)),
      raw: (...options: [{ columnNames: true }]) =>
        call(sql, (broken) => run(broken).raw(...options)),
    } as D1PreparedStatement;
    wrapped.set(statement, { original, sql });
    return statement;
  }

  const failing: Pick<D1Database, "prepare" | "batch" | "withSession"> = {
    prepare: (sql: string) => wrap(database.prepare(sql), sql),
    async batch<T>(batch: D1PreparedStatement[]) {
      const known = batch.map((statement) => {
        const one = wrapped.get(statement);
        if (!one) throw new Error("a statement of another database");
        return one;
      });
      const sql = known.map((one) => one.sql).join(";\n");
      const carryOut = (broken: number | null) =>
        database.batch<T>(
          known.map((one, index) =>
            index === broken ? database.prepare(failingStatement) : one.original,
          ),
        );
      return call(sql, carryOut, known.length);
    },
    withSession: () => Object.assign(failing, { getBookmark: () => null }),
  };
  return failing as D1Database;
}
