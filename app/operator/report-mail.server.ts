import { asc, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { reports, songs, users } from "~/db/schema";
import { reportMail } from "~/letters/operator-mails";
import { isAmong } from "~/members/identity";
import { withBackoff } from "~/outbox/backoff.server";
import { MailError, type Mailer } from "~/outbox/mailer";
import type { Config } from "~/platform/env";
import { logEvent } from "~/platform/log";

const songsPerRun = 10;

/**
 * Mails the operator about reported songs, once a song as long as any report of it is kept. A mail that fails
 * is sent again in the next run, under the same key.
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
  const { waiting } = await runBatch(db, {
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
      .limit(songsPerRun),
  });
  const patient = withBackoff(mailer);
  const told = new Set<string>();
  let mails = 0;
  for (const { spotifyId, ownEmail, ...report } of waiting) {
    if (told.has(report.songId)) continue;
    told.add(report.songId);
    const to = config.contactEmail;
    const isOperators = isAmong(config.operators, { spotifyId, ownEmail });
    const body = reportMail({ ...report, isOperators }, { ...config, unsubscribeUrl: null });
    try {
      await patient.send({ to, bcc: null, ...body, headers: {} }, `report:${report.reportId}`);
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      logEvent("report_not_mailed", { error });
      continue;
    }
    await db.update(reports).set({ mailedAt: now }).where(eq(reports.id, report.reportId));
    mails += 1;
  }
  return { mails };
}
