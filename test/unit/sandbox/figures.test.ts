import { expect, test } from "vitest";
import { countDueDays } from "~/operator/counting";
import { seedSql } from "../../sandbox/seed";
import { migratedDatabase } from "../migrated-database";

test("the demo has a year of figures, of which the job counts today alone anew", () => {
  const now = Date.UTC(2026, 0, 15, 12);
  const db = migratedDatabase();
  db.exec(seedSql("http://127.0.0.1:8788", now));
  const days = () => db.prepare("SELECT * FROM daily_stats ORDER BY day DESC").all();
  const [today, ...before] = days();
  expect([today?.day, before.length]).toEqual(["2026-01-15", 364]);
  expect(before.every(({ logins }) => Number(logins) > 0)).toBe(true);
  const hourLater = now + 60 * 60_000;
  db.exec(countDueDays(hourLater));
  const [counted, ...still] = days();
  expect(counted).toMatchObject({ day: "2026-01-15", logins: 0, premium_members: 2 });
  expect(still).toEqual(before);
});
