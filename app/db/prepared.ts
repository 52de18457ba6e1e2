import { fillPlaceholders, type Query, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { createDatabase, type Database } from "./client.server";

/** A value that each request gives, as part of a statement. */
export type Given = <Value>(name: string) => SQL<Value>;

/** What drizzle makes of a statement: its text, and how its rows are read. */
interface BuiltStatement {
  getQuery(): Query;
  mapResult(result: unknown, isFromBatch?: boolean): unknown;
}

type Statement = BatchItem<"sqlite"> & { prepare(): BuiltStatement };

/**
 * A statement for `db.batch` that is built once in an isolate, for pages that many ask for: writing its
 * SQL takes drizzle longer than D1 takes to answer it.
 * @param build writes the statement, with `given("name")` where each request has its own value.
 * @returns the statement for one request, from its database and its values by name.
 */
export function prepared<Built extends Statement>(build: (db: Database, given: Given) => Built) {
  let built: BuiltStatement | null = null;
  return (db: Database, values: Record<string, unknown> = {}): Pick<Built, "_"> => {
    built ??= build(unconnected(), (name) => sql`${sql.placeholder(name)}`).prepare();
    const { sql: text, params } = built.getQuery();
    const bound = {
      stmt: db.$client.prepare(text),
      getQuery: () => ({ sql: text, params: fillPlaceholders(params, values) }),
      mapResult: built.mapResult.bind(built),
    };
    // This is all that drizzle's `batch` asks of a statement.
    return new Prepared(bound) as unknown as Pick<Built, "_">;
  };
}

class Prepared<Bound> {
  readonly _prepare: () => Bound;
  constructor(bound: Bound) {
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
