import { sql } from "drizzle-orm";

const newest = 20;

/** Of a song's newest ratings, the most that came from accounts that were made on one day (UTC). 1 says nothing. */
export const ratingsFromOneDay = sql<number>`coalesce((SELECT max(alike) FROM (
  SELECT count(*) AS alike FROM (
    SELECT rater_id FROM ratings WHERE ratings.song_id = songs.id ORDER BY ratings.created_at DESC LIMIT ${newest}) AS given
  JOIN users AS rater ON rater.id = given.rater_id GROUP BY rater.created_at / 86400000)), 0)`;

export function oneDayText(count: number): string | null {
  return count > 1 ? `${count} of them by accounts of one day` : null;
}
