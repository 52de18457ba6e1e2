/** The ways out of a song, the reasons for a rating, and the wish for a mail. */

import type { CountedApp } from "../worker/counted-app.ts";
import { drawn, musician, nextTrack, post, type Run, rate, submission } from "./world.ts";

type Rater = "light" | "heavy" | "settled";

/** Draws a package, with no pass and no report used up. @returns a song of it and the login. */
async function packaged(app: CountedApp, userId: string) {
  await app.sql("UPDATE passes SET created_at = created_at - 86400000 WHERE user_id = ?", userId);
  await app.sql(
    "UPDATE reports SET created_at = created_at - 86400000 WHERE reporter_id = ?",
    userId,
  );
  const cookie = await drawn(app, userId);
  const [song] = await app.sql<{ id: string }>(
    `SELECT song_id AS id FROM packages JOIN package_songs ON package_id = packages.id
     WHERE user_id = ? LIMIT 1`,
    userId,
  );
  return { songId: song?.id ?? "", cookie };
}

function pass(who: Rater, reason: string): Run {
  return {
    name: `passing on a song: ${reason}`,
    who,
    async prepare(app, userId) {
      const { songId, cookie } = await packaged(app, userId);
      return { path: `/songs/${songId}/pass`, cookie, form: { reason, words: "" } };
    },
  };
}

export const passRuns: Run[] = [
  {
    name: "why a song cannot be rated",
    who: "light",
    async prepare(app, userId) {
      const { songId, cookie } = await packaged(app, userId);
      return { path: `/songs/${songId}/pass/reason`, cookie };
    },
  },
  pass("light", "taste"),
  pass("heavy", "taste"),
  pass("settled", "taste"),
  pass("light", "report"),
  pass("light", "unplayable"),
  {
    name: "reasons of a rating",
    who: "light",
    async prepare(app, userId) {
      const asked = await rate(app, userId, { finished: true });
      await app.ask(asked);
      const path = asked.path.replace("/rating", "/reasons");
      return { path, cookie: asked.cookie, form: { liked: "vocals", improve: "groove" } };
    },
  },
  {
    name: "question about a song submitted before",
    who: "light",
    async prepare(app, userId) {
      const trackId = nextTrack();
      await app.ask(await submission(app, userId, trackId));
      await app.sql(
        "UPDATE users SET credits = credits + 6, rated_count = rated_count + 6 WHERE id = ?",
        userId,
      );
      return {
        path: `/?menu=addownsong&track=${trackId}`,
        cookie: await app.logIn(userId, musician),
      };
    },
  },
  {
    name: "asking for a mail about songs, while there are some",
    who: "heavy",
    status: 409,
    prepare: post("/song-mail", { wanted: "true" }),
  },
  {
    name: "wanting no mail about songs",
    who: "light",
    prepare: post("/song-mail", { wanted: "false" }),
  },
];
