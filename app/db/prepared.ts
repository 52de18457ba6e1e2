import { fillPlaceholders, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { PreparedQuery } from "drizzle-orm/session";
import { createDatabase, type Database } from "./client.server";

export type Param = <Value>(name: string) => SQL<Value>;

type Statement = BatchItem<"sqlite"> & { prepare(): PreparedQuery };

/**
 * Builds a statement once in an isolate, for pages that are asked for often: building takes an eighth of
 * their processor time. Drizzle can prepare a statement, but not run it in a batch with a request's values,
 * so this stands in for one. No other file uses what drizzle keeps to itself
 * (test/unit/private-names.test.ts). `param("name")` stands where each request has its own value.
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

function unconnected(): Database {
  const nothing = () => null as never;
  return createDatabase({ prepare: nothing, batch: nothing });
}

export type RowsOf<Prepared extends (...values: never[]) => BatchItem> =
  ReturnType<Prepared>["_"]["result"];
