import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { onCommit } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { songs, unplayableReports } from "~/db/schema";
import { wantsRatingMails } from "~/members/email-preferences.server";
import { isMarked } from "~/members/marks.server";
import type { Viewer } from "~/members/viewer.server";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { logEvent } from "~/platform/log";
import { type FoundTrack, SpotifyError } from "~/spotify/spotify";
import type { Spotify } from "~/spotify/web-api.server";

/**
 * Number of listeners in a row whom Spotify must refuse a song before it rests (rule 12): it may be
 * unavailable in one listener's country alone.
 */
const reportsBeforeRest = 3;

/**
 * Asks Spotify for a track. It is refused where Spotify does not play it to the listener or does not know
 * it. Without an answer it is neither refused nor known.
 */
export async function askForTrack(
  spotify: Pick<Spotify, "track">,
  trackId: string,
): Promise<{ isUnplayable: boolean; track: FoundTrack | null }> {
  try {
    const track = await spotify.track(trackId);
    return track?.playable ? { isUnplayable: false, track } : { isUnplayable: true, track: null };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return { isUnplayable: false, track: null };
  }
}

/**
 * The statements that record that Spotify does not play a song to a listener. A Spotify account counts
 * against a song once in 30 days, whatever became of the song and of the account here meanwhile. At the
 * third listener since the song was last known to play, it begins to rest: it leaves the rotation, keeps
 * what it is owed, and its owner is owed a mail. That also holds for a song that its owner has withdrawn,
 * which from then on comes back only if Spotify plays it.
 * @param only a condition for all of it.
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
 * The statements with which a song in the rotation, or one that its owner has withdrawn, begins to rest
 * because Spotify does not play it, and its owner is owed a mail.
 * @param only a condition for both.
 */
export function writeRest(
  services: OwedMailServices,
  { songId, now }: { songId: string; now: number },
  condition: SQL = sql`true`,
) {
  const { db } = services;
  // The mail comes before the rest, so that the same condition holds for both.
  const isToRest = sql`songs.id = ${songId} AND owed > 0
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

/**
 * The statement that answers the refusals of a song, for a batch that shows that Spotify plays it.
 * @param only a condition for it.
 */
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
