/**
 * D1 that fails at will: a call refused, carried out and its answer lost, or broken off by one of its
 * statements.
 */

/**
 * What befalls a call: nothing; it is refused; it is carried out and nobody is told; or one statement
 * of it, 0 and more, fails where D1 runs it, so that D1 itself takes back what came before.
 */
export type Fate = "fine" | "refused" | "lost" | { broken: number };

/** D1 prepares it gladly, and stumbles over it when it is run. */
const stumbling = "SELECT json('not JSON')";

/**
 * Wraps a D1 binding.
 * @param fate decides by the statements of a call, a batch being one, its number, 1 and more, and how
 *   many statements it has.
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
    if (fated === "lost") throw new Error("D1_ERROR: ordered to lose the answer");
    return result;
  }

  function wrap(original: D1PreparedStatement, sql: string): D1PreparedStatement {
    const run = (broken: number | null) =>
      broken === null ? original : database.prepare(stumbling);
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
            index === broken ? database.prepare(stumbling) : one.original,
          ),
        );
      return call(sql, carryOut, known.length);
    },
    withSession: () => Object.assign(failing, { getBookmark: () => null }),
  };
  return failing as D1Database;
}
