import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { prepared } from "~/db/prepared";
import { ratings, songs } from "~/db/schema";

type Query = { sql: string; params: unknown[] };

/** What would be sent to the database. */
function sent(statement: ReturnType<typeof prepared>, values: Record<string, unknown>): Query {
  const db = createDatabase({ prepare: () => ({}) as never, batch: () => null as never });
  const { _prepare } = statement(db, values) as unknown as { _prepare(): { getQuery(): Query } };
  return _prepare().getQuery();
}

test("constants are text, so that SQLite plans the statement once", () => {
  const statement = prepared((db) =>
    db.select({ id: songs.id }).from(songs).where(eq(songs.title, "Who's there?")).limit(3),
  );
  const { sql: text, params } = sent(statement, {});
  expect(text).toMatch(/"title" = 'Who''s there\?' limit 3$/);
  expect(params).toEqual([]);
});

test("a value that stands in two places is bound once, in the order of the names", () => {
  const statement = prepared((db, param) =>
    db
      .select({ id: ratings.id })
      .from(ratings)
      .where(sql`${param("a")} = ${param("b")} OR ${param("b")} = ${param("a")} OR '?' = ${7}`),
  );
  const { sql: text, params } = sent(statement, { b: 2, a: "1" });
  expect(text).toContain("?1 = ?2 OR ?2 = ?1 OR '?' = 7");
  expect(params).toEqual(["1", 2]);
});

test("a constant that has no text is refused", () => {
  const statement = prepared((db) =>
    db
      .select({ id: songs.id })
      .from(songs)
      .where(sql`${new Uint8Array(2)} = 1`),
  );
  expect(() => sent(statement, {})).toThrow("has no text");
});
