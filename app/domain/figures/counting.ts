/**
 * How a day's figures are counted, as SQL: for the Worker's job, and for the command that counts days
 * again (.ops/rebuild-figures.ts), which plain Node runs.
 */
import { dayMs } from "../../db/rules.ts";

const minute = 60_000;
const hour = 60 * minute;

/** The days that are counted, each with its first moment and the next day's. */
const theDay = "created_at >= since AND created_at < until";

/** The promises of five ratings that were kept on the day, and in hours how long this share of them took at most. */
const within = (tenths: number) => `(
  SELECT (min(took) + ${hour - 1}) / ${hour} FROM (
    SELECT completed_at - created_at AS took,
      row_number() OVER (ORDER BY completed_at - created_at) AS place, count(*) OVER () AS total
    FROM submissions WHERE completed_at >= since AND completed_at < until)
  WHERE place * 10 >= total * ${tenths})`;

/** What was counted as it happened (passing.server.ts). */
const inPassing = (name: string) => `coalesce((
  SELECT count FROM daily_counts WHERE daily_counts.day = days.day AND name = '${name}'), 0)`;

/** What happened on a day. An index leads to each of them. */
const counted = {
  logins: `(SELECT count(*) FROM activity_log WHERE kind = 'login' AND ${theDay})`,
  listens: "(SELECT count(*) FROM listens WHERE started_at >= since AND started_at < until)",
  ratings: `(SELECT count(*) FROM ratings WHERE ${theDay})`,
  passes: `(SELECT count(*) FROM passes WHERE ${theDay})`,
  // But for those that were taken back, which their owners can do for a minute.
  submissions: `(SELECT count(*) FROM activity_log AS made
    WHERE kind = 'upload' AND ${theDay} AND NOT EXISTS (
      SELECT 1 FROM activity_log AS undone
      WHERE undone.kind = 'undo' AND undone.user_id = made.user_id
        AND undone.song_id = made.song_id
        AND undone.created_at BETWEEN made.created_at AND made.created_at + ${minute}))`,
  half_hours: within(5),
  nine_tenths_hours: within(9),
  empty_visits: inPassing("empty_visits"),
  mails_sent: inPassing("mails_sent"),
  mails_failed: inPassing("mails_failed"),
  jobs_failed: inPassing("jobs_failed"),
};

/** What stands at a moment: nobody can count it afterwards. The conditions are those of indexes. */
const standing = (now: number) => ({
  // Once a day: it reads every song in rotation.
  owed: `coalesce((SELECT owed FROM daily_stats WHERE daily_stats.day = days.day),
    (SELECT coalesce(sum(owed), 0) FROM songs WHERE line_since > 0)
    + (SELECT coalesce(sum(owed), 0) FROM songs
       WHERE owed_since > 0 AND line_since IS NULL AND resting_since IS NULL))`,
  // Ratings that gather for a mail which is not due yet wait as they should.
  mails_waiting: `(SELECT count(DISTINCT coalesce(mail_id, iif(kind = 'rating', user_id, id)))
    FROM outbox WHERE state = 'pending' AND not_before >= 0
      AND (mail_id IS NOT NULL OR not_before <= ${now}))`,
  premium_members: `(SELECT count(*) FROM subscriptions
    WHERE customer_id IS NOT NULL AND status NOT IN ('none', 'canceled', 'incomplete_expired')
      AND synced_at >= 0 AND tier = 'premium')`,
});

/** The day of a moment in UTC, as `daily_stats` has it: "2026-11-23". */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** So many days, the last of them that of a moment, oldest first. */
export function daysUntil(epochMs: number, count: number): string[] {
  return Array.from({ length: count }, (_, place) => dayOf(epochMs - (count - 1 - place) * dayMs));
}

/**
 * The statement that counts some days and writes their rows. What stands at a moment is counted for the
 * day of `now` alone, and stays as it is for others.
 * @param condition leaves out the days for which it does not hold.
 */
export function countDays(days: string[], now: number, condition = "true"): string {
  const rows = days.map((day) => {
    const since = Date.parse(day);
    return `('${day}', ${since}, ${since + dayMs})`;
  });
  const moments = Object.entries(standing(now));
  const values = [
    ...Object.values(counted),
    ...moments.map(([, value]) => `iif(until > ${now}, ${value}, NULL)`),
  ];
  const columns = [...Object.keys(counted), ...moments.map(([name]) => name)];
  const changes = [
    ...[...Object.keys(counted), "written_at"].map((name) => `${name} = excluded.${name}`),
    ...moments.map(([name]) => `${name} = coalesce(excluded.${name}, ${name})`),
  ];
  return `WITH days (day, since, until) AS (VALUES ${rows.join(", ")})
INSERT INTO daily_stats (day, ${columns.join(", ")}, written_at)
SELECT day, ${values.join(",\n")}, ${now}
FROM days WHERE ${condition}
ON CONFLICT (day) DO UPDATE SET ${changes.join(", ")}`;
}

/** How long after its end a day is counted for the last time: what began on it is written by then. */
const settledMs = 10 * minute;

/**
 * The statement of the job: counts the day of `now` and the one before, each once an hour until it has
 * been counted after its end.
 */
export function countDueDays(now: number): string {
  return countDays(
    daysUntil(now, 2),
    now,
    `NOT EXISTS (SELECT 1 FROM daily_stats WHERE daily_stats.day = days.day
      AND (written_at > ${now - hour + 5 * minute} OR written_at >= until + ${settledMs}))`,
  );
}
