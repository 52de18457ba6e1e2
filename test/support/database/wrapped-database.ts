export interface SentStatement {
  sql: string;
  params: unknown[];
}

type Prepare = (sent: SentStatement, index: number) => D1PreparedStatement;

/** Decides about each call, which a batch is one of: `carryOut` makes it on a database. */
export type Around = <T>(
  sent: SentStatement[],
  carryOut: (database: D1Database, prepare?: Prepare) => Promise<T>,
  hasFigures: boolean,
) => Promise<T>;

export function preparedOn(database: D1Database): Prepare {
  return ({ sql, params }) => database.prepare(sql).bind(...params);
}

export function wrappedDatabase(around: Around) {
  const known = new WeakMap<D1PreparedStatement, SentStatement>();

  function statement(sql: string, params: unknown[]): D1PreparedStatement {
    const call = <T>(run: (one: D1PreparedStatement) => Promise<T>, hasFigures = false) =>
      around(
        [{ sql, params }],
        (database, prepare = preparedOn(database)) => run(prepare({ sql, params }, 0)),
        hasFigures,
      );
    const one = {
      bind: (...values: unknown[]) => statement(sql, values),
      all: () => call((prepared) => prepared.all(), true),
      run: () => call((prepared) => prepared.run(), true),
      first: (...column: [string]) => call((prepared) => prepared.first(...column)),
      raw: (...options: [{ columnNames: true }]) => call((prepared) => prepared.raw(...options)),
    } as D1PreparedStatement;
    known.set(one, { sql, params });
    return one;
  }

  return {
    prepare: (sql: string) => statement(sql, []),
    batch<T>(batch: D1PreparedStatement[]): Promise<D1Result<T>[]> {
      const sent = batch.map((one) => {
        const statement = known.get(one);
        if (!statement) throw new Error("a statement of another database");
        return statement;
      });
      return around(
        sent,
        (database, prepare = preparedOn(database)) => database.batch<T>(sent.map(prepare)),
        true,
      );
    },
  };
}

/** The same as a binding, whose sessions are itself. */
export function withoutSessions(wrapped: ReturnType<typeof wrappedDatabase>): D1Database {
  const session = { ...wrapped, getBookmark: () => null };
  return { ...session, withSession: () => session } as unknown as D1Database;
}
