/** What is measured: the carousel, listening, rating and submitting. */
import { randomUUID } from "node:crypto";
import { trackById } from "../../sandbox/catalogue.ts";
import type { Ask, CountedApp } from "../worker/counted-app.ts";
import type { Cast } from "./generate.ts";

export interface Run {
  name: string;
  who: keyof Cast;
  /** Set for runs with their own limits. */
  kind?: "carousel" | "rating";
  /** Prepares the data. @returns the request to measure. */
  prepare(app: CountedApp, userId: string): Promise<Ask>;
}

const musician = "demo-premium";
const minute = 60_000;
/** Tracks that last for more than two minutes. */
const tracks = [...trackById.values()].filter(({ durationMs }) => durationMs > 2 * minute);
let used = 0;

/** A track that the stand-in has, a different one each time until all have been used. */
function nextTrack(): string {
  used += 1;
  return tracks[used % tracks.length]?.id ?? "";
}

/** Gives a user a package with one song that they have never heard. @returns the song and a login. */
async function offer(app: CountedApp, userId: string) {
  const trackId = nextTrack();
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

/** Gives a user a song that they have played for a minute. @returns the song and a login. */
async function play(app: CountedApp, userId: string, finished: boolean) {
  const offered = await offer(app, userId);
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
    offered.songId,
    startedAt,
    finished ? startedAt + 57_000 : null,
    finished ? "clock" : null,
  );
  await app.control("play", { musician, trackId: offered.trackId, positionMs: 57_000 });
  return offered;
}

async function rate(app: CountedApp, userId: string, finished: boolean) {
  const { songId, cookie } = await play(app, userId, finished);
  return { path: `/songs/${songId}/rating`, cookie, form: { score: "3" } };
}

/** Deletes a user's package, so that the next visit draws one. @returns a login. */
async function withoutPackage(app: CountedApp, userId: string): Promise<string> {
  await app.sql("DELETE FROM packages WHERE user_id = ?", userId);
  return app.logIn(userId, musician);
}

/** Lets a user draw a package. */
async function draw(app: CountedApp, userId: string): Promise<void> {
  await app.ask({ path: "/", cookie: await withoutPackage(app, userId) });
}

/** All steps of a rater to a rating and a submission. */
function roundOf(who: keyof Cast): Run[] {
  const carousel = { who, kind: "carousel" } as const;
  return [
    {
      ...carousel,
      name: "carousel, open package",
      async prepare(app, userId) {
        await draw(app, userId);
        return { path: "/", cookie: await app.logIn(userId, musician) };
      },
    },
    {
      ...carousel,
      name: "carousel, new package",
      async prepare(app, userId) {
        await draw(app, userId);
        return { path: "/", cookie: await withoutPackage(app, userId) };
      },
    },
    {
      ...carousel,
      name: "carousel, package just completed",
      async prepare(app, userId) {
        await draw(app, userId);
        const asked = await rate(app, userId, true);
        await app.ask(asked);
        const songId = asked.path.split("/")[2] ?? "";
        return { path: `/?rated=${songId}`, cookie: await app.logIn(userId, musician) };
      },
    },
    {
      who,
      name: "playing a song",
      async prepare(app, userId) {
        const { songId, cookie } = await offer(app, userId);
        return { path: `/songs/${songId}/play`, cookie, form: { deviceId: "browser" } };
      },
    },
    {
      who,
      name: "confirming a listen",
      async prepare(app, userId) {
        const { songId, cookie } = await play(app, userId, false);
        return { path: `/songs/${songId}/listened`, cookie, form: {} };
      },
    },
    {
      who,
      kind: "rating",
      name: "rating a song",
      prepare: (app, userId) => rate(app, userId, true),
    },
    {
      who,
      kind: "rating",
      name: "rating that confirms the listen",
      prepare: (app, userId) => rate(app, userId, false),
    },
    {
      who,
      name: "submitting a song",
      async prepare(app, userId) {
        await app.sql(
          "UPDATE users SET credits = credits + 6, rated_count = rated_count + 6 WHERE id = ?",
          userId,
        );
        // As if all songs of theirs had their ratings: ten at most may be in the rotation.
        await app.sql(
          `UPDATE songs SET received = entitled, owed = 0, owed_since = NULL
           WHERE owner_id = ? AND owed > 0 AND resting_since IS NULL`,
          userId,
        );
        const form = { trackId: nextTrack(), key: randomUUID() };
        return { path: "/submissions", cookie: await app.logIn(userId, musician), form };
      },
    },
  ];
}

export const runs: Run[] = [...roundOf("light"), ...roundOf("heavy"), ...roundOf("settled")];
