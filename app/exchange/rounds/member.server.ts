import { and, eq, type SQL, sql } from "drizzle-orm";
import { tintOfCover } from "~/covers/cover-tints.server";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { firstFailing, gated, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { toTheMinute } from "~/db/minute";
import { ratingsPerSubmission } from "~/db/rules";
import { listens, ratings, roundMembers, rounds, songs, submissions, users } from "~/db/schema";
import { isCircleSmall } from "~/exchange/pool/circle.server";
import { hasRoom } from "~/exchange/rotation/room.server";
import { answerRefusals } from "~/exchange/rotation/unplayable.server";
import { mostRoundsAtOnce } from "~/exchange/round/round";
import {
  advanceRounds,
  givenInRound,
  isInRound,
  isLive,
  marksIn,
} from "~/exchange/round/round.server";
import type { Viewer } from "~/members/viewer.server";
import { isInCooldown, lockReason } from "~/members/what-outlives.server";
import { dayMs } from "~/platform/dates";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import type { AskedSong, OfferOf, Submittable } from "~/sources/source";

const coverWaitMs = 1000;

/** One song of a round's a week: whoever fills rounds with accounts of their own would else be given ratings for nothing. */
const askedForMs = 7 * dayMs;

const noRound = reject(404, "There is no round at this address. Ask for the link again.");

const refusals = {
  isOpen: "This round takes no more songs.",
  hasSeat: "All seats are taken by now.",
  isNotLocked: "You cannot hand in a song at the moment, because you cannot submit songs.",
  isNotAway: "You can hand in a song a day after your last account was deleted.",
  isOneOfFew: "You are in three rounds. You can take another seat once one of them is open.",
  isThere: "This recording is not here any more. Upload it again.",
  isNotOut: "We have taken this song out of the rotation, so it cannot be handed in.",
  isNotOwed: "This song waits for ratings already. Hand in another one, or wait until all are in.",
  isInNoOther: "This song is in another round of yours. Hand in another one.",
  isAlone: "Somebody in this round has handed in the same recording. Choose another one.",
} as const;

/** A condition on rows of `rounds` that gather. */
const gathers = sql`begun_at IS NULL AND ended_at IS NULL`;

export interface RoundServices extends DatabaseAndClock {
  offerOf: OfferOf;
  files: R2Bucket;
}

/** Notes that somebody is about to hand in a song, so that they find their way back to the round. */
export async function takeSeat(
  { db, now }: DatabaseAndClock,
  { userId }: Viewer,
  token: string,
): Promise<{ ok: true } | Rejection> {
  const { round } = await runBatch(db, {
    seat: insertSelect(db, roundMembers, {
      row: { roundId: sql`id`, userId, joinedAt: now() },
      from: sql`FROM rounds WHERE token = ${token} AND ${gathers}`,
    }).onConflictDoNothing(),
    round: selectRound(db, token),
  });
  const [found] = round;
  if (!found) return noRound;
  return found.gathers ? { ok: true } : reject(409, refusals.isOpen);
}

function selectRound(db: Database, token: string) {
  return db
    .select({ id: rounds.id, gathers: sql`${gathers}`.mapWith(Boolean).as("gathers") })
    .from(rounds)
    .where(eq(rounds.token, token));
}

/**
 * Hands in a song, or another one in its place (rule 47, rounds). It costs nothing and promises nothing. The round
 * begins with the last seat. Of two who take it, one does.
 */
export async function handIn(
  services: RoundServices,
  { userId }: Viewer,
  { token, asked }: { token: string; asked: AskedSong },
): Promise<{ ok: true } | Rejection> {
  const { db, now } = services;
  const offer = services.offerOf(asked, { userId, now: now() });
  const { round } = await runBatch(db, { round: selectRound(db, token), offer: offer.read });
  const [found] = round;
  if (!found) return noRound;
  if (!found.gathers) return reject(409, refusals.isOpen);
  const song = await offer.submittable();
  if (isRejection(song)) return song;
  const tint = await tintOfCover(services.files, song.cover, coverWaitMs);
  const written = await runBatch(
    db,
    writeSong(db, { userId, roundId: found.id, song, tint, now: now() }),
  );
  if (written.seat.gate.length > 0) return { ok: true };
  return reject(409, refusals[written.refused[0]?.why ?? "isOpen"]);
}

function writeSong(
  db: Database,
  asked: { userId: string; roundId: string; song: Submittable; tint: number | null; now: number },
) {
  const { userId, roundId, song, tint, now } = asked;
  const id = crypto.randomUUID();
  const itsId = sql<string>`coalesce(${song.knownId}, ${id})`;
  const isRound = sql`rounds.id = ${roundId}`;
  const isKnown = (which: SQL) =>
    sql`EXISTS (SELECT 1 FROM songs WHERE ${song.isKnown} AND ${which})`;
  const others = sql`FROM round_members AS other JOIN rounds ON rounds.id = other.round_id`;
  const why = firstFailing({
    isOpen: sql`EXISTS (SELECT 1 FROM rounds WHERE ${isRound} AND ${gathers} AND gather_until > ${now})`,
    hasSeat: sql`(SELECT count(song_id) FROM round_members WHERE round_id = ${roundId} AND user_id <> ${userId})
      < (SELECT seats FROM rounds WHERE ${isRound})`,
    isNotLocked: sql`${lockReason(userId)} IS NULL`,
    isNotAway: sql`NOT ${isInCooldown(userId, now)}`,
    isOneOfFew: sql`(SELECT count(*) ${others} WHERE other.user_id = ${userId} AND other.song_id IS NOT NULL
      AND rounds.id <> ${roundId} AND ${isLive}) < ${mostRoundsAtOnce}`,
    isThere: song.isThere,
    isNotOut: sql`NOT ${isKnown(sql`taken_out IS NOT NULL`)}`,
    isNotOwed: sql`NOT ${isKnown(sql`owed > 0`)}`,
    isInNoOther: sql`NOT ${isKnown(sql`EXISTS (SELECT 1 ${others}
      WHERE other.song_id = songs.id AND rounds.id <> ${roundId} AND ${isLive})`)}`,
    isAlone: sql`NOT EXISTS (SELECT 1 ${others} JOIN songs ON songs.id = other.song_id
      WHERE ${isRound} AND other.user_id <> ${userId} AND songs.recording = ${recordingOf(song)})`,
  });
  const gate = insertSelect(db, roundMembers, {
    row: { roundId, userId, songId: itsId, joinedAt: now },
    from: sql`WHERE ${why} IS NULL AND EXISTS (SELECT 1 FROM songs WHERE id = ${itsId})`,
  })
    .onConflictDoUpdate({
      target: [roundMembers.roundId, roundMembers.userId],
      set: { songId: sql`excluded.song_id`, joinedAt: now },
    })
    .returning({ songId: roundMembers.songId });
  const isIn = sql`EXISTS (SELECT 1 FROM round_members
    WHERE round_id = ${roundId} AND user_id = ${userId} AND song_id = ${itsId} AND joined_at = ${now})`;
  return {
    refused: db.select({ why: why.as("why") }).from(sql`(SELECT 1)`),
    song: insertSelect(db, songs, {
      row: {
        ...song.columns,
        ...{ tint, id: itsId, ownerId: userId, fetchedAt: now, createdAt: now },
        ...{ entitled: 0, owed: 0, activeAt: toTheMinute(now) },
      },
      from: sql`WHERE ${why} IS NULL`,
    }).onConflictDoUpdate({
      target: songs.id,
      set: { ...song.refreshed, tint: sql`coalesce(excluded.tint, tint)`, fetchedAt: now },
    }),
    seat: gated(gate, isIn, (isHandedIn) => ({
      also: song.also(isHandedIn, now),
      unused: dropUnusedTracks(db, userId, isHandedIn),
      user: db
        .update(users)
        .set({ updatedAt: now })
        .where(sql`users.id = ${userId} AND ${isHandedIn}`),
    })),
    goOn: advanceRounds(db, isRound, now),
  };
}

/** A track that was taken back, or replaced, and was never rated or submitted. A recording stays: its file is here alone. */
function dropUnusedTracks(db: Database, userId: string, condition: SQL = sql`1`) {
  return db.delete(songs).where(
    sql`owner_id = ${userId} AND entitled = 0 AND track_id IS NOT NULL AND ${condition}
      AND NOT EXISTS (SELECT 1 FROM round_members WHERE song_id = songs.id)
      AND NOT EXISTS (SELECT 1 FROM ratings WHERE song_id = songs.id)
      AND taken_out IS NULL AND NOT EXISTS (SELECT 1 FROM reports WHERE song_id = songs.id)`,
  );
}

/** What the triggers of `songs` make its recording. */
function recordingOf({ columns: { trackId, isrc, ownRecordingId } }: Submittable): SQL {
  if (trackId === null)
    return sql`(SELECT hash FROM recordings WHERE recordings.id = ${ownRecordingId})`;
  return sql`coalesce((SELECT recording FROM songs AS same WHERE same.track_id = ${trackId} LIMIT 1),
    ${isrc}, ${trackId})`;
}

/** Leaves a round whose marks are not one's own yet, with the song: others owe it nothing. */
export async function leaveRound(
  { db, now }: DatabaseAndClock,
  { userId }: Viewer,
  token: string,
): Promise<{ ok: true } | Rejection> {
  const isRound = sql`rounds.token = ${token}`;
  // Who is late may leave, too.
  const isLeft = sql`round_id = (SELECT id FROM rounds WHERE ${isRound}
    AND (rounds.opened_at IS NULL OR listened_at IS NULL))`;
  const { round, stays } = await runBatch(db, {
    // What was heard for the round is no way to rate it in the exchange.
    heard: db.delete(listens).where(
      sql`id IN (SELECT unrated.id FROM rounds
        JOIN round_members AS mine ON mine.round_id = rounds.id AND mine.user_id = ${userId}
        JOIN round_members AS its ON its.round_id = rounds.id
        JOIN listens AS unrated ON unrated.user_id = mine.user_id AND unrated.song_id = its.song_id
          OR unrated.user_id = its.user_id AND unrated.song_id = mine.song_id
        WHERE ${isRound} AND NOT EXISTS (SELECT 1 FROM ratings WHERE ratings.listen_id = unrated.id)
          AND (rounds.opened_at IS NULL OR mine.listened_at IS NULL))`,
    ),
    left: db.delete(roundMembers).where(sql`user_id = ${userId} AND ${isLeft}`),
    unused: dropUnusedTracks(db, userId),
    round: selectRound(db, token),
    stays: db
      .select({ roundId: roundMembers.roundId })
      .from(roundMembers)
      .where(isMembers(userId, token)),
    goOn: advanceRounds(db, isRound, now()),
  });
  if (round.length === 0) return noRound;
  return stays.length === 0 ? { ok: true } : reject(409, "The round is open. You stay in it.");
}

/** What a member does with their own result, once the round is open. */
const results = {
  open: (now: number) => ({ openedAt: sql`coalesce(opened_at, ${now})` }),
  show: (now: number) => ({ shownAt: sql`iif(opened_at IS NULL, NULL, ${now})` }),
  hide: () => ({ shownAt: null }),
} satisfies Record<string, (now: number) => object>;

export type OwnResult = keyof typeof results;

/** A condition on rows of `round_members`: its own marks are the member's to open. */
const mayOpen = sql`round_members.listened_at IS NOT NULL AND round_members.song_id IS NOT NULL
  AND EXISTS (SELECT 1 FROM rounds WHERE rounds.id = round_members.round_id AND rounds.opened_at IS NOT NULL)`;

function isMembers(userId: string, token: string): SQL {
  return sql`user_id = ${userId} AND round_id = (SELECT id FROM rounds WHERE token = ${token})`;
}

export async function writeOwnResult(
  { db, now }: DatabaseAndClock,
  { userId }: Viewer,
  { token, what }: { token: string; what: OwnResult },
): Promise<{ ok: true } | Rejection> {
  const written = await db
    .update(roundMembers)
    .set(results[what](now()))
    .where(sql`${isMembers(userId, token)} AND ${mayOpen}`)
    .returning({ roundId: roundMembers.roundId });
  return written.length > 0
    ? { ok: true }
    : reject(
        409,
        "Your marks are not open yet. They open once the round has, and you have heard yours.",
      );
}

/**
 * Asks the exchange for what a round's members left out: the marks of the round become a submission of its song's, which
 * is promised those that miss from five. Refuses who has not given theirs.
 */
export async function askExchange(
  { db, now, sealedBelow }: DatabaseAndClock & { sealedBelow: number },
  { userId }: Viewer,
  token: string,
): Promise<{ ok: true } | Rejection> {
  const id = crypto.randomUUID();
  const at = now();
  const count = sql<number>`(SELECT count(*) ${marksIn(sql`mine.round_id`, sql`songs.id`)})`;
  const isAsked = sql`EXISTS (SELECT 1 FROM submissions WHERE submissions.id = ${id})`;
  const itsSong = sql`(SELECT song_id FROM submissions WHERE id = ${id})`;
  const member = sql`FROM round_members AS mine JOIN rounds ON rounds.id = mine.round_id
    JOIN songs ON songs.id = mine.song_id
    WHERE mine.user_id = ${userId} AND rounds.token = ${token}`;
  const asksFor = sql`(SELECT ${ratingsPerSubmission} - count(*) ${marksIn(
    sql`(SELECT id FROM rounds WHERE token = ${token})`,
    sql`songs.id`,
  )})`;
  const gate = insertSelect(db, submissions, {
    row: {
      ...{
        id,
        songId: sql`songs.id`,
        ownerId: userId,
        ownRecordingId: sql`songs.own_recording_id`,
      },
      number: sql`songs.entitled / ${sql.raw(String(ratingsPerSubmission))} + 1`,
      ...{
        spent: 0,
        limited: false,
        sealed: isCircleSmall(sealedBelow, at),
        requestKey: sql`'round:' || rounds.id`,
      },
      createdAt: sql`begun_at`,
    },
    from: sql`${member} AND rounds.opened_at IS NOT NULL AND mine.listened_at IS NOT NULL
      AND ${givenInRound} >= ${ratingsPerSubmission} - ${count} AND NOT ${isInRound(sql`songs.id`)}
      AND NOT ${isInCooldown(userId, at)}
      AND ${count} < ${ratingsPerSubmission} AND songs.owed = 0 AND songs.taken_out IS NULL
      AND NOT EXISTS (SELECT 1 FROM submissions AS asked WHERE asked.owner_id = ${userId}
        AND asked.request_key LIKE 'round:%' AND asked.created_at > ${at - askedForMs})
      AND ${hasRoom(userId)} AND ${lockReason(userId)} IS NULL
      AND (songs.own_recording_id IS NULL OR EXISTS (SELECT 1 FROM recordings
        WHERE recordings.id = songs.own_recording_id AND file_ended_at IS NULL))
      AND NOT EXISTS (SELECT 1 FROM submissions AS since
        WHERE since.song_id = songs.id AND since.created_at >= begun_at)`,
  })
    .onConflictDoNothing()
    .returning({ id: submissions.id });
  const { asked } = await runBatch(db, {
    promise: gated(gate, isAsked, (isPromised) => ({
      // What was heard for the round is no way to rate it in the exchange.
      heard: db.delete(listens).where(
        sql`song_id = ${itsSong} AND ${isPromised}
          AND NOT EXISTS (SELECT 1 FROM ratings WHERE ratings.listen_id = listens.id)`,
      ),
      refusals: answerRefusals(db, { songId: itsSong, now: at }, isPromised),
      song: db
        .update(songs)
        .set({
          entitled: sql`entitled + ${ratingsPerSubmission}`,
          received: sql`received + ${ratingsPerSubmission} - ${asksFor}`,
          owed: asksFor,
          owedSince: sql`(SELECT created_at FROM submissions WHERE submissions.id = ${id})`,
          activeAt: toTheMinute(at),
        })
        .where(sql`id = ${itsSong} AND ${isPromised}`),
      user: db
        .update(users)
        .set({ submittedCount: sql`submitted_count + 1` })
        .where(sql`users.id = ${userId} AND ${isPromised}`),
      marks: db
        .update(ratings)
        // When each came would tell whose it is.
        .set({
          sealed: false,
          createdAt: sql`(SELECT opened_at FROM rounds WHERE rounds.id = ratings.round_id)`,
        })
        .where(
          and(
            sql`song_id = ${itsSong} AND ${isPromised}`,
            sql`ratings.id IN (SELECT one.id ${marksIn(sql`(SELECT id FROM rounds WHERE token = ${token})`, itsSong)})`,
          ),
        ),
    })),
    asked: db
      .select({ id: submissions.id })
      .from(submissions)
      .where(
        sql`owner_id = ${userId} AND request_key = (SELECT 'round:' || id FROM rounds WHERE token = ${token})`,
      ),
  });
  return asked.length > 0
    ? { ok: true }
    : reject(
        409,
        "Musicians outside the round cannot give it the rest. Perhaps it waits there already, or you have asked for another one this week.",
      );
}
