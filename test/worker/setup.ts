import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach } from "vitest";

beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

/** Each test begins with an empty database: the pool is one for all users, and so would tests be. */
beforeEach(async () => {
  const tables = await env.DB.prepare(
    `SELECT name FROM sqlite_schema WHERE type = 'table'
       AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name <> 'd1_migrations'`,
  ).all<{ name: string }>();
  await env.DB.batch([
    // Within a transaction, so that the order of the tables does not matter.
    env.DB.prepare("PRAGMA defer_foreign_keys = ON"),
    ...tables.results.map(({ name }) => env.DB.prepare(`DELETE FROM "${name}"`)),
  ]);
});
