import { and, asc, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { ratings, recordings, releases, shares, songs, submissions } from "~/db/schema";
import { settledOnly } from "~/db/settled";
import { songColumns } from "~/db/song-columns";
import { selectCommunity, toCommunity } from "~/exchange/community/community.server";
import { sealedRatings } from "~/exchange/pool/circle.server";
import { selectWaiting, toWaiting } from "~/exchange/pool/pool.server";
import { isScore } from "~/exchange/rating/scale";
import { readReleaseLink } from "~/exchange/release/release-link";
import { selectOpenedRounds } from "~/exchange/rounds/view.server";
import { selectListeners } from "~/exchange/submission/limits.server";
import { hearsSpotify } from "~/members/hearing";
import { touchIfDue, type Viewer } from "~/members/viewer.server";
import { sourceOf, toSong } from "~/sources/song";
import { pictureOf } from "./picture";
import { mixAt, mostVisible, seeNews } from "./received.server";
import { isSameSnapshot, sharePath, shareTitle, takeSnapshot } from "./share";
import { songResult } from "./song-result";

/** The newest ones. */
const maxRatings = 400;
const maxSubmissions = 80;

export type OwnSong = NonNullable<Awaited<ReturnType<typeof readOwnSong>>>;

/**
 * One of the viewer's songs, with its result from the ratings that the tier shows. With `lasts`, ratings that
 * can still change are left out, because the result outlives the page. Null if the viewer has no such song.
 * One round trip, which also records the activity.
 */
export async function readOwnSong(
  db: Database,
  viewer: Viewer,
  songId: string,
  { now, isActivity, lasts = false }: { now: number; isActivity: boolean; lasts?: boolean },
) {
  const { userId, tierConfig, news } = viewer;
  const most = mostVisible(tierConfig);
  const {
    song: [song],
    uploads,
    newest,
    community,
    waiting,
    rounds = [],
    share: [shared],
    listeners = [],
    release: [release = null],
  } = await runBatch(db, {
    song: db
      .select({
        songId: songs.id,
        entitled: songs.entitled,
        received: songs.received,
        sealed: sealedRatings.as("sealed_ratings"),
        owed: songs.owed,
        resting: asBoolean(isNotNull(songs.restingSince), "resting"),
        withdrawn: songs.withdrawn,
        takenOut: songs.takenOut,
        isMixAsked: asBoolean(isNotNull(songs.mixAskedAt), "is_mix_asked"),
        hasFile: asBoolean(
          sql`EXISTS (SELECT 1 FROM recordings
            WHERE recordings.id = songs.own_recording_id AND file_ended_at IS NULL)`,
          "has_file",
        ),
        ...songColumns,
      })
      .from(songs)
      .where(and(eq(songs.id, songId), eq(songs.ownerId, userId))),
    uploads: db
      .select({
        number: submissions.number,
        submittedAt: submissions.createdAt,
        file: recordings.hash,
        loudness: recordings.loudness,
        recordingId: recordings.id,
        drawnFrom: recordings.drawnFrom,
        fileMs: sql<number | null>`${recordings.durationMs}`.as("file_ms"),
        hasCover: asBoolean(isNotNull(recordings.coverType), "has_cover"),
        isKept: asBoolean(isNull(recordings.fileEndedAt), "is_kept"),
      })
      .from(submissions)
      .leftJoin(recordings, eq(recordings.id, submissions.ownRecordingId))
      .where(and(eq(submissions.songId, songId), eq(submissions.ownerId, userId)))
      .orderBy(desc(submissions.number))
      .limit(maxSubmissions),
    newest: db
      .select({
        score: ratings.score,
        at: ratings.createdAt,
        reasons: ratings.reasons,
        inPlaylist: ratings.inPlaylist,
        wantsRelease: ratings.wantsRelease,
        mix: mixAt(sql`ratings.created_at`).as("rated_mix"),
      })
      .from(ratings)
      .innerJoin(songs, eq(songs.id, ratings.songId))
      .where(
        and(eq(ratings.songId, songId), eq(ratings.ownerId, userId), eq(ratings.sealed, false)),
      )
      .orderBy(desc(ratings.createdAt), asc(ratings.id))
      .limit(maxRatings),
    community: selectCommunity(db),
    share: db
      .select({
        token: shares.token,
        snapshot: shares.snapshot,
        publishedAt: shares.publishedAt,
      })
      .from(shares)
      .where(eq(shares.songId, songId)),
    release: db
      .select({ url: releases.url, mailsAt: releases.mailsAt })
      .from(releases)
      .where(eq(releases.songId, songId)),
    listeners: lasts ? null : selectListeners(db, mixable(userId, songId), now),
    rounds: lasts ? null : selectOpenedRounds(db, userId, songId),
    waiting: lasts ? null : selectWaiting(db, userId, hearsSpotify(viewer)),
    touch: touchIfDue(db, viewer, { now, isActivity }),
    news:
      isActivity && !lasts && news.unseen > 0 ? seeNews(db, userId, eq(songs.id, songId)) : null,
  });
  if (!song) return null;
  const open = song.received - song.sealed;
  const seen = newest
    .toReversed()
    .flatMap(({ score, ...rest }) => (isScore(score) ? [{ score, ...rest }] : []));
  const submitted = uploads
    .toReversed()
    .map(({ recordingId, drawnFrom, fileMs, hasCover, isKept, ...one }) => ({
      ...one,
      mixed: recordingId
        ? {
            recordingId,
            drawnFrom: drawnFrom ?? "",
            seconds: (fileMs ?? 0) / 1000,
            hasCover,
            isKept,
          }
        : null,
    }));
  const known = { ...song, received: open, submissions: submitted, seen, most, now };
  const settled = settledOnly(known);
  const resultOf = (ratings: typeof known) =>
    songResult(ratings, toCommunity(community, sourceOf(song)));
  const all = resultOf(known);
  const lasting = settled.seen.length < seen.length ? resultOf(settled) : all;
  const result = lasts ? lasting : all;
  const snapshot = takeSnapshot(lasting);
  return {
    ...toSong(song),
    hidden: tierConfig.maxVisibleRatings < 0 ? 0 : open - all.scores.length,
    sealed: song.sealed,
    rounds,
    listeners: listeners[0] ?? null,
    waiting: waiting ? toWaiting(waiting, userId, now) : 0,
    result,
    release: toOwnRelease(release, now),
    share: shared
      ? {
          path: sharePath(shared.token),
          title: shareTitle(song, shared.snapshot),
          publishedAt: shared.publishedAt,
        }
      : null,
    /** Of `received`, what a shared page counts. */
    complete: snapshot?.received ?? 0,
    picture: snapshot && pictureOf(snapshot),
    publishable: snapshot !== null && !(shared && isSameSnapshot(snapshot, shared.snapshot)),
  };
}

/** The song, if a new mix of it may be submitted. */
function mixable(ownerId: string, songId: string) {
  return sql<string | null>`(SELECT id FROM songs WHERE id = ${songId} AND owner_id = ${ownerId}
    AND track_id IS NULL AND owed = 0 AND taken_out IS NULL)`;
}

function toOwnRelease(release: { url: string; mailsAt: number } | null, now: number) {
  const link = release && readReleaseLink(release.url);
  return link && { ...link, isMailed: release.mailsAt <= now };
}
