/** Outbox rows, as the app would have written them. */

const start = 1_700_000_000_000;
const minute = 60_000;
/** The numbers 0 to 100, as `i`. */
const numbers =
  "WITH RECURSIVE numbers(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM numbers WHERE i < 100)";

/**
 * The statements that create the subjects of the mails: owners 1 to 100 each have a song that one other
 * user has rated; owner 0 has a song that all of them have rated.
 */
export const subjectsSql: string[] = [
  `INSERT INTO users (id, spotify_id, display_name, email, rated_count, created_at, updated_at)
   ${numbers} SELECT 'owner-' || i, 'owner-' || i, 'Owner ' || i,
     'owner-' || i || '@musicians.example', 2, ${start}, ${start} FROM numbers`,
  `INSERT INTO songs (id, owner_id, track_id, title, artists, album, duration_ms, spotify_url,
     fetched_at, entitled, received, owed, owed_since, created_at)
   ${numbers} SELECT 'song-' || i, 'owner-' || i, 'track-' || i, 'Song ' || i,
     '["Artist ' || i || '"]', 'Album ' || i, 180000, 'https://open.spotify.com/track/' || i,
     ${start}, 105, 1, 104, ${start}, ${start} FROM numbers`,
  `INSERT INTO submissions (id, song_id, owner_id, number, spent, limited, request_key, created_at)
   ${numbers} SELECT 'submission-' || i, 'song-' || i, 'owner-' || i, 1, 0, 0, 'key', ${start}
     FROM numbers`,
  `INSERT INTO email_confirmations (id, user_id, address, created_at, expires_at)
   ${numbers} SELECT 'confirmation-' || i, 'owner-' || i, 'own-' || i || '@mail.example', ${start},
     9000000000000 FROM numbers`,
  `INSERT INTO subscriptions (user_id, status, tier, updated_at)
   ${numbers} SELECT 'owner-' || i, 'past_due', 'premium', ${start} FROM numbers WHERE i > 80`,
  ...["i % 100 + 1", "0"].flatMap((number, of) => [
    `INSERT INTO listens (id, user_id, song_id, required_seconds, started_at, finished_at, evidence,
       closed_at)
     ${numbers} SELECT 'listen-${of}-' || i, 'owner-' || i, 'song-' || (${number}), 55, ${start},
       ${start + minute}, 'spotify', ${start + minute} FROM numbers WHERE i > 0`,
    `INSERT INTO ratings (id, song_id, owner_id, rater_id, listen_id, score, owes_mail, created_at)
     ${numbers} SELECT 'rating-${of}-' || i, 'song-' || (${number}), 'owner-' || (${number}),
       'owner-' || i, 'listen-${of}-' || i, 1 + i % 4, 1, ${start} + i FROM numbers WHERE i > 0`,
  ]),
];

/** The statement that owes each of a hundred owners one mail, twenty of each kind. */
export function everyKindSql(run: string): string {
  return oweSql(
    run,
    "i",
    `CASE (i - 1) / 20 WHEN 0 THEN 'submission' WHEN 1 THEN 'rating' WHEN 2 THEN 'confirmation'
       WHEN 3 THEN 'premium_ended' ELSE 'past_due' END`,
    `CASE (i - 1) / 20 WHEN 1 THEN 'rating-0-' || (i - 1) WHEN 2 THEN 'confirmation-' || i
       ELSE 'submission-' || i END`,
  );
}

/** The statement that owes one owner mails about a hundred ratings, which become one mail. */
export function oneOwnerSql(run: string): string {
  return oweSql(run, "0", "'rating'", "'rating-1-' || i");
}

/** Uses the ids of `mailIds`. */
function oweSql(run: string, owner: string, kind: string, subject: string): string {
  return `INSERT INTO outbox (id, user_id, kind, subject_id, dedupe_key, created_at)
    ${numbers} SELECT '${run} ' || i, 'owner-' || ${owner}, ${kind}, ${subject}, '${run} ' || i,
      ${start} FROM numbers WHERE i > 0`;
}

export function mailIds(run: string): string[] {
  return Array.from({ length: 100 }, (_, n) => `${run} ${n + 1}`);
}
