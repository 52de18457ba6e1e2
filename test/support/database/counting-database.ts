/** D1 with a counter on it: what a page or an action costs. */

/** A statement as it was sent. */
export interface SentStatement {
  sql: string;
  params: unknown[];
}

export interface CountingDatabase {
  /** To be given to the app in place of the binding. */
  binding: D1Database;
  /** Calls that went over the wire; a batch is one. */
  roundTrips(): number;
  /** Every statement, in the order sent. */
  statements: SentStatement[];
  /** Rows that D1 scanned and would bill; statements sent by `raw` tell no figure, so none may be. */
  rowsRead(): number;
}

/** Wraps a D1 binding; it does what it did before. */
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
