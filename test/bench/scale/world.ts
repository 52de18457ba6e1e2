/** What a measured run is, and how its data is prepared. */
import { randomUUID } from "node:crypto";
import { trackById } from "../../sandbox/catalogue.ts";
import type { Ask, CountedApp } from "../worker/counted-app.ts";
import type { Cast } from "./generate.ts";

export interface Run {
  name: string;
  /** The user; by default a new one each time. */
  who?: keyof Cast;
  /** Set for runs with their own limits. */
  kind?: "carousel" | "rating";
  /** Whether it does work that only happens once, so that the limits do not apply. */
  once?: true;
  /** Whether it is known to grow with the rotation. The report says its slope. */
  linear?: true;
  /** Whether something other than the rotation is extreme; its statements get separate lines if they cost more. */
  extreme?: true;
  /** How often it can be measured; absent means as often as the others. */
  times?: number;
  /** The expected status, by default 200. */
  status?: number;
  /** Prepares the data. @returns the request to measure. */
  prepare(app: CountedApp, userId: string): Promise<Ask>;
}

export const musician = "demo-premium";
const minute = 60_000;
/** Tracks that last for more than two minutes. */
const tracks = [...trackById.values()].filter(({ durationMs }) => durationMs > 2 * minute);
let used = 0;

/** A track that the stand-in has, a different one each time until all have been used. */
export function nextTrack(): string {
  used += 1;
  return tracks[used % tracks.length]?.id ?? "";
}

/** Gives a user a package with one song that they have never heard. @returns the song and a login. */
export async function offer(app: CountedApp, userId: string, trackId = nextTrack()) {
  const [song] = await app.sql<{ id: string }>(
    `SELECT id FROM songs WHERE line_since > 0 AND owner_id <> ?1 AND track_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM ratings WHERE rater_id = ?1 AND song_id = songs.id)
       AND NOT EXISTS (SELECT 1 FROM listens WHERE user_id = ?1 AND song_id = songs.id)
     ORDER BY line_since DESC LIMIT 1`,
    userId,
  );
  if (!song) throw new Error("everything is rated");
  await app.sql("UPDATE songs SET track_id = ? WHERE id = ?", trackId, song.id);
  const packageId = randomUUID();
  await app.sql("DELETE FROM packages WHERE user_id = ?", userId);
  await app.sql("INSERT INTO packages VALUES (?, ?, 1, ?)", packageId, userId, Date.now());
  await app.sql("INSERT INTO package_songs VALUES (?, ?, 0, NULL)", packageId, song.id);
  return { songId: song.id, trackId, cookie: await app.logIn(userId, musician) };
}

/** Gives a user a song that they have played for a minute. @returns the song and a login. */
export async function play(app: CountedApp, userId: string, { finished = false } = {}) {
  const offered = await offer(app, userId);
  await listen(app, userId, offered.songId, finished);
  await app.control("play", { musician, trackId: offered.trackId, positionMs: 57_000 });
  return offered;
}

async function listen(app: CountedApp, userId: string, songId: string, finished: boolean) {
  const startedAt = Date.now() - minute;
  await app.sql(
    "UPDATE listens SET closed_at = ? WHERE user_id = ? AND closed_at IS NULL",
    startedAt,
    userId,
  );
  await app.sql(
    `INSERT INTO listens (id, user_id, song_id, required_seconds, started_at, finished_at, evidence)
     VALUES (?, ?, ?, 55, ?, ?, ?)`,
    randomUUID(),
    userId,
    songId,
    startedAt,
    finished ? startedAt + 57_000 : null,
    finished ? "clock" : null,
  );
}

export async function rate(app: CountedApp, userId: string, options: { finished: boolean }) {
  const { songId, cookie } = await play(app, userId, options);
  return { path: `/songs/${songId}/rating`, cookie, form: { score: "3" } };
}

/** Deletes a user's package, so that the next visit draws one. @returns a login. */
export async function withoutPackage(app: CountedApp, userId: string) {
  await app.sql("DELETE FROM packages WHERE user_id = ?", userId);
  return app.logIn(userId, musician);
}

/** The same in a login without Spotify. */
export async function withoutSpotify(app: CountedApp, userId: string) {
  const cookie = await withoutPackage(app, userId);
  await app.sql(
    `UPDATE sessions SET way = 'email', client_id = NULL, access_token = NULL, refresh_token = NULL,
       token_expires_at = NULL WHERE user_id = ?`,
    userId,
  );
  return cookie;
}

/** Lets a user draw a package. @returns the login. */
export async function drawn(app: CountedApp, userId: string) {
  const cookie = await withoutPackage(app, userId);
  await app.ask({ path: "/", cookie });
  return cookie;
}

/** Takes a user's songs out of the rotation, as if all had their ratings: ten at most may be in it. */
export async function makeRoom(app: CountedApp, userId: string): Promise<void> {
  await app.sql(
    `UPDATE songs SET received = entitled, owed = 0, owed_since = NULL
     WHERE owner_id = ? AND owed > 0 AND resting_since IS NULL`,
    userId,
  );
}

/** Gives a user credits. @returns the request of a submission. */
export async function submission(app: CountedApp, userId: string, trackId: string) {
  const grant =
    "UPDATE users SET credits = credits + 6, rated_count = rated_count + 6 WHERE id = ?";
  await app.sql(grant, userId);
  await makeRoom(app, userId);
  const cookie = await app.logIn(userId, musician);
  return { path: "/submissions", cookie, form: { trackId, key: randomUUID() } };
}

export function page(path: string): Run["prepare"] {
  return async (app, userId) => ({ path, cookie: await app.logIn(userId, musician) });
}

export function post(path: string, form: Record<string, string> = {}): Run["prepare"] {
  return async (app, userId) => ({ path, form, cookie: await app.logIn(userId, musician) });
}
