import { type SQL, sql } from "drizzle-orm";

/** `hearsSpotify`, as a condition on rows of `sessions`. */
export const sessionHearsSpotify = sql<boolean>`(sessions.access_token IS NOT NULL
  AND sessions.has_spotify_premium IS NOT 0)`;

/** `hearsSpotify` for a session's viewer. */
export function hearsSpotifyIn(sessionId: string | SQL<string>): SQL<boolean> {
  return sql<boolean>`(SELECT ${sessionHearsSpotify} FROM sessions WHERE sessions.id = ${sessionId})`;
}

/** Checks whether a user hears Spotify's songs in one of their logins or, without any, has an account there. */
export function hearsSpotifySomewhere(userId: string, now: number): SQL<boolean> {
  return sql<boolean>`coalesce(
    (SELECT max(${sessionHearsSpotify}) FROM sessions WHERE user_id = ${userId} AND expires_at > ${now}),
    (SELECT spotify_id IS NOT NULL FROM users AS wisher WHERE wisher.id = ${userId}))`;
}
