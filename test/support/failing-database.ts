/** D1 that fails at will: a call refused, or carried out and its answer lost. */

/** What befalls a call: nothing; it is refused; or it is carried out and nobody is told. */
export type Fate = "fine" | "refused" | "lost";

/**
 * Wraps a D1 binding.
 * @param fate decides by the statements of a call, a batch being one, and its number, 1 and more.
 */
export function failingDatabase(
  database: D1Database,
  fate: (sql: string, call: number) => Fate,
): D1Database {
  const wrapped = new WeakMap<
    D1PreparedStatement,
    { original: D1PreparedStatement; sql: string }
  >();
  let calls = 0;

  async function call<T>(sql: string, carryOut: () => Promise<T>): Promise<T> {
    calls += 1;
    const fated = fate(sql, calls);
    if (fated === "refused") throw new Error("D1_ERROR: ordered to refuse");
    const result = await carryOut();
    if (fated === "lost") throw new Error("D1_ERROR: ordered to lose the answer");
    return result;
  }

  function wrap(original: D1PreparedStatement, sql: string): D1PreparedStatement {
    const statement = {
      bind: (...params: unknown[]) => wrap(original.bind(...params), sql),
      all: () => call(sql, () => original.all()),
      run: () => call(sql, () => original.run()),
      first: (...column: [string]) => call(sql, () => original.first(...column)),
      raw: (...options: [{ columnNames: true }]) => call(sql, () => original.raw(...options)),
    } as D1PreparedStatement;
    wrapped.set(statement, { original, sql });
    return statement;
  }

  return {
    prepare: (sql: string) => wrap(database.prepare(sql), sql),
    async batch(batch: D1PreparedStatement[]) {
      const known = batch.map((statement) => {
        const one = wrapped.get(statement);
        if (!one) throw new Error("a statement of another database");
        return one;
      });
      const sql = known.map((one) => one.sql).join(";\n");
      return call(sql, () => database.batch(known.map((one) => one.original)));
    },
  } as D1Database;
}
