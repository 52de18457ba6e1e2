/** What the operator's page shows of a seeded database, beside the figures. Pure. */
import { outboxRow, type Row } from "./rows.ts";

const hour = 60 * 60_000;

/** The scheduled jobs, which have just run: the one of the night would be missing until then. */
const jobs = [
  ...["subscriptions", "outbox", "songWishes", "reports", "community", "monthlyLook"],
  "retention",
];

/**
 * Reports of two songs, a mail that was given up on, and when the jobs ran.
 * @param songIds of two songs, neither of the reporter's.
 * @param reporterId of a user.
 * @param now epoch milliseconds.
 */
export function operationRows(
  songIds: string[],
  { reporterId, mailedId, now }: { reporterId: string; mailedId: string; now: number },
): Record<string, Row[]> {
  const words = ["It is three minutes of silence.", "The title insults somebody I know."];
  const failedAt = now - 3 * hour;
  const mail = {
    id: "mail-failed",
    user_id: mailedId,
    kind: "premium_welcome",
    subject_id: "welcome",
  };
  return {
    reports: songIds.map((songId, n) => {
      const at = now - (30 - n) * hour;
      const times = { created_at: at, mailed_at: at };
      return {
        id: `report-${n}`,
        song_id: songId,
        reporter_id: reporterId,
        words: words[n] ?? "",
        ...times,
      };
    }),
    outbox: [
      outboxRow({
        ...{ ...mail, mail_id: mail.id, state: "failed", attempts: 10 },
        ...{ fault: "503 the provider was down", created_at: failedAt, not_before: failedAt },
      }),
    ],
    job_runs: jobs.map((job) => ({
      ...{ job, ran_at: now },
      failed_at: job === "monthlyLook" ? now - 40 * hour : null,
    })),
  };
}
