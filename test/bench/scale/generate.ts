/**
 * Fills a database with a rotation of any length and the users, ratings, listens, mails, sessions
 * and log lines that belong to it, as after a month of use. It writes directly into the file, by SQL that
 * counts, so that a million songs take minutes, and the same size always gives the same data. No row breaks
 * an invariant (test/support/database/invariants.ts).
 */
import type { DatabaseSync } from "node:sqlite";

/** The ids of users with special properties. */
export const cast = {
  /** Has rated ten of the songs at the front of the rotation. */
  light: "light",
  /** Has rated half of the rotation, or the 10,000 songs at its front, which are owed more ratings, and passed on the next. */
  heavy: "heavy",
  /** Has rated 10,000 songs that have all their ratings. */
  settled: "settled",
  /** Has submitted 1,000 songs: 200 are in rotation, 800 have all their ratings. */
  owner: "owner",
};

const minute = 60_000;
const day = 24 * 60 * minute;
const done = { settled: 10_000, owner: 800 };

/**
 * Fills a migrated, empty database.
 * @param size songs in rotation, at least 1,000.
 * @param now epoch milliseconds; everything lies in the 29 days before.
 */
export function fill(database: DatabaseSync, size: number, now: number): void {
  const start = now - 29 * day;
  const step = Math.floor((27 * day) / size);
  const crowd = Math.floor(size / 2.5);
  const heavyTo = Math.min(done.settled, Math.floor(size / 2));
  const everyOwned = Math.floor(size / 200);
  const numbers = (last: number) =>
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last})`;
  const user = (number: string) => `'user-' || ((${number}) % ${crowd})`;

  database.exec(`BEGIN;
    -- Every song: who rates it first, and how many follow.
    CREATE TEMP TABLE plan AS ${numbers(Math.max(size, done.settled + done.owner))}
    SELECT printf('due-%07d', n) AS id, n, ${start} + n * ${step} AS at,
        iif(n % ${everyOwned} = 0 AND n / ${everyOwned} <= 200, 'owner', ${user("n")}) AS owner,
        iif(n < 30, 4, max(n % 5, n <= ${heavyTo})) AS received, iif(n <= ${heavyTo}, 'heavy', NULL) AS first
      FROM numbers WHERE n <= ${size}
    UNION ALL SELECT printf('done-%07d', n), n, ${start} + n * 1000, iif(n > ${done.settled}, 'owner', ${user("n")}), 5,
        iif(n <= ${done.settled}, 'settled', NULL)
      FROM numbers WHERE n <= ${done.settled + done.owner};
    CREATE TEMP TABLE given AS SELECT 'rating-' || plan.id || k AS id, plan.id AS song, owner, k, n,
        n % 3 = 0 AS own, at + k * (${now} - at) / 6 AS at, (n + k) % 4 + 1 AS score,
        CASE WHEN k = 1 AND first IS NOT NULL THEN first
          WHEN k = 2 AND n < 30 AND n % 3 = 1 AND first = 'heavy' THEN 'light' ELSE ${user("n + 37 * k")} END AS rater
      FROM plan JOIN (SELECT 1 AS k UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5) ON k <= received;

    INSERT INTO recordings (id, owner_id, state, hash, drawn_from, type, bytes, duration_ms, audio_start, title, artist,
        made, hearing, created_at)
      SELECT 'file-' || id, owner, 'submitted', 'hash-' || id, 'drawn-' || id, 'mp3', 3000000, 180000, 0, 'A title',
        'A musician', 'people', 'heard', at FROM plan WHERE n % 3 = 0;
    INSERT INTO songs (id, owner_id, track_id, own_recording_id, title, artists, album, duration_ms, isrc, spotify_url,
        fetched_at, entitled, received, owed, owed_since, created_at, active_at)
      SELECT id, owner, iif(n % 3, 'track-' || id, NULL), iif(n % 3, NULL, 'file-' || id), 'The song ' || id,
        '["A musician"]', iif(n % 3, 'An album', ''), 180000, iif(n % 3, 'isrc-' || id, NULL),
        iif(n % 3, 'https://open.spotify.com/track/' || id, NULL), at, 5, received, 5 - received,
        iif(received < 5, at, NULL), at, (at + received * (${now} - at) / 6) / ${minute} * ${minute} FROM plan;
    INSERT INTO submissions (id, song_id, owner_id, own_recording_id, number, spent, limited, request_key, created_at,
        completed_at)
      SELECT 'submission-' || id, id, owner, iif(n % 3, NULL, 'file-' || id), 1, 6, 0, id, at,
        iif(received = 5, at + 5 * (${now} - at) / 6, NULL) FROM plan;
    INSERT INTO listens (id, user_id, song_id, required_seconds, started_at, finished_at, evidence, closed_at, delivered_ms)
      SELECT 'listen-' || id, rater, song, 55, at - ${minute}, at, iif(own, 'delivery', 'spotify'), at, 55000 * own FROM given;
    INSERT INTO ratings (id, song_id, owner_id, rater_id, listen_id, score, reasons, owes_mail, created_at)
      SELECT id, song, owner, rater, 'listen-' || id, score, iif(n % 3 = 1, 1, NULL), k <= 3, at FROM given;
    INSERT INTO activity_log (id, kind, user_id, song_id, created_at)
      SELECT 'log-' || id, 'submission', owner, id, at FROM plan;
    -- Of some the message was not queued, so that the sweep finds them.
    INSERT INTO outbox (id, user_id, kind, subject_id, dedupe_key, state, mail_id, attempts, sent_at, not_before, created_at)
      SELECT 'mail-' || id, owner, 'rating', id, 'rating:' || id, iif(late, 'pending', 'sent'),
        iif(late, NULL, 'mail-' || id), NOT late, iif(late, NULL, at), iif(late, ${now - 60 * minute}, at), at
      FROM (SELECT *, k <= 2 AND n <= 300 AND song LIKE 'done-%' AS late FROM given WHERE k <= 3);
    INSERT INTO reports (id, song_id, words, created_at, mailed_at)
      SELECT 'report-' || n, id, 'This is not music.', at, at FROM plan WHERE n % ${size / 100} = 0 AND received < 5 LIMIT 100;
    INSERT INTO passes (id, user_id, song_id, package_id, slot, reason, created_at)
      SELECT who || n, who, printf('due-%07d', first + n), who || n, 1, 'taste', ${start} + n * ${6 * 60 * minute}
      FROM (${numbers(100)} SELECT n FROM numbers)
        JOIN (SELECT 'heavy' AS who, ${heavyTo} AS first, 100 AS count UNION SELECT 'light', 40, 6) ON n <= count;

    INSERT INTO users (id, spotify_id, display_name, email, credits, rated_count, rated_withdrawn, submitted_count,
        passed_count, created_at, updated_at)
      SELECT who, 'spotify-' || who, 'Musician ' || who, who || '@musicians.example', ratings, ratings + 6 * songs, 6 * songs,
        songs, (SELECT count(*) FROM passes WHERE user_id = who), ${start}, ${start}
      FROM (SELECT who, (SELECT count(*) FROM ratings WHERE rater_id = who) AS ratings,
          (SELECT count(*) FROM submissions WHERE owner_id = who) AS songs
        FROM (${numbers(crowd)} SELECT ${user("n")} AS who FROM numbers
          UNION SELECT value FROM json_each('${JSON.stringify(Object.values(cast))}')));
    CREATE TEMP TABLE crowd AS ${numbers(crowd)} SELECT n, ${user("n")} AS id FROM numbers;
    INSERT INTO sessions (id, user_id, way, client_id, access_token, refresh_token, token_expires_at, created_at,
        last_seen_at, expires_at)
      SELECT 'session-' || id, id, 'spotify', 'sandbox-client-a', '', '', ${now}, ${now - day}, ${now - day}, ${now + day}
      FROM crowd WHERE n % 4 = 0;
    INSERT INTO subscriptions (user_id, status, tier, subscription_id, customer_id, started_at, updated_at, synced_at)
      SELECT id, iif(n % 2, 'active', 'canceled'), 'premium', 'sub_' || n, 'cus_' || n, ${start}, ${start}, ${start} + n
      FROM crowd WHERE n % 7 = 0 OR n <= 400;
    INSERT INTO song_wishes (id, user_id, asked_at, looked_at)
      SELECT 'wish-' || id, id, ${start}, ${start} + n FROM crowd WHERE n % 4 = 1;
    INSERT INTO packages (id, user_id, number, drawn_at)
      SELECT 'package-' || id, id, 1, ${now - 60 * minute} FROM crowd WHERE n % 5 = 0;
    INSERT INTO package_songs (package_id, song_id, position)
      SELECT 'package-' || crowd.id, printf('due-%07d', n + 1 + position), position
      FROM crowd JOIN (SELECT 0 AS position UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4) WHERE n % 5 = 0;
    COMMIT;
    DROP TABLE plan; DROP TABLE given; DROP TABLE crowd;`);
}
