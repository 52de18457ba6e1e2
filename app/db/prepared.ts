import { fillPlaceholders, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { PreparedQuery } from "drizzle-orm/session";
import { createDatabase, type Database } from "./client.server";

/** Marks the place of a value that each request gives, in a statement that is built once. */
export type Param = <Value>(name: string) => SQL<Value>;

type Statement = BatchItem<"sqlite"> & { prepare(): PreparedQuery };

/**
 * A statement for `db.batch` that is built once in an isolate, for pages that are asked for often: building
 * their statements anew takes an eighth of their processor time. Drizzle can prepare a statement, but not
 * run it in a batch with a request's values, so this stands in for one. No other file uses what drizzle
 * keeps to itself (test/unit/private-names.test.ts).
 * @param build writes the statement, with `param("name")` where each request has its own value.
 * @returns the statement for one request, from its database and its values by name.
 */
export function prepared<Built extends Statement>(build: (db: Database, param: Param) => Built) {
  let built: PreparedQuery | null = null;
  return (db: Database, values: Record<string, unknown> = {}): Pick<Built, "_"> => {
    built ??= build(unconnected(), (name) => sql`${sql.placeholder(name)}`).prepare();
    const { sql: text, params } = built.getQuery();
    return new Prepared({
      stmt: db.$client.prepare(text),
      getQuery: () => ({ sql: text, params: fillPlaceholders(params, values) }),
      mapResult: built.mapResult.bind(built),
    }) as unknown as Pick<Built, "_">;
  };
}

/** A class, because `runBatch` takes plain objects for groups of statements. */
class Prepared {
  readonly _prepare: () => PreparedQuery & { stmt: D1PreparedStatement };
  constructor(bound: PreparedQuery & { stmt: D1PreparedStatement }) {
    this._prepare = () => bound;
  }
}

/** A database to build statements with, which runs none. */
function unconnected(): Database {
  const nothing = () => null as never;
  return createDatabase({ prepare: nothing, batch: nothing });
}

/** The rows that a prepared statement yields. */
export type RowsOf<Prepared extends (...values: never[]) => BatchItem> =
  ReturnType<Prepared>["_"]["result"];
