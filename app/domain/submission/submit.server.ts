import { and, eq, sql } from "drizzle-orm";
import type { Spotify } from "~/adapters/spotify/spotify";
import { SpotifyError } from "~/adapters/spotify/spotify";
import type { Track } from "~/adapters/spotify/track";
import type { Database } from "~/db/client.server";
import { activityLog, outbox, sessions, songs, submissions, users } from "~/db/schema";
import { parsePool, selectPool } from "~/domain/pool/pool.server";
import { eligibleSongs } from "~/domain/pool/select";
import { loginEndedText, type Refusal, refuse } from "~/domain/refusal";
import type { Viewer } from "~/domain/session/viewer.server";
import { nextInCycle } from "~/domain/session/visit";
import { logEvent } from "~/platform/log";
import type { Eligibility } from "./eligibility";
import { eligibility } from "./eligibility";

const hourMs = 60 * 60 * 1000;
/** While the pool is empty, submitting costs nothing and can go on and on; mails about it do not. */
const maxMailsPerHour = 5;

/** A submission as its confirmation shows it. */
export interface Submitted {
  submissionId: string;
  title: string;
  limited: boolean;
  /** The mail it owes, if any and if it was made just now. */
  outboxId: string | null;
}

/**
 * Submits a track for rating (spec section 4, "Successful add"). The track is read from Spotify,
 * the browser's word is only its id. Credit, song, submission, counters, log and outbox are one
 * batch. The same form sent twice gives the first one's result again.
 * @param requestKey names the form it came from.
 */
export async function submitSong(
  db: Database,
  viewer: Viewer,
  trackId: string,
  requestKey: string,
  spotify: Spotify,
  clock: () => number,
): Promise<Submitted | Refusal> {
  const [poolRows, earlier] = await db.batch([
    selectPool(db, viewer.userId),
    selectByRequest(db, viewer.userId, requestKey),
  ]);
  if (earlier[0]) return { ...earlier[0], outboxId: null };

  const available = eligibleSongs(parsePool(poolRows).songs, viewer.userId, new Set()).length;
  const terms = eligibility({ ...viewer, available }, viewer.limits.songsToRateBeforeUpload);
  if (!terms.eligible) return refuseForNow(terms.remaining);
  const track = await readTrack(spotify, trackId);
  if (!track || "refused" in track) return track ?? refuse(404, "Spotify has no such song.");

  const submissionId = crypto.randomUUID();
  const outboxId = crypto.randomUUID();
  const results = await db.batch(
    writeSubmission(db, viewer, track, { submissionId, outboxId, requestKey, terms }, clock()),
  );
  const [agreed, , , , , mails, sameForm] = results;
  if (agreed.length === 0) {
    // The same form's first press was quicker, or another submission has spent the credit.
    if (sameForm[0]) return { ...sameForm[0], outboxId: null };
    return refuse(409, "You have just submitted another song. Please try again.", {
      remaining: Math.max(0, terms.cost * 2 - viewer.credits),
    });
  }
  logEvent("song_submitted", { kind: terms.limited ? "limited" : "normal" });
  return {
    submissionId,
    title: track.title,
    limited: terms.limited,
    outboxId: mails.length > 0 ? outboxId : null,
  };
}

/** The statement that reads a user's own submission for its confirmation. */
export function selectSubmission(db: Database, ownerId: string, submissionId: string) {
  return db
    .select({ title: songs.title, spotifyUrl: songs.spotifyUrl, limited: submissions.limited })
    .from(submissions)
    .innerJoin(songs, eq(songs.id, submissions.songId))
    .where(and(eq(submissions.id, submissionId), eq(submissions.ownerId, ownerId)));
}

function selectByRequest(db: Database, ownerId: string, requestKey: string) {
  return db
    .select({
      submissionId: submissions.id,
      title: songs.title,
      limited: submissions.limited,
    })
    .from(submissions)
    .innerJoin(songs, eq(songs.id, submissions.songId))
    .where(and(eq(submissions.ownerId, ownerId), eq(submissions.requestKey, requestKey)));
}

function refuseForNow(remaining: number): Refusal {
  const songsText = remaining === 1 ? "1 more song" : `${remaining} more songs`;
  return refuse(409, `Please rate ${songsText} before you submit one of yours.`, { remaining });
}

