/** What a measured run is, and how its data is prepared. */
import { randomUUID } from "node:crypto";
import { trackById } from "../../sandbox/catalogue.ts";
import type { Ask, CountedApp } from "../worker/counted-app.ts";
import type { cast } from "./generate.ts";

export interface Run {
  name: string;
  /** The user; by default a new one each time. */
  who?: keyof typeof cast;
  /** What its limits are; work that only happens once has none, and what is linear grows with the rotation. */
  kind?: "rating" | "screen" | "once" | "linear";
  /** How often it can be measured; absent means as often as the others. */
  times?: number;
  /** The expected status, by default 200. */
  status?: number;
  /** Prepares the data. @returns the request to measure. */
  prepare(app: CountedApp, userId: string): Promise<Ask>;
}

const minute = 60_000;
/** Tracks that last for more than two minutes. */
const tracks = [...trackById.values()].filter(({ durationMs }) => durationMs > 2 * minute);
let used = 0;

/** A track that the stand-in has, a different one each time until all have been used. */
export function nextTrack(): string {
  used += 1;
  return tracks[used % tracks.length]?.id ?? "";
}

/**
 * Gives a user a package with one song that they have never heard. @returns the song and a login.
 * @param kind what the song must be.
 */
export async function offer(app: CountedApp, userId: string, kind = "track_id IS NOT NULL") {
  const [song] = await app.sql<{ id: string; recording: string | null }>(
    `SELECT id, own_recording_id AS recording FROM songs
     WHERE line_since > 0 AND owner_id <> ?1 AND ${kind}
       AND NOT EXISTS (SELECT 1 FROM ratings WHERE rater_id = ?1 AND song_id = songs.id)
       AND NOT EXISTS (SELECT 1 FROM listens WHERE user_id = ?1 AND song_id = songs.id)
     ORDER BY line_since DESC LIMIT 1`,
    userId,
  );
  if (!song) throw new Error("everything is rated");
  const [packageId, trackId] = [randomUUID(), nextTrack()];
  if (!song.recording) {
    // As if what Spotify says of the track were known, so that listens do not write it.
    const readAt = Date.now() + minute;
    const change = "UPDATE songs SET track_id = ?, fetched_at = ? WHERE id = ?";
    await app.sql(change, trackId, readAt, song.id);
  }
  await app.sql("DELETE FROM packages WHERE user_id = ?", userId);
  await app.sql("INSERT INTO packages VALUES (?, ?, 1, ?)", packageId, userId, Date.now());
  await app.sql("INSERT INTO package_songs VALUES (?, ?, 0, NULL)", packageId, song.id);
  return { ...song, trackId, cookie: await app.logIn(userId) };
}

/** Gives a user a listen that began so long ago. @returns its id. */
export async function listen(
  app: CountedApp,
  userId: string,
  songId: string,
  { agoMs = minute, finished = false } = {},
): Promise<string> {
  const [id, startedAt] = [randomUUID(), Date.now() - agoMs];
  await app.sql(
    "UPDATE listens SET closed_at = ? WHERE user_id = ? AND closed_at IS NULL",
    ...[startedAt, userId],
  );
  await app.sql(
    `INSERT INTO listens (id, user_id, song_id, required_seconds, started_at, finished_at, evidence)
     VALUES (?, ?, ?, 55, ?, ?, ?)`,
    ...[id, userId, songId, startedAt],
    ...(finished ? [startedAt + 57_000, "clock"] : [null, null]),
  );
  return id;
}

/** Gives a user a song that they have played for a minute. @returns the song, its listen and a login. */
export async function play(app: CountedApp, userId: string, finished = false) {
  const offered = await offer(app, userId);
  const listenId = await listen(app, userId, offered.id, { finished });
  const { trackId } = offered;
  await app.control("play", { musician: "demo-premium", trackId, positionMs: 57_000 });
  return { ...offered, listenId };
}

export async function rate(app: CountedApp, userId: string, finished: boolean) {
  const { id, cookie } = await play(app, userId, finished);
  return { path: `/songs/${id}/rating`, cookie, form: { score: "3" } };
}

/** Lets a user draw a package, with no pass used up. @returns a song of it. */
export async function draw(app: CountedApp, userId: string): Promise<string> {
  await app.sql("DELETE FROM packages WHERE user_id = ?", userId);
  await app.sql("UPDATE passes SET created_at = created_at - 86400000 WHERE user_id = ?", userId);
  await app.ask({ path: "/", cookie: await app.logIn(userId) });
  const [song] = await app.sql<{ id: string }>(
    `SELECT song_id AS id FROM packages JOIN package_songs ON package_id = packages.id
     WHERE user_id = ? LIMIT 1`,
    userId,
  );
  return song?.id ?? "";
}

/** Deletes a user's package, so that the next visit draws one. @returns a login, with or without Spotify. */
export async function withoutPackage(app: CountedApp, userId: string, way = "spotify") {
  await app.sql("DELETE FROM packages WHERE user_id = ?", userId);
  const cookie = await app.logIn(userId);
  if (way === "spotify") return cookie;
  await app.sql(
    `UPDATE sessions SET way = 'email', client_id = NULL, access_token = NULL, refresh_token = NULL,
       token_expires_at = NULL WHERE user_id = ?`,
    userId,
  );
  return cookie;
}

/** Gives a user credits, and takes their songs out of the rotation: ten at most may be in it. */
export async function maySubmit(app: CountedApp, userId: string): Promise<void> {
  await app.sql(
    "UPDATE users SET credits = credits + 6, rated_count = rated_count + 6 WHERE id = ?",
    userId,
  );
  await app.sql(
    `UPDATE songs SET received = entitled, owed = 0, owed_since = NULL
     WHERE owner_id = ? AND owed > 0 AND resting_since IS NULL`,
    userId,
  );
}

/** @returns the request of a submission. */
export async function submission(app: CountedApp, userId: string) {
  await maySubmit(app, userId);
  const form = { trackId: nextTrack(), key: randomUUID() };
  return { path: "/submissions", cookie: await app.logIn(userId), form };
}

export function page(path: string): Run["prepare"] {
  return async (app, userId) => ({ path, cookie: await app.logIn(userId) });
}

export function post(path: string, form: Record<string, string> = {}): Run["prepare"] {
  return async (app, userId) => ({ path, form, cookie: await app.logIn(userId) });
}
