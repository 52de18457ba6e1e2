import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { actions, pages } from "./cost-runs";

interface Step {
  detail: string;
}

/** The names under which a statement's own subqueries appear in its plan. */
function subqueries(plan: Step[]): string[] {
  return plan.flatMap(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1] ?? []);
}

/**
 * The steps that walk through a table or an index from one end to the other. Constant rows and
 * VALUES are no tables, and a subquery is as long as the statement inside it, whose own steps are
 * looked at too.
 */
function scans(plan: Step[]): string[] {
  const own = subqueries(plan);
  return plan
    .map(({ detail }) => detail)
    .filter((detail) => {
      const [, scanned = ""] = /^SCAN (\S+)/.exec(detail) ?? [];
      if (scanned === "" || own.includes(scanned)) return false;
      return !/^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS|\d+-ROW VALUES CLAUSE)/.test(detail);
    });
}

async function explain(sql: string, params: unknown[] = []): Promise<Step[]> {
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<Step & Record<string, unknown>>();
  return results;
}

test.each([...pages, ...actions])(
  "$name reads no table or index from end to end",
  async ({ run }) => {
    const { statements } = await run("ayla-demirkan");
    for (const { sql, params } of statements) {
      expect({ sql, scans: scans(await explain(sql, params)) }).toEqual({ sql, scans: [] });
    }
  },
);

test("what would read one from end to end is found", async () => {
  const guilty = [
    "SELECT * FROM songs",
    "SELECT * FROM songs ORDER BY due_at LIMIT 150",
    "SELECT count(*) FROM ratings",
    "SELECT * FROM users WHERE email = 'x'",
    "SELECT * FROM (SELECT * FROM ratings ORDER BY score LIMIT 3) AS last JOIN songs ON title = 'x'",
    "DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE display_name = 'x')",
  ];
  for (const sql of guilty) {
    expect({ sql, found: scans(await explain(sql)).length > 0 }).toEqual({ sql, found: true });
  }
});
