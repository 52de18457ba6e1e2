import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { gated, hasRow, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { toTheMinute } from "~/db/minute";
import { ratingsPerSubmission } from "~/db/rules";
import { activityLog, outbox, songs, submissions, users } from "~/db/schema";
import { openPool, selectPool } from "~/exchange/carousel/pool/pool.server";
import { type Identity, isOwnSongOf, ownSongOf } from "~/exchange/recording.server";
import { takenOutText } from "~/exchange/rotation/room";
import { hasRoom } from "~/exchange/rotation/room.server";
import { answerRefusals } from "~/exchange/rotation/unplayable.server";
import { refuseAsSpotify } from "~/exchange/spotify-failure.server";
import { wantsRatingMails } from "~/members/email-preferences.server";
import { hearsSpotify } from "~/members/hearing";
import { isInCooldown, lockReason } from "~/members/marks.server";
import type { Viewer } from "~/members/viewer.server";
import { nextInCycle } from "~/members/visit.server";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { logEvent } from "~/platform/log";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import { type FoundTrack, SpotifyError } from "~/spotify/spotify";
import type { Spotify } from "~/spotify/web-api.server";
import { type Eligibility, eligibility, submissionObstacle } from "./eligibility";
import { isFreeUnused, isReachedByAll, selectOwnSongs, selectReach } from "./limits.server";
import { hasReachedAll, reachedAllText, whyUnratable } from "./reach";

const hourMs = 60 * 60 * 1000;
const maxMailsPerHour = 5;

export interface SubmissionServices extends DatabaseAndClock, OwedMailServices {
  spotify: Spotify;
}

export interface Submitted {
  submissionId: string;
  title: string;
  limited: boolean;
}

/**
 * Submits a track for rating (rule 24). The browser names only its id; the rest is read from Spotify. A
 * recording that the viewer has submitted before, under whatever id, is the same song. A form that is sent
 * twice (`requestKey`) gets its first result again.
 */
export async function submitSong(
  services: SubmissionServices,
  viewer: Viewer,
  { trackId, requestKey }: { trackId: string; requestKey: string },
): Promise<Submitted | Rejection> {
  const { db, spotify, now } = services;
  const {
    pool,
    sameForm: [earlier],
    own: [own = { owed: 0, locked: null }],
  } = await runBatch(db, {
    pool: selectPool(db, viewer.userId, { hears: hearsSpotify(viewer) }),
    sameForm: selectByRequest(db, viewer.userId, requestKey),
    own: selectOwnSongs(db, viewer.userId),
  });
  if (earlier) return earlier;

  const { ratingsToSubmit: threshold } = viewer.tierConfig;
  const standing = { ...viewer, ...openPool(pool, viewer, { now: now() }) };
  const terms = eligibility(standing, threshold, now());
  const obstacle = submissionObstacle({ ...standing, ...terms }, own, now());
  if (obstacle) return reject(409, obstacle, { remaining: terms.remaining });
  const found = await readTrack(spotify, trackId);
  if (!found || isRejection(found)) return found ?? reject(404, "Spotify has no such song.");
  const unratable = whyUnratable(found);
  if (unratable) return reject(422, unratable);
  const { playable: _playable, relinked: _relinked, ...track } = found;

  const id = crypto.randomUUID();
  const written = await runBatch(db, {
    takenOut: selectTakenOut(db, viewer.userId, track),
    reach: selectReach(db, { ownerId: viewer.userId, track, now: now() }),
    submission: writeSubmission(services, viewer, { id, requestKey, terms, track }),
    sameForm: selectByRequest(db, viewer.userId, requestKey),
  });
  if (written.submission.gate.length === 0) {
    // The same form was quicker, the song gets no more ratings, or the credit has been spent.
    const {
      sameForm: [first],
      takenOut: [takenOut],
      reach: [reach],
    } = written;
    if (first) return first;
    if (takenOut) return reject(409, takenOutText(takenOut.reason));
    if (reach && hasReachedAll(reach)) return reject(409, reachedAllText);
    const credits = Math.max(0, viewer.credits - terms.cost);
    const since = { ...standing, credits, submittedCount: viewer.submittedCount + 1 };
    const { remaining } = eligibility(since, threshold, now());
    return reject(409, "You have just submitted another song. Please try again.", { remaining });
  }
  logEvent("song_submitted", { kind: terms.limited ? "limited" : "normal" });
  return { submissionId: id, title: track.title, limited: terms.limited };
}

function selectTakenOut(db: Database, ownerId: string, track: Identity) {
  return db
    .select({ reason: sql<string>`${songs.takenOut}`.as("taken_out") })
    .from(songs)
    .where(sql`${isOwnSongOf(ownerId, [track])} AND taken_out IS NOT NULL`);
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

async function readTrack(
  spotify: Spotify,
  trackId: string,
): Promise<FoundTrack | Rejection | null> {
  try {
    return await spotify.track(trackId);
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return refuseAsSpotify(error, {
      outage: "Spotify is not answering right now. Your song was not added; please try again.",
      refused:
        "Spotify does not show us this song, so it was not added. Please choose another one, or try again later.",
    });
  }
}

type SubmittedTrack = Omit<FoundTrack, "playable" | "hidden" | "relinked">;

const refreshedTrack = {
  trackId: sql`excluded.track_id`,
  title: sql`excluded.title`,
  artists: sql`excluded.artists`,
  album: sql`excluded.album`,
  artUrl: sql`excluded.art_url`,
  smallerArt: sql`excluded.smaller_art`,
  durationMs: sql`excluded.duration_ms`,
  // Only the app changes the ISRC of a known track (app/exchange/rotation/track-refresh.server.ts).
  isrc: sql`coalesce(
    (SELECT known.isrc FROM songs AS known
      WHERE known.track_id = excluded.track_id AND known.isrc IS NOT NULL LIMIT 1),
    isrc, excluded.isrc)`,
  spotifyUrl: sql`excluded.spotify_url`,
  artistIds: sql`excluded.artist_ids`,
  explicit: sql`excluded.explicit`,
} satisfies Record<keyof SubmittedTrack, SQL>;

interface NewSubmission {
  id: string;
  requestKey: string;
  terms: Eligibility;
  track: SubmittedTrack;
}

/**
 * The gate is the log line (rules 24 to 27, 37 and 39): the credit is still there, no other submission came
 * between, the user is neither in the cooldown nor locked and has room, the recording is neither taken out
 * nor has reached all, a free submission is the first within a day, and the form is new.
 */
function writeSubmission(services: SubmissionServices, viewer: Viewer, submission: NewSubmission) {
  const { db } = services;
  const now = services.now();
  const { id, requestKey, terms, track } = submission;
  const { userId } = viewer;
  const logId = crypto.randomUUID();
  const songId = sql<string>`coalesce(${ownSongOf(userId, track)}, ${crypto.randomUUID()})`;
  const itsSong = sql<string>`(SELECT song_id FROM activity_log WHERE id = ${logId})`;
  const gate = insertSelect(db, activityLog, {
    row: {
      id: logId,
      kind: "submission",
      userId: sql`id`,
      songId,
      createdAt: now,
    },
    from: sql`FROM users
        WHERE id = ${userId} AND credits >= ${terms.cost}
          AND submitted_count = ${viewer.submittedCount}
          AND NOT ${isInCooldown(userId, now)} AND ${lockReason(userId)} IS NULL
          AND NOT EXISTS (SELECT 1 FROM songs
                          WHERE ${isOwnSongOf(userId, [track])} AND taken_out IS NOT NULL)
          AND NOT ${isReachedByAll(selectReach(db, { ownerId: userId, track, now }))}
          AND ${hasRoom(userId)} AND ${terms.cost > 0 ? sql`1` : isFreeUnused(userId, now)}
          AND NOT EXISTS (SELECT 1 FROM submissions
                          WHERE owner_id = ${userId} AND request_key = ${requestKey})`,
  }).returning({ id: activityLog.id });
  return gated(gate, hasRow(activityLog, logId), (isAccepted) => ({
    song: insertSelect(db, songs, {
      row: {
        ...track,
        id: itsSong,
        ownerId: userId,
        fetchedAt: now,
        entitled: ratingsPerSubmission,
        owed: ratingsPerSubmission,
        owedSince: now,
        createdAt: now,
        activeAt: toTheMinute(now),
      },
      from: sql`WHERE ${isAccepted}`,
    }).onConflictDoUpdate({
      target: songs.id,
      set: {
        ...refreshedTrack,
        fetchedAt: now,
        entitled: sql`entitled + excluded.entitled`,
        owed: sql`owed + excluded.owed`,
        owedSince: sql`coalesce(owed_since, excluded.owed_since)`,
        activeAt: toTheMinute(now),
      },
    }),
    refusals: answerRefusals(db, { songId: itsSong, now }, isAccepted),
    submission: insertSelect(db, submissions, {
      row: {
        id,
        songId: sql`id`,
        ownerId: userId,
        number: sql`entitled / ${sql.raw(String(ratingsPerSubmission))}`,
        allotment: ratingsPerSubmission,
        spent: terms.cost,
        limited: terms.limited,
        requestKey,
        createdAt: now,
      },
      from: sql`FROM songs WHERE id = ${itsSong} AND ${isAccepted}`,
    }),
    // Spotify has just said that it plays the song.
    rest: db
      .update(songs)
      .set({ restingSince: null, withdrawn: false })
      .where(sql`id = ${itsSong} AND resting_since IS NOT NULL AND ${isAccepted}`),
    user: db
      .update(users)
      .set({
        credits: sql`credits - ${terms.cost}`,
        submittedCount: sql`submitted_count + 1`,
        visit: nextInCycle(users.visit),
        ...(terms.limited ? {} : { slide: nextInCycle(users.slide) }),
        ...withMainArtist(track),
      })
      .where(and(eq(users.id, userId), isAccepted)),
    mail: oweMail(
      services,
      { id: crypto.randomUUID(), userId, kind: "submission", subjectId: id, now },
      sql`WHERE ${isAccepted} AND ${wantsRatingMails(userId)}
          AND (SELECT count(*) FROM ${outbox}
               WHERE user_id = ${userId} AND kind = 'submission'
                 AND created_at > ${now - hourMs}) < ${maxMailsPerHour}`,
    ),
  }));
}

function withMainArtist({ artists: [name = ""], artistIds: [id] }: SubmittedTrack) {
  return id ? { ownArtists: sql`json_patch(own_artists, json_object(${id}, ${name}))` } : {};
}
