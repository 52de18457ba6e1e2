import { Column, getTableName, is, Placeholder, SQL, sql } from "drizzle-orm";
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
  return { text: written, names, mapResult: mapperOf(query) };
}

type Decoded = SQL & { decoder: Pick<Column, "mapFromDriverValue"> };

/** What drizzle notes of a query's columns. */
interface Selection {
  fields?: { path: string[]; field: Column | Decoded | { sql: Decoded } }[];
  /** False for tables of which there may be no row. */
  joinsNotNullableMap?: Record<string, boolean>;
}

/** Maps rows as drizzle does, but does not find out anew for each value what kind of column it is of. */
function mapperOf(query: PreparedQuery): WrittenQuery["mapResult"] {
  const { fields, joinsNotNullableMap: isThere } = query as Selection;
  if (!fields || fields.some(({ path }) => path.length > 2)) return query.mapResult.bind(query);
  const columns = fields.map(({ path: [name = "", part], field }, at) => ({
    ...{ name, part, at },
    table: is(field, Column) && part !== undefined ? getTableName(field.table) : null,
    decoder: is(field, Column) ? field : is(field, SQL) ? field.decoder : field.sql.decoder,
  }));
  const optional = columns.filter(({ name, table, at }) => {
    const its = columns.filter((one) => one.name === name && one.table !== null);
    const isFirst = its[0]?.at === at && its.every((one) => one.table === table);
    return isFirst && table !== null && isThere !== undefined && !isThere[table];
  });

  const groups = new Set(columns.flatMap(({ name, part }) => (part === undefined ? [] : name)));
  return (response) =>
    (response as D1Result<object>).results.map((row) => {
      const values = Object.values(row);
      const mapped: Record<string, unknown> = {};
      for (const name of groups) mapped[name] = {};
      for (const { name, part, at, decoder } of columns) {
        const value = values[at] === null ? null : decoder.mapFromDriverValue(values[at]);
        if (part === undefined) mapped[name] = value;
        else (mapped[name] as typeof mapped)[part] = value;
      }
      for (const { name, at } of optional) if (values[at] === null) mapped[name] = null;
      return mapped;
    });
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