async function readTrack(spotify: Spotify, trackId: string): Promise<Track | Refusal | null> {
  try {
    return await spotify.track(trackId);
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    if (error.status === 401) return refuse(401, loginEndedText);
    return refuse(
      503,
      "Spotify is not answering right now. Your song was not added; please try again.",
    );
  }
}

interface NewSubmission {
  submissionId: string;
  outboxId: string;
  requestKey: string;
  terms: Eligibility;
}

/**
 * The statements that write a submission. The log line comes first and looks at the rules: the
 * credit is still there and no other submission came between. The others follow where it stands.
 */
function writeSubmission(
  db: Database,
  viewer: Viewer,
  track: Track,
  submission: NewSubmission,
  now: number,
) {
  const { submissionId, outboxId, requestKey, terms } = submission;
  const { userId, session } = viewer;
  const logId = crypto.randomUUID();
  const newSongId = crypto.randomUUID();
  const agreed = sql`EXISTS (SELECT 1 FROM activity_log WHERE id = ${logId})`;
  const slide = terms.limited ? session.slide : nextInCycle(session.slide);
  // Each SELECT names its columns in the order of the table.
  return [
    db
      .insert(activityLog)
      .select(
        sql`SELECT ${logId}, 'upload', id,
              coalesce((SELECT id FROM songs
                        WHERE owner_id = ${userId} AND track_id = ${track.trackId}), ${newSongId}),
              NULL, ${now}
            FROM users
            WHERE id = ${userId} AND credits >= ${terms.cost}
              AND submitted_count = ${viewer.submittedCount}
              AND NOT EXISTS (SELECT 1 FROM submissions
                              WHERE owner_id = ${userId} AND request_key = ${requestKey})`,
      )
      .returning({ id: activityLog.id }),
    db
      .insert(songs)
      .select(
        sql`SELECT ${newSongId}, ${userId}, ${track.trackId}, ${track.title},
              ${JSON.stringify(track.artists)}, ${track.album}, ${track.artUrl},
              ${track.durationMs}, ${track.isrc}, ${track.spotifyUrl}, ${now}, 5, 0, 5, ${now}, ${now}
            WHERE ${agreed}`,
      )
      .onConflictDoUpdate({
        target: [songs.ownerId, songs.trackId],
        set: {
          title: sql`excluded.title`,
          artists: sql`excluded.artists`,
          album: sql`excluded.album`,
          artUrl: sql`excluded.art_url`,
          durationMs: sql`excluded.duration_ms`,
          isrc: sql`excluded.isrc`,
          spotifyUrl: sql`excluded.spotify_url`,
          fetchedAt: now,
          entitled: sql`entitled + 5`,
          owed: sql`owed + 5`,
          owedSince: sql`coalesce(owed_since, excluded.owed_since)`,
        },
      }),
    db.insert(submissions).select(
      sql`SELECT ${submissionId}, id, ${userId}, entitled / 5, 5, ${terms.cost},
            ${terms.limited ? 1 : 0}, ${requestKey}, ${now}
          FROM songs WHERE owner_id = ${userId} AND track_id = ${track.trackId} AND ${agreed}`,
    ),
    db
      .update(users)
      .set({
        credits: sql`credits - ${terms.cost}`,
        submittedCount: sql`submitted_count + 1`,
      })
      .where(and(eq(users.id, userId), agreed)),
    db
      .update(sessions)
      .set({ visit: nextInCycle(session.visit), slide })
      .where(and(eq(sessions.id, session.id), agreed)),
    db
      .insert(outbox)
      .select(
        sql`SELECT ${outboxId}, ${userId}, 'submission', ${submissionId},
              'submission:' || ${submissionId}, 'pending', NULL, NULL, NULL, NULL, NULL, ${now},
              NULL, ${now}, 0, NULL, NULL
            WHERE ${agreed} AND coalesce((SELECT receive_rating_emails FROM email_preferences
                                          WHERE user_id = ${userId}), 1) = 1
              AND (SELECT count(*) FROM outbox
                   WHERE user_id = ${userId} AND kind = 'submission'
                     AND created_at > ${now - hourMs}) < ${maxMailsPerHour}`,
      )
      .returning({ id: outbox.id }),
    selectByRequest(db, userId, requestKey),
  ] as const;
}
