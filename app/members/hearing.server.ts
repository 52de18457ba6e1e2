import { type SQL, sql } from "drizzle-orm";
import { sessionLifetime } from "./lifetime";

/** `hearsSpotify`, as a condition on rows of `sessions`. */
export const sessionHearsSpotify = sql<boolean>`(sessions.access_token IS NOT NULL
  AND sessions.has_spotify_premium IS NOT 0)`;

/** `hearsSpotify` for a session's viewer. */
export function hearsSpotifyIn(sessionId: string | SQL<string>): SQL<boolean> {
  return sql<boolean>`(SELECT ${sessionHearsSpotify} FROM sessions WHERE sessions.id = ${sessionId})`;
}

/**
 * `users.hearsSpotifyUntil` for a login or connection of now: as long as a login can last, also once it is logged out or
 * Spotify has ended it, so that nobody pays less by that. Spotify's word that there is no Premium ends it.
 */
export function hearsUntil(hasPremium: boolean | null, now: number): number | null {
  return hasPremium === false ? null : now + sessionLifetime.absoluteMs;
}

/** A condition on rows of `users`: another login than one that hears (or not) heard Spotify's songs lately. */
export function hearsMoreElsewhere(hears: SQL<boolean>, now: number | SQL<number>): SQL<boolean> {
  return sql<boolean>`(NOT ${hears} AND coalesce(users.hears_spotify_until > ${now}, 0))`;
}

/** Checks whether a user hears Spotify's songs in one of their logins or, without any, has an account there. */
export function hearsSpotifySomewhere(userId: string | SQL<string>, now: number): SQL<boolean> {
  return sql<boolean>`coalesce(
    (SELECT max(${sessionHearsSpotify}) FROM sessions WHERE user_id = ${userId} AND expires_at > ${now}),
    (SELECT spotify_id IS NOT NULL FROM users AS wisher WHERE wisher.id = ${userId}))`;
}
