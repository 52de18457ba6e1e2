import { and, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { type Batch, runBatch } from "~/db/gated";
import { prepared } from "~/db/prepared";
import { communityDays, communityFigures, sessions } from "~/db/schema";
import { likedFrom } from "~/exchange/rating/scale";
import { dayMs, dayOf, hourMs, minuteMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import type { SourceName } from "~/sources/song";
import { type CommunityFigures, likedShare, numbersDays } from "./community";

/** Other people hear own recordings, so these have figures of their own; beside a track stand those of all songs. */
const rowIds: Record<SourceName, number> = { spotify: 1, files: 2 };

export const selectCommunity = prepared((db) =>
  db
    .select()
    .from(communityFigures)
    .where(inArray(communityFigures.id, Object.values(rowIds))),
);

/** The figures that stand beside a song of this source. */
export function toCommunity(
  rows: (typeof communityFigures.$inferSelect)[],
  source: SourceName = "spotify",
): CommunityFigures | null {
  const row = rows.find(({ id }) => id === rowIds[source]);
  if (!row) return null;
  const { songsRatedThisWeek, promisesKept, halfWithinMs, mostWithinMs } = row;
  return {
    songsRatedThisWeek,
    promisesKept,
    halfWithinMs,
    mostWithinMs,
    likedShare: likedShare(row.ratings, row.liked),
  };
}

/** What happened is written by then, and its score is final. */
const settledAfterMs = 10 * minuteMs;
/** One run counts no more. */
const mostRatings = 2000;
/** As text: what is bound is divided with a remainder. */
const constant = (value: number) => sql.raw(String(value));

/**
 * Counts in portions what has happened since the last run, into a row for each day (UTC). Once a day is over, the
 * figures are the sums of the last thirty. What was counted stays, whoever leaves.
 */
export async function refreshCommunity(
  db: Database,
  now: number,
  also: Batch = null,
): Promise<{ count: number }> {
  const today = now - (now % dayMs);
  const [monthAgo, weekAgo] = [today - numbersDays * dayMs, today - 7 * dayMs];
  const recent = gte(communityDays.day, dayOf(monthAgo));
  const reached = sql`coalesce((SELECT max(counted_to) FROM community_days WHERE ${recent}), ${monthAgo})`;
  const { figures, known, span } = await runBatch(db, {
    figures: selectCommunity(db),
    known: db.select().from(communityDays).where(recent),
    span: db
      .select({
        from: sql<number>`${reached}`.as("reached"),
        next: sql<number | null>`(SELECT created_at FROM ratings WHERE created_at > ${reached}
          ORDER BY created_at LIMIT 1 OFFSET ${constant(mostRatings)})`.as("next"),
      })
      .from(sql`(SELECT 1)`),
    also,
  });
  const { from = monthAgo, next = null } = span[0] ?? {};
  const countedTo = Math.max(from, Math.min(next ?? now, now - settledAfterMs));
  const days = new Map(known.map((one) => [one.day, one]));
  for (const { at, name, times } of [
    ...(await selectHappened(db, [from, countedTo], weekAgo)),
    { at: countedTo, name: "ratings", times: 0 },
  ]) {
    const day = dayOf(at);
    const counts = { ...days.get(day)?.counts };
    counts[name] = (counts[name] ?? 0) + times;
    days.set(day, { day, counts, countedTo });
  }
  const computedAt = figures.find(({ id }) => id === rowIds.spotify)?.computedAt ?? 0;
  const isDue = computedAt < today && countedTo >= today;
  await runBatch(db, {
    days: [...days.values()]
      .filter((day) => day.countedTo === countedTo)
      .map((day) =>
        db
          .insert(communityDays)
          .values(day)
          .onConflictDoUpdate({
            ...{ target: communityDays.day, set: day },
            // Of two runs at once the one counts that came further.
            setWhere: lt(communityDays.countedTo, countedTo),
          }),
      ),
    figures: isDue
      ? Object.values(rowIds).map((id) => {
          const over = [...days.values()].filter(({ day }) => day < dayOf(today));
          const row = { id, computedAt: now, ...sumUp(over, id === rowIds.files, dayOf(weekAgo)) };
          return db
            .insert(communityFigures)
            .values(row)
            .onConflictDoUpdate({ target: communityFigures.id, set: row });
        })
      : null,
    old: db.delete(communityDays).where(lt(communityDays.day, dayOf(monthAgo))),
  });
  return { count: isDue ? 1 : 0 };
}

/**
 * By the name of a day's count: a promise by the hours in which it was kept. "again" is a rating that another of its
 * recording has followed: without these, each recording counts on the day of its last.
 */
function selectHappened(db: Database, [from, until]: [number, number], weekAgo: number) {
  const count = (at: SQL, name: SQL) =>
    sql`SELECT ${at} AS at, iif(own, 'own ', '') || ${name} AS name, count(*) AS times`;
  const each = sql`GROUP BY at / ${constant(dayMs)}, name`;
  return db.all<{ at: number; name: string; times: number }>(sql`
    WITH given AS MATERIALIZED (
      SELECT created_at, score, (SELECT track_id IS NULL FROM songs WHERE songs.id = song_id) AS own,
        (SELECT max((SELECT created_at FROM ratings AS one
            WHERE one.song_id = songs.id AND one.round_id IS NULL
              AND (one.created_at, one.rowid) < (ratings.created_at, ratings.rowid)
            ORDER BY one.created_at DESC, one.rowid DESC LIMIT 1))
          FROM songs WHERE songs.recording = ratings.recording) AS before
      FROM ratings WHERE created_at >= ${from} AND created_at < ${until} AND round_id IS NULL
    ), kept AS (
      SELECT completed_at, own_recording_id IS NOT NULL AS own,
        (completed_at - created_at + ${constant(hourMs - 1)}) / ${constant(hourMs)} AS hours
      FROM submissions WHERE completed_at >= ${from} AND completed_at < ${until}
    )
    ${count(sql`created_at`, sql`'ratings'`)} FROM given ${each}
    UNION ALL ${count(sql`created_at`, sql`'liked'`)} FROM given WHERE score >= ${likedFrom} ${each}
    UNION ALL ${count(sql`before`, sql`'again'`)} FROM given WHERE before >= ${weekAgo} ${each}
    UNION ALL ${count(sql`completed_at`, sql`iif(hours > 48, (hours + 23) / 24 * 24, hours)`)} FROM kept ${each}`);
}

function sumUp(days: (typeof communityDays.$inferSelect)[], ownAlone: boolean, weekAgo: string) {
  const month: Record<string, number> = {};
  let songsRatedThisWeek = 0;
  for (const { day, counts } of days) {
    for (const [key, times] of Object.entries(counts)) {
      const name = key.replace("own ", "");
      if (ownAlone && name === key) continue;
      month[name] = (month[name] ?? 0) + times;
      if (day >= weekAgo) songsRatedThisWeek += { ratings: times, again: -times }[name] ?? 0;
    }
  }
  // Numbers come first in an object, the lowest before the others.
  const waits = Object.entries(month).filter(([name]) => Number(name) >= 0);
  const promisesKept = waits.reduce((sum, [, times]) => sum + times, 0);
  const within = (tenths: number) => {
    let left = tenths * promisesKept;
    const last = waits.find(([, times]) => {
      left -= 10 * times;
      return left <= 0;
    });
    return Number(last?.[0] ?? 0) * hourMs;
  };
  return {
    ...{ songsRatedThisWeek, promisesKept, halfWithinMs: within(5), mostWithinMs: within(9) },
    ...{ ratings: month.ratings ?? 0, liked: month.liked ?? 0 },
  };
}

/** The landing page's data. The page does without them where the database does not answer. */
export async function loadLanding(
  db: Database,
  sessionId: string | null,
): Promise<{ community: CommunityFigures | null; endedBySpotify: boolean }> {
  try {
    const { community, ended } = await runBatch(db, {
      community: selectCommunity(db),
      ended: selectEndedBySpotify(db, sessionId),
    });
    return { community: toCommunity(community), endedBySpotify: ended.length > 0 };
  } catch (error) {
    logEvent("landing_without_figures", { error });
    return { community: null, endedBySpotify: false };
  }
}

/** Finds a login that Spotify has ended, until the retention job deletes it. */
function selectEndedBySpotify(db: Database, sessionId: string | null) {
  return db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, sessionId ?? ""),
        eq(sessions.way, "spotify"),
        eq(sessions.endedBySpotify, true),
      ),
    );
}
