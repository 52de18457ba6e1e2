import { type SQL, sql } from "drizzle-orm";
import { type FoundTrack, type Spotify, SpotifyError } from "~/adapters/spotify/spotify";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { playRefusals, songs } from "~/db/schema";
import { isMarked } from "~/domain/marks/marks.server";
import type { MailQueue } from "~/domain/owed-mail/mail-queue.server";
import { oweMail } from "~/domain/owed-mail/owe-mail.server";
import type { Viewer } from "~/domain/session/viewer.server";
import { logEvent } from "~/platform/log";
import { doubtListen } from "./listens.server";

/**
 * How many listeners in a row Spotify must refuse a song before it rests (rule 12). One
 * listener's market is not the world.
 */
const refusalsBeforeRest = 3;

/**
 * Whether Spotify says that it does not play a track where the listener is, or that there is no such
 * track; and what it says of one that it plays. If it cannot be asked, nothing is said against the song.
 */
export async function askForTrack(
  spotify: Pick<Spotify, "track">,
  trackId: string,
): Promise<{ isRefused: boolean; track: FoundTrack | null }> {
  try {
    const track = await spotify.track(trackId);
    return track?.playable ? { isRefused: false, track } : { isRefused: true, track: null };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return { isRefused: false, track: null };
  }
}

/** What writing down a refusal takes. */
export interface RefusalServices {
  db: Database;
  mailQueue: MailQueue;
}

/**
 * Writes down that Spotify does not play a song to a listener, which contradicts their open listen of
 * it. One round trip.
 */
export async function noteRefusal(
  services: RefusalServices,
  { userId }: Pick<Viewer, "userId">,
  { songId, now }: { songId: string; now: number },
): Promise<void> {
  const { db } = services;
  const { statements, done } = writeRefusal(services, { userId }, { songId, now });
  const [, ...results] = await db.batch([doubtListen(db, { userId, songId }, now), ...statements]);
  done(results);
}

/**
 * The statements that write down that Spotify does not play a song to a listener. A Spotify account
 * speaks against a song once in 30 days, whatever became of the song and of the account here meanwhile.
 * If it is the third listener since the song was last seen to play, the song begins to rest: it leaves
 * the rotation, keeps what it is owed, and its owner is owed a mail. So does one that its owner has
 * withdrawn, which from then on comes back only if Spotify plays it. With the statements comes what to
 * do with their results.
 * @param only a condition for all of it.
 */
export function writeRefusal(
  { db, mailQueue }: RefusalServices,
  { userId }: Pick<Viewer, "userId">,
  { songId, now }: { songId: string; now: number },
  only: SQL = sql`true`,
) {
  const isRefusedOften = sql`${only} AND (SELECT count(*) FROM play_refusals
    WHERE song_id = ${songId} AND answered_at IS NULL) >= ${refusalsBeforeRest}`;
  const rest = writeRest({ db, mailQueue }, { songId, now }, isRefusedOften);
  const statements = [
    insertSelect(db, playRefusals, {
      row: { songId: sql`songs.id`, userId, createdAt: now },
      from: sql`FROM songs WHERE ${only} AND id = ${songId} AND owner_id <> ${userId}
          AND NOT ${isMarked(userId, sql`songs.id`)}`,
    })
      .onConflictDoNothing()
      .returning({ songId: playRefusals.songId }),
    ...rest.statements,
  ] as const;
  /** Takes the results, which begin with those of the statements. */
  function done([noted, ...rested]: readonly unknown[]): void {
    if (hasRows(noted)) logEvent("song_refused");
    rest.done(rested);
  }
  return { statements, done };
}

/**
 * The statements with which a song in the rotation, or one that its owner has withdrawn, begins to rest
 * because Spotify does not play it, and its owner is owed a mail. With them comes what to do with their
 * results.
 * @param only a condition for both.
 */
export function writeRest(
  { db, mailQueue }: RefusalServices,
  { songId, now }: { songId: string; now: number },
  only: SQL = sql`true`,
) {
  const mailId = crypto.randomUUID();
  // The mail comes before the rest, so that the same condition holds for both.
  const isToRest = sql`songs.id = ${songId} AND owed > 0
    AND (resting_since IS NULL OR withdrawn = 1) AND ${only}`;
  const statements = [
    oweMail(
      db,
      {
        id: mailId,
        userId: sql`owner_id`,
        kind: "resting",
        subjectId: songId,
        dedupeKey: `resting:${songId}:${now}`,
        now,
      },
      sql`FROM songs WHERE ${isToRest}
          AND coalesce((SELECT receive_rating_emails FROM email_preferences
                        WHERE user_id = songs.owner_id), 1) = 1`,
    ),
    db
      .update(songs)
      .set({ restingSince: sql`coalesce(resting_since, ${now})`, withdrawn: false })
      .where(isToRest)
      .returning({ id: songs.id }),
  ] as const;
  /** Takes the results, which begin with those of the statements. */
  function done([mails, rested]: readonly unknown[]): void {
    if (hasRows(rested)) logEvent("song_resting");
    if (hasRows(mails)) mailQueue.enqueue(mailId);
  }
  return { statements, done };
}

function hasRows(result: unknown): boolean {
  return Array.isArray(result) && result.length > 0;
}

/**
 * The statement that answers the refusals of a song, for a batch in which it turns out to play.
 * @param only the condition for it.
 */
export function answerRefusals(
  db: Database,
  { songId, now }: { songId: string | SQL; now: number },
  only: SQL,
) {
  return db
    .update(playRefusals)
    .set({ answeredAt: now })
    .where(sql`song_id = ${songId} AND answered_at IS NULL AND ${only}`);
}
