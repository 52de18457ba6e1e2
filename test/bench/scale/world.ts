/** What one measured run is, and what is made so before it. */
import { randomUUID } from "node:crypto";
import { trackById } from "../../sandbox/catalogue.ts";
import type { Ask, CountedApp } from "../worker/counted-app.ts";
import type { Cast } from "./generate.ts";

export interface Run {
  name: string;
  /** Whom it is for; everybody else is the same to it. */
  who?: keyof Cast;
  /** What the issue sets a limit of its own for. */
  kind?: "carousel" | "rating";
  /** It does once what later ones are spared, so that the aims do not hold for it. */
  once?: true;
  /** It is there for what may grow beside the rotation: its statements are told apart where they do. */
  extreme?: true;
  /** How often it can be measured; where absent, as often as everything. */
  times?: number;
  /** What it must be answered with, 200 where absent. */
  status?: number;
  /** Sees to what has to be so, and answers what is to be asked then. */
  prepare(app: CountedApp, userId: string): Promise<Ask>;
}

export const musician = "demo-premium";
const minute = 60_000;
/** Long enough to be heard for a minute. */
const tracks = [...trackById.values()].filter(({ durationMs }) => durationMs > 2 * minute);
let used = 0;

/** A track that the stand-in knows, another one each time until all were had. */
export function nextTrack(): string {
  used += 1;
  return tracks[used % tracks.length]?.id ?? "";
}

/** Has a user be offered a song they have never heard, alone; answers its id and the login. */
export async function offer(app: CountedApp, userId: string, trackId = nextTrack()) {
  const [song] = await app.sql<{ id: string }>(
    `SELECT id FROM songs WHERE line_since > 0 AND owner_id <> ?1
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

/** Has a user have played a song for a minute; answers its id and the login. */
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

/** Takes a user's package away, so that the next look draws one. */
export async function withoutPackage(app: CountedApp, userId: string) {
  await app.sql("DELETE FROM packages WHERE user_id = ?", userId);
  return app.logIn(userId, musician);
}

/** Lets a user have drawn a package before. */
export async function drawn(app: CountedApp, userId: string) {
  const cookie = await withoutPackage(app, userId);
  await app.ask({ path: "/", cookie });
  return cookie;
}

/** Gives a user credits, and answers the form of a submission. */
export async function submission(app: CountedApp, userId: string, trackId: string) {
  const grant =
    "UPDATE users SET credits = credits + 6, rated_count = rated_count + 6 WHERE id = ?";
  await app.sql(grant, userId);
  const cookie = await app.logIn(userId, musician);
  return { path: "/submissions", cookie, form: { trackId, key: randomUUID() } };
}

export function page(path: string): Run["prepare"] {
  return async (app, userId) => ({ path, cookie: await app.logIn(userId, musician) });
}

export function post(path: string, form: Record<string, string> = {}): Run["prepare"] {
  return async (app, userId) => ({ path, form, cookie: await app.logIn(userId, musician) });
}
