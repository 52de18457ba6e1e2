/** The carousel, listening, rating and submitting. */
import { randomUUID } from "node:crypto";
import {
  drawn,
  musician,
  nextTrack,
  offer,
  page,
  play,
  type Run,
  rate,
  submission,
  withoutPackage,
  withoutSpotify,
} from "./world.ts";

/** All steps of a rater to a rating and a submission. */
function roundOf(who: "light" | "heavy" | "settled"): Run[] {
  const carousel = { who, kind: "carousel" } as const;
  const runs: Run[] = [
    {
      ...carousel,
      name: "carousel, first visit of all",
      once: true,
      async prepare(app, userId) {
        await app.sql("DELETE FROM pool_windows WHERE user_id = ?", userId);
        return { path: "/", cookie: await withoutPackage(app, userId) };
      },
    },
    {
      ...carousel,
      name: "carousel, open package",
      async prepare(app, userId) {
        await drawn(app, userId);
        return { path: "/", cookie: await app.logIn(userId, musician) };
      },
    },
    {
      ...carousel,
      name: "carousel, new package",
      async prepare(app, userId) {
        await drawn(app, userId);
        return { path: "/", cookie: await withoutPackage(app, userId) };
      },
    },
    {
      ...carousel,
      name: "carousel without Spotify, new package",
      async prepare(app, userId) {
        await app.ask({ path: "/", cookie: await withoutSpotify(app, userId) });
        return { path: "/", cookie: await withoutSpotify(app, userId) };
      },
    },
    {
      ...carousel,
      name: "carousel, package just completed",
      async prepare(app, userId) {
        await drawn(app, userId);
        const asked = await rate(app, userId, { finished: true });
        await app.ask(asked);
        const songId = asked.path.split("/")[2] ?? "";
        return { path: `/?rated=${songId}`, cookie: await app.logIn(userId, musician) };
      },
    },
    { who, name: "add-song screen", prepare: page("/?menu=addownsong") },
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
        const { songId, cookie } = await play(app, userId);
        return { path: `/songs/${songId}/listened`, cookie, form: {} };
      },
    },
    {
      who,
      kind: "rating",
      name: "rating a song",
      prepare: (app, userId) => rate(app, userId, { finished: true }),
    },
    {
      who,
      kind: "rating",
      name: "rating that confirms the listen",
      prepare: (app, userId) => rate(app, userId, { finished: false }),
    },
    {
      who,
      name: "submitting a song",
      prepare: (app, userId) => submission(app, userId, nextTrack()),
    },
  ];
  return runs;
}

const others: Run[] = [
  {
    name: "search",
    who: "light",
    async prepare(app, userId) {
      const { cookie } = await submission(app, userId, nextTrack());
      return { path: "/?menu=addownsong&q=song", cookie };
    },
  },
  {
    name: "submitting a song again",
    who: "light",
    async prepare(app, userId) {
      const trackId = nextTrack();
      await app.ask(await submission(app, userId, trackId));
      return submission(app, userId, trackId);
    },
  },
  {
    name: "confirmation of a submission",
    who: "light",
    async prepare(app, userId) {
      const answer = await app.ask(await submission(app, userId, nextTrack()));
      const { submissionId } = (await answer.json()) as { submissionId: string };
      const path = `/?menu=songaddedtopool&submission=${submissionId}`;
      return { path, cookie: await app.logIn(userId, musician) };
    },
  },
  {
    name: "favorite",
    who: "light",
    async prepare(app, userId) {
      const { songId, cookie } = await offer(app, userId);
      return { path: `/songs/${songId}/favorite`, cookie, form: {} };
    },
  },
  {
    name: "rating that fulfils one of two submissions",
    who: "light",
    kind: "rating",
    async prepare(app, userId) {
      const asked = await rate(app, userId, { finished: true });
      const songId = asked.path.split("/")[2] ?? "";
      // Four of ten ratings received, as if it had been submitted twice.
      await app.sql("UPDATE songs SET entitled = 10, owed = 6, received = 4 WHERE id = ?", songId);
      await app.sql("DELETE FROM submissions WHERE song_id = ? AND number = 2", songId);
      await app.sql(
        `INSERT INTO submissions (id, song_id, owner_id, number, spent, limited, request_key, created_at)
         SELECT ?2, id, owner_id, 2, 0, 1, ?2, ?3 FROM songs WHERE id = ?1`,
        songId,
        randomUUID(),
        Date.now(),
      );
      return asked;
    },
  },
  {
    name: "rating after playing the song 50 times",
    who: "light",
    kind: "rating",
    extreme: true,
    times: 2,
    async prepare(app, userId) {
      const { songId, cookie } = await offer(app, userId);
      const form = { deviceId: "browser" };
      for (let time = 0; time <= 50; time += 1) {
        await app.ask({ path: `/songs/${songId}/play`, cookie, form });
      }
      await app.sql(
        `UPDATE listens SET started_at = started_at - 60000, finished_at = started_at, evidence = 'clock'
         WHERE user_id = ? AND closed_at IS NULL`,
        userId,
      );
      return { path: `/songs/${songId}/rating`, cookie, form: { score: "3" } };
    },
  },
];

export const ratingRuns: Run[] = [
  ...roundOf("light"),
  ...roundOf("heavy"),
  ...roundOf("settled"),
  ...others,
];
