import { and, eq, sql } from "drizzle-orm";
import { tintOfCover } from "~/covers/cover-tints.server";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { firstFailing, gated, hasRow, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { toTheMinute } from "~/db/minute";
import { ratingsPerSubmission } from "~/db/rules";
import { activityLog, outbox, songs, submissions, users } from "~/db/schema";
import { isCircleSmall } from "~/exchange/pool/circle.server";
import type { Place } from "~/exchange/pool/place";
import { takenOutText } from "~/exchange/rotation/room";
import { hasRoom } from "~/exchange/rotation/room.server";
import { answerRefusals } from "~/exchange/rotation/unplayable.server";
import { isInRound } from "~/exchange/round/round.server";
import { wantsRatingMails } from "~/mailing/email-preferences.server";
import { hearsSpotify } from "~/members/hearing";
import type { Viewer } from "~/members/viewer.server";
import { nextInCycle } from "~/members/visit.server";
import { isInCooldown, lockReason } from "~/members/what-outlives.server";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { logEvent } from "~/platform/log";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import type { AskedSong, OfferOf, Submittable } from "~/sources/source";
import { type Eligibility, eligibility } from "./eligibility";
import { isFreeUnused, isReachedByAll, reachedAllText, selectReach } from "./limits.server";
import { selectStanding, toStanding } from "./standing.server";

const hourMs = 60 * 60 * 1000;
const maxMailsPerHour = 5;
const inRoundText =
  "This song is in a round. It can be submitted once the round is open, or once you have left it.";
/** A colour that takes longer is read by a job. */
const coverWaitMs = 1000;

export interface SubmissionServices extends DatabaseAndClock, OwedMailServices {
  offerOf: OfferOf;
  files: R2Bucket;
  isSpotifyOpen: boolean;
  place: Place | null;
  sealedBelow: number;
}

export interface Submitted {
  submissionId: string;
  title: string;
  limited: boolean;
}

/**
 * Submits a song for rating (rule 24, submission). Of a track the browser names only its id; the rest is read from Spotify.
 * Of an own recording it names the viewer's draft, or a file that they have submitted before and that is still
 * there. A recording that the viewer has submitted before, under whatever id, is the same song, and so is a
 * file that is, or was, a mix of a song of theirs. A new mix waits until the song has all its ratings, so that
 * those of two mixes stay apart. A form that is sent twice (`requestKey`) gets its first result again.
 */
export async function submitSong(
  services: SubmissionServices,
  viewer: Viewer,
  { requestKey, ...asked }: AskedSong & { requestKey: string },
): Promise<Submitted | Rejection> {
  const { db, now, isSpotifyOpen, place } = services;
  const { userId } = viewer;
  const hears = hearsSpotify(viewer);
  const at = now();
  const offer = services.offerOf(asked, { userId, now: at });
  const {
    sameForm: [earlier],
    ...read
  } = await runBatch(db, {
    ...selectStanding(db, userId, { hears, now: at, isSpotifyOpen, place }),
    sameForm: selectByRequest(db, userId, requestKey),
    offer: offer.read,
  });
  if (earlier) return earlier;

  const { standing, terms, obstacle } = toStanding(read, viewer, at, offer.agreedCost());
  if (obstacle) return reject(409, obstacle, { remaining: terms.remaining });
  const song = await offer.submittable();
  if (isRejection(song)) return song;

  const tint = await tintOfCover(services.files, song.cover, coverWaitMs);
  const id = crypto.randomUUID();
  const written = await runBatch(db, {
    submission: writeSubmission(services, viewer, { id, requestKey, terms, song, tint }),
    sameForm: selectByRequest(db, userId, requestKey),
  });
  if (written.submission.gate.length === 0) {
    const [first] = written.sameForm;
    const [refused] = written.submission.refused;
    if (first) return first;
    if (refused?.takenOut) return reject(409, takenOutText(refused.takenOut));
    if (refused?.why === "isInNoRound") return reject(409, inRoundText);
    if (refused?.why === "reachesOthers") return reject(409, reachedAllText);
    const credits = Math.max(0, viewer.credits - terms.cost);
    const since = { ...standing, credits, submittedCount: viewer.submittedCount + 1 };
    const { remaining } = eligibility(since, viewer.tierConfig.ratingsToSubmit, now());
    return reject(409, "You have just submitted another song. Try again.", { remaining });
  }
  logEvent("song_submitted", { kind: terms.limited ? "limited" : "normal" });
  return { submissionId: id, title: song.columns.title, limited: terms.limited };
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

interface NewSubmission {
  id: string;
  requestKey: string;
  terms: Eligibility;
  song: Submittable;
  tint: number | null;
}

/** The gate is the log line. It names the conditions (rules 24 to 27, 37 and 39) of which the first that fails is the answer. */
function writeSubmission(services: SubmissionServices, viewer: Viewer, submission: NewSubmission) {
  const { db } = services;
  const now = services.now();
  const { id, requestKey, terms, song, tint } = submission;
  const { userId } = viewer;
  const logId = crypto.randomUUID();
  const songId = sql<string>`coalesce(${song.knownId}, ${crypto.randomUUID()})`;
  const itsSong = sql<string>`(SELECT song_id FROM activity_log WHERE id = ${logId})`;
  const takenOut = sql<string | null>`(SELECT taken_out FROM songs
    WHERE ${song.isKnown} AND taken_out IS NOT NULL LIMIT 1)`;
  const why = firstFailing({
    isNewForm: sql`NOT EXISTS (SELECT 1 FROM submissions
      WHERE owner_id = ${userId} AND request_key = ${requestKey})`,
    isNotTakenOut: sql`${takenOut} IS NULL`,
    isInNoRound: sql`NOT EXISTS (SELECT 1 FROM songs WHERE ${song.isKnown} AND ${isInRound(sql`songs.id`)})`,
    reachesOthers: sql`(${song.isAgreed} OR NOT ${isReachedByAll(selectReach(db, song.knownId, now))})`,
    hasCredit: sql`credits >= ${terms.cost}`,
    isOnlyOne: sql`submitted_count = ${viewer.submittedCount}`,
    isNotAway: sql`NOT ${isInCooldown(userId, now)}`,
    isNotLocked: sql`${lockReason(userId)} IS NULL`,
    isThere: song.isThere,
    hasRoom: hasRoom(userId),
    isFree: terms.cost > 0 ? sql`1` : isFreeUnused(userId, now),
  });
  const isUser = eq(users.id, userId);
  const gate = insertSelect(db, activityLog, {
    row: { id: logId, kind: "submission", userId, songId, createdAt: now },
    from: sql`FROM users WHERE ${isUser} AND ${why} IS NULL`,
  }).returning({ id: activityLog.id });
  const refused = db
    .select({ why: why.as("why"), takenOut: takenOut.as("reason") })
    .from(users)
    .where(and(isUser, sql`NOT ${hasRow(activityLog, logId)}`));
  const written = gated(gate, hasRow(activityLog, logId), (isAccepted) => ({
    song: insertSelect(db, songs, {
      row: {
        ...song.columns,
        tint,
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
        ...song.refreshed,
        tint: sql`coalesce(excluded.tint, tint)`,
        fetchedAt: now,
        entitled: sql`entitled + excluded.entitled`,
        owed: sql`owed + excluded.owed`,
        owedSince: sql`coalesce(owed_since, excluded.owed_since)`,
        activeAt: toTheMinute(now),
        mixAskedAt: null,
      },
    }),
    refusals: answerRefusals(db, { songId: itsSong, now }, isAccepted),
    submission: insertSelect(db, submissions, {
      row: {
        id,
        songId: sql`id`,
        ownerId: userId,
        ownRecordingId: song.columns.ownRecordingId,
        number: sql`entitled / ${sql.raw(String(ratingsPerSubmission))}`,
        allotment: ratingsPerSubmission,
        spent: terms.cost,
        limited: terms.limited,
        sealed: isCircleSmall(services.sealedBelow, now),
        requestKey,
        createdAt: now,
      },
      from: sql`FROM songs WHERE id = ${itsSong} AND ${isAccepted}`,
    }),
    also: song.also(isAccepted, now),
    // Spotify has just said that it plays the track, or the file is there.
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
        ...withMainArtist(song.columns),
      })
      .where(and(isUser, isAccepted)),
    mail: oweMail(
      services,
      { id: crypto.randomUUID(), userId, kind: "submission", subjectId: id, now },
      sql`WHERE ${isAccepted} AND ${wantsRatingMails(userId)}
          AND (SELECT count(*) FROM ${outbox}
               WHERE user_id = ${userId} AND kind = 'submission'
                 AND created_at > ${now - hourMs}) < ${maxMailsPerHour}`,
    ),
  }));
  return { ...written, refused };
}

function withMainArtist({ artists: [name = ""], artistIds: [id] }: Submittable["columns"]) {
  return id ? { ownArtists: sql`json_patch(own_artists, json_object(${id}, ${name}))` } : {};
}
