import { asc, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { notices, reports, songs, users } from "~/db/schema";
import { newNoticeMail, reportMail, toOperator } from "~/letters/operator-mails";
import { isAmong } from "~/members/identity";
import { withBackoff } from "~/outbox/backoff.server";
import { MailError, type Mailer } from "~/outbox/mailer";
import type { Config } from "~/platform/env";
import { logEvent } from "~/platform/log";

const perRun = 10;

/**
 * Mails the operator about reported songs, once a song as long as any report of it is kept, and about each notice. A
 * mail that fails is sent again in the next run, under the same key.
 */
export async function mailReports({
  db,
  mailer,
  config,
  now,
}: {
  db: Database;
  mailer: Mailer;
  config: Pick<Config, "appOrigin" | "operator" | "contactEmail" | "operators">;
  now: number;
}): Promise<{ mails: number }> {
  const read = await runBatch(db, {
    // The operator has already been told about these songs.
    told: db
      .update(reports)
      .set({ mailedAt: now })
      .where(
        sql`${reports.mailedAt} IS NULL AND EXISTS (
          SELECT 1 FROM reports AS told
          WHERE told.song_id = ${reports.songId} AND told.mailed_at IS NOT NULL)`,
      ),
    waiting: db
      .select({
        reportId: reports.id,
        songId: reports.songId,
        words: reports.words,
        title: songs.title,
        artists: songs.artists,
        spotifyUrl: songs.spotifyUrl,
        tint: songs.tint,
        spotifyId: users.spotifyId,
        ownEmail: users.ownEmail,
      })
      .from(reports)
      .innerJoin(songs, eq(songs.id, reports.songId))
      .innerJoin(users, eq(users.id, songs.ownerId))
      .where(isNull(reports.mailedAt))
      .orderBy(asc(reports.createdAt), asc(reports.id))
      .limit(perRun),
    notices: db
      .select({ id: notices.id, createdAt: notices.createdAt })
      .from(notices)
      .where(isNull(notices.mailedAt))
      .orderBy(asc(notices.createdAt), asc(notices.id))
      .limit(perRun),
  });
  const told = new Set<string>();
  const reported = read.waiting.filter(({ songId }) => !told.has(songId) && told.add(songId));
  const waiting = [
    ...reported.map(({ spotifyId, ownEmail, ...report }) => {
      const isOperators = isAmong(config.operators, { spotifyId, ownEmail });
      return {
        mail: reportMail({ ...report, isOperators }),
        key: `report:${report.reportId}`,
        mark: db.update(reports).set({ mailedAt: now }).where(eq(reports.id, report.reportId)),
      };
    }),
    ...read.notices.map((notice) => ({
      mail: newNoticeMail(notice),
      key: `notice:${notice.id}`,
      mark: db.update(notices).set({ mailedAt: now }).where(eq(notices.id, notice.id)),
    })),
  ];
  const patient = withBackoff(mailer);
  let mails = 0;
  for (const { mail, key, mark } of waiting) {
    try {
      await patient.send(toOperator(mail, config), key);
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      logEvent("report_not_mailed", { error });
      continue;
    }
    await mark;
    mails += 1;
  }
  return { mails };
}
