import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase, type Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { prepared } from "~/db/prepared";
import { ratings, songs, subscriptions, users } from "~/db/schema";

type Query = { sql: string; params: unknown[] };
type Mapped = { _prepare(): { mapResult(response: object, isFromBatch: true): unknown } };

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

test("rows are mapped as drizzle maps them", () => {
  const build = (db: Database) =>
    db
      .select({
        user: {
          userId: users.id,
          isNew: asBoolean(sql`rated_count = 0`, "is_new"),
          slide: users.slide,
        },
        subscription: { tier: subscriptions.tier, startedAt: subscriptions.startedAt },
        mixed: { address: subscriptions.price, name: users.displayName },
        news: sql`json('[1]')`.mapWith((text: string) => JSON.parse(text)).as("news"),
        createdAt: users.createdAt,
      })
      .from(users)
      .leftJoin(subscriptions, eq(subscriptions.userId, users.id));
  const db = createDatabase({ prepare: () => ({}) as never, batch: () => null as never });
  const slide = JSON.stringify({ position: 1 });
  const results = [
    ["one", 1, slide, "gold", 5, "2", "One", "[1]", 7],
    ["two", 0, slide, null, null, null, "Two", null, 8],
  ].map((values) => Object.fromEntries(values.map((value, at) => [`column ${at}`, value])));
  const { mapResult } = (prepared(build)(db) as unknown as Mapped)._prepare();
  const drizzle = (build(db) as unknown as Mapped)._prepare();
  expect(mapResult({ results }, true)).toEqual(drizzle.mapResult({ results }, true));
  expect(mapResult({ results }, true)).toMatchObject([
    { user: { userId: "one", isNew: true }, subscription: { tier: "gold" }, news: [1] },
    { subscription: null, mixed: { address: null, name: "Two" }, news: null },
  ]);
});
