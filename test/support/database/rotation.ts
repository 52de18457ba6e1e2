/** Creates long rotations, for tests that depend on the length. */

import { env } from "cloudflare:workers";
import type { TestUser } from "./factories";
import { exemptFromInvariants } from "./invariant-check";

const numbers = `WITH RECURSIVE numbers(n) AS (
  SELECT ?1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)`;

/** Runs statements for the numbers from `first` to `last`, after an owner for every two of them. */
async function insertNumbered(first: number, last: number, ...statements: string[]): Promise<void> {
  exemptFromInvariants(
    "entitled is five per submission",
    "owed_since is the time of the oldest submission that is still owed ratings",
  );
  const owners = `INSERT OR IGNORE INTO users (id, spotify_id, display_name, created_at, updated_at)
    ${numbers} SELECT 'owner-' || (n / 2), 'spotify-' || (n / 2), 'An owner', 1, 1 FROM numbers`;
  await env.DB.batch(
    [owners, ...statements].map((statement) => env.DB.prepare(statement).bind(first, last)),
  );
}

/** Two songs per owner, a minute apart, without submissions. */
export async function putInRotation(first: number, last: number): Promise<void> {
  await insertNumbered(
    first,
    last,
    `INSERT INTO songs (id, owner_id, track_id, title, artists, album, duration_ms, spotify_url,
       fetched_at, entitled, owed, owed_since, created_at)
     ${numbers} SELECT printf('song-%08d', n), 'owner-' || (n / 2), printf('%022d', n), 'A title',
       '["An artist"]', 'An album', 180000, 'https://open.spotify.com/', 1, 5, 5, n * 60000, n * 60000 FROM numbers`,
  );
}

/** The same with own recordings. */
export async function putOwnInRotation(first: number, last: number): Promise<void> {
  await insertNumbered(
    first,
    last,
    `INSERT INTO recordings (id, owner_id, state, hash, drawn_from, type, bytes, duration_ms, audio_start,
       title, artist, made, hearing, created_at)
     ${numbers} SELECT 'file-' || n, 'owner-' || (n / 2), 'submitted', 'hash-' || n, 'drawn-' || n, 'mp3', 1, 180000, 0,
       'A title', 'An artist', 'people', 'heard', 1 FROM numbers`,
    `INSERT INTO songs (id, owner_id, own_recording_id, title, artists, album, duration_ms,
       fetched_at, entitled, owed, owed_since, created_at)
     ${numbers} SELECT printf('song-%08d', n), 'owner-' || (n / 2), 'file-' || n, 'A title',
       '["An artist"]', '', 180000, 1, 5, 5, n * 60000, n * 60000 FROM numbers`,
  );
}

/** Songs of one owner before all those of `putInRotation`, without submissions. */
export async function putOwnersSongs(owner: TestUser, count: number): Promise<void> {
  exemptFromInvariants(
    "entitled is five per submission",
    "owed_since is the time of the oldest submission that is still owed ratings",
  );
  await env.DB.prepare(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
     INSERT INTO songs (id, owner_id, track_id, title, artists, album, duration_ms, spotify_url,
       fetched_at, entitled, owed, owed_since, created_at)
     SELECT printf('own-%08d', n), ?1, printf('own-%018d', n), 'A title', '["An artist"]', 'An album',
       180000, 'https://open.spotify.com/', 1, 5, 5, n, n FROM numbers`,
  )
    .bind(owner.id, count)
    .run();
}

export async function rateSongs(user: TestUser, first: number, last: number): Promise<void> {
  const songs = "FROM songs WHERE id BETWEEN printf('song-%08d', ?2) AND printf('song-%08d', ?3)";
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO listens (id, user_id, song_id, required_seconds, started_at, finished_at,
         evidence, closed_at, delivered_ms)
       SELECT 'listen-' || id, ?1, id, 55, 1, 60000, 'spotify', 60000, 55000 ${songs}`,
    ).bind(user.id, first, last),
    env.DB.prepare(
      `INSERT INTO ratings (id, song_id, owner_id, rater_id, listen_id, score, owes_mail, created_at)
       SELECT 'rating-' || id, id, owner_id, ?1, 'listen-' || id, 3, 0, 60000 ${songs}`,
    ).bind(user.id, first, last),
    env.DB.prepare(
      `UPDATE songs SET received = 1, owed = 4, active_at = 60000
       WHERE id BETWEEN printf('song-%08d', ?1) AND printf('song-%08d', ?2)`,
    ).bind(first, last),
    env.DB.prepare(
      "UPDATE users SET credits = credits + ?2, rated_count = rated_count + ?2 WHERE id = ?1",
    ).bind(user.id, last - first + 1),
  ]);
}
