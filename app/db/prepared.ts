import { is, Placeholder, type SQL, sql } from "drizzle-orm";
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
  let built: WrittenQuery | null = null;
  return (db: Database, values: Record<string, unknown> = {}): Pick<Built, "_"> => {
    built ??= asText(build(unconnected(), (name) => sql`${sql.placeholder(name)}`).prepare());
    const { text, names, mapResult } = built;
    return new Prepared({
      stmt: db.$client.prepare(text),
      getQuery: () => ({ sql: text, params: names.map((name) => values[name]) }),
      mapResult,
    }) as unknown as Pick<Built, "_">;
  };
}

interface WrittenQuery {
  text: string;
  /** Of the values to bind: the first is `?1`. */
  names: string[];
  mapResult: PreparedQuery["mapResult"];
}

/**
 * The statement with its constants as text: SQLite plans one anew each time that a bound value could change the plan,
 * as a limit can.
 */
function asText(query: PreparedQuery): WrittenQuery {
  const { sql: text, params } = query.getQuery();
  const values = params.values();
  const names: string[] = [];
  const written = text.replace(/'[^']*'|\?/g, (part) => {
    if (part !== "?") return part;
    const { value } = values.next();
    if (typeof value === "number") return String(value);
    if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
    if (!is(value, Placeholder)) throw new Error(`${String(value)} has no text in a statement.`);
    if (!names.includes(value.name)) names.push(value.name);
    return `?${names.indexOf(value.name) + 1}`;
  });
  return { text: written, names, mapResult: query.mapResult.bind(query) };
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
