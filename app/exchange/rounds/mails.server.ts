import { sql } from "drizzle-orm";
import { runBatch } from "~/db/gated";
import { roundMembers } from "~/db/schema";
import { advanceAllRounds } from "~/exchange/round/round.server";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { dayMs } from "~/platform/dates";

/** Who waited longer for a mail has seen by then what it says. */
const newsMs = dayMs;

/**
 * Lets all rounds go on whose time has come, and owes the mails about them (rule 47, rounds): it begins; it ends within
 * a day, or its host reminds of it; it is open. A member gets each once.
 */
export async function mailRounds({
  db,
  mailQueue,
  now,
}: OwedMailServices & { now: number }): Promise<{ count: number }> {
  const owe = (
    kind: "round_begins" | "round_ends" | "round_open",
    cause: string,
    which: ReturnType<typeof sql>,
  ) => {
    const key = sql<string>`${`${kind}:${cause}:`} || rounds.id || ':' || round_members.user_id`;
    return oweMail(
      { db, mailQueue },
      {
        id: sql`lower(hex(randomblob(16)))`,
        userId: sql`round_members.user_id`,
        kind,
        subjectId: sql`rounds.id`,
        dedupeKey: key,
        now,
      },
      sql`FROM rounds JOIN ${roundMembers} ON round_id = rounds.id
        WHERE round_members.song_id IS NOT NULL AND ${which}
          AND NOT EXISTS (SELECT 1 FROM outbox AS before WHERE before.dedupe_key = ${key})`,
    );
  };
  const isTheirs = sql`ends_at > 0 AND begun_at IS NOT NULL AND rounds.opened_at IS NULL AND listened_at IS NULL`;
  const { mails } = await runBatch(db, {
    goOn: advanceAllRounds(db, now),
    mails: {
      begins: owe("round_begins", "begun", sql`${isTheirs} AND begun_at > ${now - newsMs}`),
      // A round of a day is said to end by the mail that says that it begins.
      ends: owe(
        "round_ends",
        "time",
        sql`${isTheirs} AND ends_at < ${now + dayMs} AND listen_ms > ${dayMs}`,
      ),
      reminds: owe("round_ends", "host", sql`${isTheirs} AND reminded_at > ${now - newsMs}`),
      opens: owe("round_open", "open", sql`rounds.opened_at > ${now - newsMs}`),
    },
  });
  return { count: Object.values(mails).reduce((sum, owed) => sum + owed.length, 0) };
}
