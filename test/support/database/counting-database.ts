/** D1 with counters, for measuring the cost of a page or an action. */

/** A statement that was sent. */
export interface SentStatement {
  sql: string;
  params: unknown[];
}

export interface CountingDatabase {
  /** For the app, in place of the binding. */
  binding: D1Database;
  /** The number of calls; a batch is one call. */
  roundTrips(): number;
  /** All statements, in the order in which they were sent. */
  statements: SentStatement[];
  /** The rows that D1 scanned and would bill; NaN after a `first` or `raw`, for which D1 gives no figures. */
  rowsRead(): number;
}

/** Wraps a D1 binding without changing what it does. */
export function countingDatabase(database: D1Database): CountingDatabase {
  const statements: SentStatement[] = [];
  const wrapped = new WeakMap<
    D1PreparedStatement,
    { original: D1PreparedStatement; sent: SentStatement }
  >();
  let trips = 0;
  let rows = 0;

  function sending(...sent: SentStatement[]): void {
    trips += 1;
    statements.push(...sent);
  }

  function counted<T extends D1Result<unknown>>(result: T): T {
    rows += result.meta.rows_read;
    return result;
  }

  function wrap(original: D1PreparedStatement, sent: SentStatement): D1PreparedStatement {
    const statement = {
      bind: (...params: unknown[]) => wrap(original.bind(...params), { ...sent, params }),
      async all() {
        sending(sent);
        return counted(await original.all());
      },
      async run() {
        sending(sent);
        return counted(await original.run());
      },
      first(...column: [string]) {
        sending(sent);
        rows = Number.NaN;
        return original.first(...column);
      },
      raw(...options: [{ columnNames: true }]) {
        sending(sent);
        rows = Number.NaN;
        return original.raw(...options);
      },
    } as D1PreparedStatement;
    wrapped.set(statement, { original, sent });
    return statement;
  }

  const binding = {
    prepare: (sql: string) => wrap(database.prepare(sql), { sql, params: [] }),
    async batch(batch: D1PreparedStatement[]) {
      const known = batch.map((statement) => {
        const one = wrapped.get(statement);
        if (!one) throw new Error("a statement of another database");
        return one;
      });
      sending(...known.map(({ sent }) => sent));
      const results = await database.batch(known.map(({ original }) => original));
      return results.map(counted);
    },
  } as D1Database;
  binding.withSession = () => Object.assign(binding, { getBookmark: () => null });
  return { binding, roundTrips: () => trips, statements, rowsRead: () => rows };
}
