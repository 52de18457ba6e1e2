/** The SQL that counts a day's figures. Also runs in plain Node (.ops/rebuild-figures.ts). */
import { dayMs, dayOf, hourMs, minuteMs } from "../platform/dates.ts";

const onTheDay = "created_at >= since AND created_at < until";

/** Hours within which these tenths of the day's kept promises were kept. */
const hoursToKeep = (tenths: number) => `(
  SELECT (min(took) + ${hourMs - 1}) / ${hourMs} FROM (
    SELECT completed_at - created_at AS took,
      row_number() OVER (ORDER BY completed_at - created_at) AS place, count(*) OVER () AS total
    FROM submissions WHERE completed_at >= since AND completed_at < until)
  WHERE place * 10 >= total * ${tenths})`;

/** Recorded as it happened (count-event.server.ts). */
const eventCount = (name: string) => `coalesce((
  SELECT count FROM daily_counts WHERE daily_counts.day = days.day AND name = '${name}'), 0)`;

/** Each is found through an index. */
const totals = {
  logins: `(SELECT count(*) FROM activity_log WHERE kind = 'login' AND ${onTheDay})`,
  listens: "(SELECT count(*) FROM listens WHERE started_at >= since AND started_at < until)",
  ratings: `(SELECT count(*) FROM ratings WHERE ${onTheDay} AND round_id IS NULL)`,
  passes: `(SELECT count(*) FROM passes WHERE ${onTheDay})`,
  submissions: `(SELECT count(*) FROM activity_log WHERE kind = 'submission' AND ${onTheDay})`,
  half_hours: hoursToKeep(5),
  nine_tenths_hours: hoursToKeep(9),
  empty_visits: eventCount("empty_visits"),
  mails_sent: eventCount("mails_sent"),
  mails_failed: eventCount("mails_failed"),
  jobs_failed: eventCount("jobs_failed"),
};

/** Values that cannot be counted later. Their conditions match those of indexes. */
const valuesAt = (now: number) => ({
  // Once a day, because it reads every song in rotation.
  owed: `coalesce((SELECT owed FROM daily_stats WHERE daily_stats.day = days.day),
    (SELECT coalesce(sum(owed), 0) FROM songs WHERE line_since > 0)
    + (SELECT coalesce(sum(owed), 0) FROM songs
       WHERE owed_since > 0 AND line_since IS NULL AND resting_since IS NULL))`,
  // Ratings that gather for a mail that is not yet due are not late.
  mails_waiting: `(SELECT count(DISTINCT coalesce(mail_id, iif(kind = 'rating', user_id, id)))
    FROM outbox WHERE state = 'pending' AND not_before >= 0
      AND (mail_id IS NOT NULL OR not_before <= ${now}))`,
  premium_members: `(SELECT count(*) FROM subscriptions
    WHERE customer_id IS NOT NULL AND status NOT IN ('none', 'canceled', 'incomplete_expired')
      AND synced_at >= 0 AND tier = 'premium')`,
});

/** The last days until a moment, oldest first. */
export function daysUntil(epochMs: number, count: number): string[] {
  return Array.from({ length: count }, (_, place) => dayOf(epochMs - (count - 1 - place) * dayMs));
}

/** Counts days and writes their rows. Values at a moment are written only for the day of `now`. */
export function countDays(days: string[], now: number, condition = "true"): string {
  const rows = days.map((day) => {
    const since = Date.parse(day);
    return `('${day}', ${since}, ${since + dayMs})`;
  });
  const moments = Object.entries(valuesAt(now));
  const values = [
    ...Object.values(totals),
    ...moments.map(([, value]) => `iif(until > ${now}, ${value}, NULL)`),
  ];
  const columns = [...Object.keys(totals), ...moments.map(([name]) => name)];
  const changes = [
    ...[...Object.keys(totals), "written_at"].map((name) => `${name} = excluded.${name}`),
    ...moments.map(([name]) => `${name} = coalesce(excluded.${name}, ${name})`),
  ];
  return `WITH days (day, since, until) AS (VALUES ${rows.join(", ")})
INSERT INTO daily_stats (day, ${columns.join(", ")}, written_at)
SELECT day, ${values.join(",\n")}, ${now}
FROM days WHERE ${condition}
ON CONFLICT (day) DO UPDATE SET ${changes.join(", ")}`;
}

/** Whatever began on a day has been written so long after its end. */
const finalAfterMs = 10 * minuteMs;

/** Counts the day of `now` and the day before, each once an hour until it is final. */
export function countDueDays(now: number): string {
  return countDays(
    daysUntil(now, 2),
    now,
    `NOT EXISTS (SELECT 1 FROM daily_stats WHERE daily_stats.day = days.day
      AND (written_at > ${now - hourMs + 5 * minuteMs} OR written_at >= until + ${finalAfterMs}))`,
  );
}
