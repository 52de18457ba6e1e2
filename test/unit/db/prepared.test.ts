import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase, type Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { prepared } from "~/db/prepared";
import { ratings, songs, subscriptions, users } from "~/db/schema";

type Query = { sql: string; params: unknown[] };
type Mapped = { _prepare(): { mapResult(response: object, isFromBatch: true): unknown } };

const offline = createDatabase({ prepare: () => ({}) as never, batch: () => null as never });

/** What would be sent to the database. */
function sent(statement: ReturnType<typeof prepared>, values: Record<string, unknown>): Query {
  const { _prepare } = statement(offline, values) as unknown as {
    _prepare(): { getQuery(): Query };
  };
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

test.each([
  { kind: "that have one another", join: "innerJoin" as const },
  { kind: "of which one may be missing", join: "leftJoin" as const },
])("rows of tables $kind are mapped as drizzle maps them", ({ join }) => {
  const build = (db: Database) =>
    db
      .select({
        user: { userId: users.id, isNew: asBoolean(sql`rated_count = 0`, "is_new") },
        subscription: { tier: subscriptions.tier, startedAt: subscriptions.startedAt },
        slide: users.slide,
        news: sql`json('[1]')`.mapWith((text: string) => JSON.parse(text)).as("news"),
      })
      .from(users)
      [join](subscriptions, eq(subscriptions.userId, users.id));
  const results = [
    ["one", 1, "gold", 5, 3, "[1]"],
    ["two", 0, null, null, 0, null],
  ].map((values) => Object.fromEntries(values.map((value, at) => [`column ${at}`, value])));
  const { mapResult } = (prepared(build)(offline) as unknown as Mapped)._prepare();
  const drizzle = (build(offline) as unknown as Mapped)._prepare();
  const mapped = mapResult({ results }, true);
  expect(mapped).toEqual(drizzle.mapResult({ results }, true));
  expect(mapped).toMatchObject([
    { user: { userId: "one", isNew: true }, news: [1] },
    { news: null },
  ]);
});
