/**
 * What happens when a song does not play (rule 12, rest): report, let it rest. A song's source finds it out while somebody
 * listens, and pass/pass.server.ts asks it; withdraw-and-return.server.ts brings a song back.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { onCommit } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { songs, unplayableReports } from "~/db/schema";
import { wantsRatingMails } from "~/mailing/email-preferences.server";
import type { Viewer } from "~/members/viewer.server";
import { isMarked } from "~/members/what-outlives.server";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { logEvent } from "~/platform/log";

/** It may be unavailable in one listener's country alone. */
const reportsBeforeRest = 3;

/**
 * Records that a song does not play for a listener, once in 30 days for a Spotify account. At the
 * third listener since the song was last known to play, the song begins to rest (rule 12, rest).
 */
export function reportUnplayable(
  services: OwedMailServices,
  { userId }: Pick<Viewer, "userId">,
  { songId, now }: { songId: string; now: number },
  condition: SQL = sql`true`,
) {
  const report = insertSelect(services.db, unplayableReports, {
    row: { songId: sql`songs.id`, userId, createdAt: now },
    from: sql`FROM songs WHERE ${condition} AND id = ${songId} AND owner_id <> ${userId}
        AND NOT ${isMarked(userId, sql`songs.id`)}`,
  })
    .onConflictDoNothing()
    .returning({ songId: unplayableReports.songId });
  const isReportedOften = sql`${condition} AND (SELECT count(*) FROM unplayable_reports
    WHERE song_id = ${songId} AND answered_at IS NULL) >= ${reportsBeforeRest}`;
  return {
    report: onCommit(report, ([noted]) => noted && logEvent("song_refused")),
    rest: writeRest(services, { songId, now }, isReportedOften),
  };
}

/**
 * Lets a song rest because it does not play, and owes its owner a mail (rule 12, rest). A song that its owner has
 * withdrawn then comes back only if Spotify plays it. One that the operator has taken out stays as it is.
 */
export function writeRest(
  services: OwedMailServices,
  { songId, now }: { songId: string; now: number },
  condition: SQL = sql`true`,
) {
  const { db } = services;
  // The mail comes before the rest, so that the same condition holds for both.
  const isToRest = sql`songs.id = ${songId} AND owed > 0 AND taken_out IS NULL
    AND (resting_since IS NULL OR withdrawn = 1) AND ${condition}`;
  const rest = db
    .update(songs)
    .set({ restingSince: sql`coalesce(resting_since, ${now})`, withdrawn: false })
    .where(isToRest)
    .returning({ id: songs.id });
  return {
    mail: oweMail(
      services,
      {
        id: crypto.randomUUID(),
        userId: sql`owner_id`,
        kind: "resting",
        subjectId: songId,
        dedupeKey: `resting:${songId}:${now}`,
        now,
      },
      sql`FROM songs WHERE ${isToRest} AND ${wantsRatingMails(sql`songs.owner_id`)}`,
    ),
    rest: onCommit(rest, ([song]) => song && logEvent("song_resting")),
  };
}

/** Answers the reports of a song that Spotify has shown to play: the count starts again. */
export function answerRefusals(
  db: Database,
  { songId, now }: { songId: string | SQL; now: number },
  condition: SQL,
) {
  return db
    .update(unplayableReports)
    .set({ answeredAt: now })
    .where(sql`song_id = ${songId} AND answered_at IS NULL AND ${condition}`);
}
