import { sql } from "drizzle-orm";
import { runBatch } from "~/db/gated";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import type { Config } from "~/platform/env";

const mailsPerRun = 200;

/** Owes each member one mail about terms that are to hold, until they do (rule 51, terms). */
export async function mailTerms({
  config: {
    terms: { from },
  },
  now,
  ...services
}: OwedMailServices & { config: Pick<Config, "terms">; now: number }): Promise<{ count: number }> {
  if (now >= from) return { count: 0 };
  const key = sql<string>`${`terms:${from}:`} || users.id`;
  const { owed } = await runBatch(services.db, {
    owed: oweMail(
      services,
      { userId: sql`users.id`, kind: "terms", subjectId: sql`users.id`, dedupeKey: key, now },
      sql`FROM users WHERE NOT EXISTS (SELECT 1 FROM outbox AS before WHERE before.dedupe_key = ${key})
        LIMIT ${mailsPerRun}`,
    ),
  });
  return { count: owed.length };
}
