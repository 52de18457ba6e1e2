import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.server";

type Statement = BatchItem<"sqlite">;

interface OnCommit<Result = unknown> {
  readonly statement: Statement;
  done(result: Result): void;
}

type Group = { readonly [name: string]: Batch } | readonly Batch[];

/** Statements by name, in the order in which they run. Null is left out. */
export type Batch = Statement | OnCommit | Group | null;

/**
 * The results by the statements' names. `unknown` for the unspecialised `Batch`, because the type would
 * recurse for ever.
 */
export type Results<Of> = [Batch] extends [Of]
  ? unknown
  : Of extends null | undefined
    ? undefined
    : Of extends Statement
      ? Of["_"]["result"]
      : Of extends OnCommit<infer Result>
        ? Result
        : { [Name in keyof Of]: Results<Of[Name]> };

/** Runs a batch as one transaction, in one round trip. An empty batch makes none. */
export function runBatch<Of extends Batch>(db: Database, batch: Of): Promise<Results<Of>>;
export async function runBatch(db: Database, batch: Batch): Promise<unknown> {
  const steps = stepsOf(batch);
  const [first, ...rest] = steps.map((step) => (isOnCommit(step) ? step.statement : step));
  const results = first ? await db.batch([first, ...rest]) : [];
  for (const [index, step] of steps.entries()) {
    if (isOnCommit(step)) step.done(results[index]);
  }
  return named(batch, results.values());
}

/** A statement whose result goes to `done` once its batch is committed. */
export function onCommit<Its extends Statement>(
  statement: Its,
  done: (result: Its["_"]["result"]) => void,
): OnCommit<Its["_"]["result"]> {
  return { statement, done };
}

/**
 * A rule that writes. `gate` is a conditional write; `effects` receive SQL that is true only if it wrote its
 * row. Of concurrent requests, only those count that the gate lets through.
 */
export function gated<Gate extends Statement | OnCommit, Effects extends Batch>(
  gate: Gate,
  hasWritten: SQL,
  effects: (hasWritten: SQL) => Effects,
) {
  return { gate, effects: effects(hasWritten) };
}

export function hasRow(table: SQLiteTable & { id: SQLiteColumn }, id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${id})`;
}

/** The name of the first condition that does not hold: a gate is open while there is none. */
export function firstFailing<Name extends string>(conditions: Record<Name, SQL>) {
  const cases = Object.entries<SQL>(conditions).map(
    ([name, holds]) => sql`WHEN (${holds}) IS NOT TRUE THEN ${name}`,
  );
  return sql<Name | null>`CASE ${sql.join(cases, sql` `)} END`;
}

function stepsOf(batch: Batch): (Statement | OnCommit)[] {
  if (batch === null) return [];
  return isGroup(batch) ? Object.values(batch).flatMap(stepsOf) : [batch];
}

function named(batch: Batch, results: Iterator<unknown>): unknown {
  if (batch === null) return undefined;
  if (!isGroup(batch)) return results.next().value;
  if (Array.isArray(batch)) return batch.map((one) => named(one, results));
  const parts = Object.entries(batch).map(([name, one]) => [name, named(one, results)]);
  return Object.fromEntries(parts);
}

/** Drizzle's statements are instances of classes. */
function isGroup(batch: Statement | OnCommit | Group): batch is Group {
  if (isOnCommit(batch)) return false;
  return Array.isArray(batch) || Object.getPrototypeOf(batch) === Object.prototype;
}

function isOnCommit(batch: object): batch is OnCommit {
  return "done" in batch && typeof batch.done === "function";
}
