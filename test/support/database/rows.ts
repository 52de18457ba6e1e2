/** Rows by the schema: fields have its names and types, so that a rename is found and a slip is none of the test's. */
import { env } from "cloudflare:workers";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect } from "vitest";
import { createDatabase } from "~/db/client.server";
import * as schema from "~/db/schema";
import { contents } from "./contents";

export const db = createDatabase(env.DB);

type Tables = {
  [Name in keyof typeof schema as (typeof schema)[Name] extends SQLiteTable
    ? Name
    : never]: (typeof schema)[Name];
};
export type TableName = keyof Tables;
export type RowOf<Name extends TableName> = Tables[Name]["$inferSelect"];

const tables: Tables = schema;
const tableOf = (name: TableName) => tables[name] as SQLiteTable;

function matching(name: TableName, fields: object): SQL | undefined {
  const columns = tables[name] as unknown as Record<string, SQLiteColumn>;
  return and(
    ...Object.entries(fields).map(([field, value]) => {
      const column = columns[field];
      if (!column) throw new Error(`${name} has no ${field}`);
      return value === null ? isNull(column) : eq(column, value);
    }),
  );
}

/** The rows that have these values, in the order in which they were written where the table keeps one. */
export async function rows<Name extends TableName>(
  name: Name,
  having: Partial<RowOf<Name>> = {},
): Promise<RowOf<Name>[]> {
  const found = await db.select().from(tableOf(name)).where(matching(name, having));
  return found as RowOf<Name>[];
}

/** The only row that has these values. */
export async function row<Name extends TableName>(
  name: Name,
  having: Partial<RowOf<Name>> = {},
): Promise<RowOf<Name>> {
  const found = await rows(name, having);
  expect(found, `rows of ${name}`).toHaveLength(1);
  return found[0] as RowOf<Name>;
}

/** Changes all rows that have these values, as time or another part of the product would. */
export async function change<Name extends TableName>(
  name: Name,
  having: Partial<RowOf<Name>>,
  values: Partial<RowOf<Name>>,
): Promise<void> {
  await db.update(tableOf(name)).set(values).where(matching(name, having));
}

/**
 * Fails if anything is written meanwhile but counts of events, and logins, which may begin with what is run.
 * @returns what it returns.
 */
export async function untouched<Result>(run: () => Promise<Result>): Promise<Result> {
  const before = await written();
  const result = await run();
  const after = await written();
  const isNew = (line: string) => !before.includes(line);
  const isGone = (line: string) => !after.includes(line);
  expect({ gone: before.filter(isGone), new: after.filter(isNew) }).toEqual({ gone: [], new: [] });
  return result;
}

async function written(): Promise<string[]> {
  const { sessions: _logins, ...tables } = await contents();
  return Object.entries(tables).flatMap(([table, found]) =>
    (found as Record<string, unknown>[]).map((row) => {
      const { last_active_at: _active, hears_spotify_until: _hears, ...rest } = row;
      return `${table} ${JSON.stringify(rest)}`;
    }),
  );
}
