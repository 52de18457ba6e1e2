import { asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import type { Results } from "~/db/gated";
import { notices, operatorLog, reports, songs, submissionLocks, users } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import { soundsGeneratedTo } from "~/exchange/pass/sounds-generated.server";
import { noticeNumber } from "~/letters/notice-mails";
import { lockReason } from "~/members/what-outlives.server";
import { hasFilesToEnd } from "~/sources/files/drafts.server";
import { isReported } from "~/sources/recording.server";
import type { Operator } from "./audit.server";
import { ratingsFromOneDay } from "./same-day";

/** Rows read for each list: the oldest reports and notices, and the newest of all others. */
const limits = {
  reports: 20,
  notices: 20,
  unplayable: 5,
  soundsGenerated: 5,
  takenOut: 10,
  locks: 10,
  lockRows: 30,
  lines: 30,
  refusals: 4,
};

export type Decisions = ReturnType<typeof toDecisions>;
export type OpenSong = Decisions["takenOut"][number];
export type OpenNotice = OpenSong["notices"][number];

export function selectDecisions(db: Database) {
  const shown = sql`(
    SELECT song_id FROM (
      SELECT song_id FROM reports WHERE closed_at IS NULL ORDER BY created_at LIMIT ${limits.reports})
    UNION SELECT song_id FROM (
      SELECT song_id FROM notices WHERE decided_at IS NULL ORDER BY created_at LIMIT ${limits.notices})
    UNION SELECT id FROM (
      SELECT id FROM songs WHERE resting_since IS NOT NULL AND withdrawn = 0 AND taken_out IS NULL
        AND (decided_at IS NULL OR decided_at < resting_since)
      ORDER BY resting_since LIMIT ${limits.unplayable})
    UNION SELECT id FROM (
      SELECT id FROM songs WHERE sounds_generated_since IS NOT NULL
      ORDER BY sounds_generated_since LIMIT ${limits.soundsGenerated})
    UNION SELECT id FROM (
      SELECT id FROM songs WHERE taken_out IS NOT NULL
      ORDER BY decided_at DESC LIMIT ${limits.takenOut}))`;
  return {
    reports: db
      .select({ songId: reports.songId, words: reports.words, createdAt: reports.createdAt })
      .from(reports)
      .where(isNull(reports.closedAt))
      .orderBy(asc(reports.createdAt))
      .limit(limits.reports),
    notices: db
      .select({
        id: notices.id,
        songId: notices.songId,
        location: notices.location,
        words: notices.words,
        name: notices.name,
        address: notices.address,
        createdAt: notices.createdAt,
      })
      .from(notices)
      .where(isNull(notices.decidedAt))
      .orderBy(asc(notices.createdAt))
      .limit(limits.notices),
    songs: db
      .select({
        songId: sql<string>`${songs.id}`.as("song"),
        title: songs.title,
        artists: songs.artists,
        artUrl: songColumns.artUrl,
        spotifyUrl: songs.spotifyUrl,
        ownerId: songs.ownerId,
        ownerName: users.displayName,
        received: songs.received,
        fromOneDay: ratingsFromOneDay.as("from_one_day"),
        owed: songs.owed,
        made: songs.made,
        soundsGeneratedSince: songs.soundsGeneratedSince,
        soundsGeneratedTo: soundsGeneratedTo.as("sounds_generated_to"),
        restingSince: songs.restingSince,
        withdrawn: songs.withdrawn,
        takenOut: songs.takenOut,
        decidedAt: songs.decidedAt,
        hasFiles: asBoolean(hasFilesToEnd, "has_files"),
        // `findAudio` and `songCover` let operators hear and see what was reported.
        isHeard: asBoolean(
          sql`(${isReported(sql`songs.id`)} AND EXISTS (SELECT 1 FROM recordings
            WHERE recordings.id = songs.own_recording_id AND file_ended_at IS NULL))`,
          "is_heard",
        ),
        lockId: sql<string | null>`(SELECT submission_locks.id FROM submission_locks
          WHERE submission_locks.user_id = ${songs.ownerId})`.as("lock_id"),
        lockReason: lockReason(sql`${songs.ownerId}`).as("lock_reason"),
        refusals: sql<number>`(SELECT count(*) FROM (
          SELECT 1 FROM unplayable_reports WHERE unplayable_reports.song_id = ${songs.id}
            AND answered_at IS NULL LIMIT ${limits.refusals}))`.as("refusals"),
      })
      .from(songs)
      .innerJoin(users, eq(users.id, songs.ownerId))
      .where(sql`${songs.id} IN ${shown}`),
    locks: db
      .select({
        id: sql<string>`${submissionLocks.id}`.as("lock_id"),
        userId: submissionLocks.userId,
        name: users.displayName,
        reason: submissionLocks.reason,
        at: submissionLocks.lockedAt,
      })
      .from(submissionLocks)
      .leftJoin(users, eq(users.id, submissionLocks.userId))
      .orderBy(desc(submissionLocks.lockedAt))
      .limit(limits.lockRows),
    lines: db
      .select({
        id: sql<string>`${operatorLog.id}`.as("line_id"),
        operator: operatorLog.operator,
        action: operatorLog.action,
        target: operatorLog.target,
        title: songs.title,
        name: users.displayName,
        userId: operatorLog.userId,
        reason: operatorLog.reason,
        at: sql<number>`${operatorLog.createdAt}`.as("line_at"),
      })
      .from(operatorLog)
      .leftJoin(songs, eq(songs.id, operatorLog.target))
      .leftJoin(users, eq(users.id, operatorLog.userId))
      .orderBy(desc(operatorLog.createdAt))
      .limit(limits.lines),
  };
}

export function toDecisions(rows: Results<ReturnType<typeof selectDecisions>>, operator: Operator) {
  const reportsOf = Map.groupBy(rows.reports, ({ songId }) => songId);
  const noticesOf = Map.groupBy(
    rows.notices.map((notice) => ({ ...notice, number: noticeNumber(notice) })),
    ({ songId }) => songId,
  );
  const all = rows.songs.map(({ lockId, lockReason: reason, soundsGeneratedSince, ...song }) => {
    const isOwn = song.ownerId === operator.userId;
    const openReports = reportsOf.get(song.songId) ?? [];
    const openNotices = noticesOf.get(song.songId) ?? [];
    const times = [openReports[0]?.createdAt, openNotices[0]?.createdAt, song.restingSince];
    return {
      ...song,
      isOwn,
      since: Math.min(...[...times, soundsGeneratedSince].flatMap((at) => at ?? [])),
      lock: lockId === null ? null : { id: lockId, reason: reason ?? "" },
      // Words and times could tell who reported it, and a count that falls could tell whose account is
      // deleted.
      reports: isOwn ? [] : openReports.map(({ words, createdAt }) => ({ words, createdAt })),
      notices: isOwn ? [] : openNotices,
      refusals: isOwn ? 0 : song.refusals,
      soundsGeneratedTo: isOwn || soundsGeneratedSince === null ? 0 : song.soundsGeneratedTo,
      fromOneDay: isOwn ? 0 : song.fromOneDay,
    };
  });
  const isOpen = ({ songId, takenOut }: (typeof all)[number]) =>
    reportsOf.has(songId) || noticesOf.has(songId) || takenOut === null;
  return {
    open: [
      ...all.filter(isOpen).map((song) => ({ since: song.since, song, notice: null })),
      ...(noticesOf.get(null) ?? []).map((notice) => ({
        ...{ since: notice.createdAt, song: null, notice },
      })),
    ].toSorted((a, b) => a.since - b.since),
    takenOut: all
      .filter(({ takenOut }) => takenOut !== null)
      .toSorted((a, b) => (b.decidedAt ?? 0) - (a.decidedAt ?? 0)),
    locks: locksOf(rows.locks),
    lines: rows.lines.map(({ userId, ...its }) => {
      const line = { ...its, isAccount: userId === its.target };
      // The reason could quote the report of one's own song.
      const isOwn = line.action === "dismiss" && userId === operator.userId;
      return isOwn ? { ...line, reason: "" } : line;
    }),
  };
}

/** A lock has a row for each way in of its user, of whom some may have come back. */
function locksOf(rows: Results<ReturnType<typeof selectDecisions>>["locks"]) {
  const locks = Map.groupBy(rows, ({ at, reason }) => `${at} ${reason}`);
  return [...locks.values()]
    .flatMap((lock) => lock.find(({ userId }) => userId !== null) ?? lock.slice(0, 1))
    .slice(0, limits.locks);
}
