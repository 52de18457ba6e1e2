/** What owners see of a song's ratings, share of it, and do with the song. */
import type { CountedApp } from "../worker/counted-app.ts";
import { makeRoom, musician, page, type Run } from "./world.ts";

/** The first of the owner's songs for which a condition holds. */
async function ownSong({ sql }: CountedApp, userId: string, where: string): Promise<string> {
  const [song] = await sql<{ id: string }>(
    `SELECT id FROM songs WHERE owner_id = ? AND ${where} LIMIT 1`,
    userId,
  );
  if (!song) throw new Error(`no song with ${where}`);
  return song.id;
}

/** Asks for a song of the owner's, at `path` after its id, or posts there. */
function about(where: string, path: (id: string) => string, form?: Record<string, string>) {
  return async (app: CountedApp, userId: string) => ({
    path: path(await ownSong(app, userId, where)),
    cookie: await app.logIn(userId, musician),
    ...(form ? { form } : {}),
  });
}

const complete = "owed = 0";
const offered = "owed > 0 AND resting_since IS NULL";
const shared = "EXISTS (SELECT 1 FROM shares WHERE song_id = songs.id)";

export const resultRuns: Run[] = [
  {
    name: "ratings of 1,000 songs, further down",
    who: "owner",
    async prepare(app, userId) {
      const [song] = await app.sql<{ place: string }>(
        `SELECT active_at || '.' || id AS place FROM songs WHERE owner_id = ?
         ORDER BY active_at DESC, id DESC LIMIT 1 OFFSET 500`,
        userId,
      );
      return page(`/ratings-of-my-songs?after=${song?.place}`)(app, userId);
    },
  },
  {
    name: "page of a song",
    who: "owner",
    prepare: about(complete, (id) => `/ratings-of-my-songs/${id}`),
  },
  {
    name: "a song as a file",
    who: "owner",
    prepare: about(complete, (id) => `/ratings-of-my-songs/${id}.csv`),
  },
  {
    name: "sharing a song",
    who: "owner",
    prepare: about(complete, (id) => `/songs/${id}/share`, {}),
  },
  {
    name: "shared result",
    who: "owner",
    async prepare(app, userId) {
      const songId = await ownSong(app, userId, shared);
      // Another address each time, because the page is kept at the edge.
      const token = Array.from({ length: 43 }, () => "abcdefgh"[Math.floor(Math.random() * 8)]);
      await app.sql("UPDATE shares SET token = ? WHERE song_id = ?", token.join(""), songId);
      return { path: `/r/${token.join("")}` };
    },
  },
  {
    name: "sharing it no more",
    who: "owner",
    times: 1,
    prepare: about(shared, (id) => `/songs/${id}/unshare`, {}),
  },
  {
    name: "taking a song out",
    who: "owner",
    prepare: about(offered, (id) => `/songs/${id}/withdraw`, {}),
  },
  {
    name: "bringing a song back",
    who: "owner",
    async prepare(app, userId) {
      await makeRoom(app, userId);
      return about("resting_since IS NOT NULL", (id) => `/songs/${id}/resume`, {})(app, userId);
    },
  },
];
