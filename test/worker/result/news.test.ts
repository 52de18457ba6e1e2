import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { loadViewer, viewerView } from "~/members/viewer.server";
import { ratingsOfOwnSongs, seeNews } from "~/results/received.server";
import { readOwnSong } from "~/results/song-result.server";
import { baseTime, makeRating, makeUser } from "../../support/database/factories";
import { change, db } from "../../support/database/rows";
import { hides, shows } from "../../support/expectations";
import { someone, song } from "../../support/people";

const minute = 60_000;
/** A rating of 12:10:40 is settled at 12:13. */
const ratedAt = baseTime + 10 * minute + 40_000;
const settled = baseTime + 13 * minute;

async function rate(it: { id: string; ownerId: string }, at = ratedAt): Promise<void> {
  await makeRating(await makeUser(), it, { at });
}

/** Somebody who is told of news of their songs. */
async function reader() {
  const user = await someone();
  const { id } = (await user.viewer()).session;
  async function viewerAt(now: number) {
    const viewer = await loadViewer(db, id, { now });
    if (!viewer) throw new Error("The session has ended.");
    return viewer;
  }
  return {
    ...user,
    song: () => song({ owner: user }),
    /** They are told of this news. */
    async hears(news: unknown, now = settled): Promise<void> {
      expect(viewerView(await viewerAt(now)).news).toEqual(news);
    },
    openList(isActivity = true) {
      const asked = { secret: "secret", now: settled, isActivity };
      return ratingsOfOwnSongs(db, id, { after: null, song: null }, asked);
    },
    async openSong(it: { id: string }, { now = settled, isActivity = true } = {}) {
      return readOwnSong(db, await viewerAt(now), it.id, { now, isActivity });
    },
  };
}

const newsOf = ({ id, title }: { id: string; title: string }) => ({
  ...{ songs: 1, only: { songId: id, title } },
});

test("a rating is news once it is settled, told to the minute, until its song's page is opened", async () => {
  const owner = await reader();
  const [it, other] = [await owner.song(), await owner.song()];
  const rater = await someone({ listensTo: it, late: 8 * minute });
  expect(await rater.at(ratedAt).rates(it)).toEqual({ ok: true });
  expect(await it.now()).toMatchObject({ newsSince: baseTime + 10 * minute });
  await owner.hears(null, settled - 1);
  await owner.hears(newsOf(it));
  // A page that reads its own data again, and another song's page, are no look at it.
  await owner.openSong(it, { isActivity: false });
  await owner.openList(false);
  await owner.openSong(other);
  await owner.hears(newsOf(it));
  await owner.openSong(it);
  await owner.hears(null);
});

test("what is seen before it is settled is no news later, and what comes after is", async () => {
  const owner = await reader();
  const it = await owner.song();
  await rate(it);
  await owner.openSong(it, { now: ratedAt + 5000 });
  await owner.hears(null, settled + minute);
  await rate(it, ratedAt + 10_000);
  await owner.hears(newsOf(it));
  // Another that is not settled yet hides nothing.
  await rate(it, settled);
  await owner.hears(newsOf(it));
});

test("the list is the look at all songs on it, but for what has come since it was read", async () => {
  const owner = await reader();
  const [first, second] = [await owner.song(), await owner.song()];
  for (const it of [first, second]) await rate(it);
  await owner.hears({ songs: 2, only: null });
  await env.DB.prepare(
    `CREATE TRIGGER rated_meanwhile AFTER UPDATE OF ratings_seen_at ON users
     BEGIN UPDATE songs SET received = received + 1 WHERE id = '${second.id}'; END`,
  ).run();
  try {
    await owner.openList();
  } finally {
    await env.DB.prepare("DROP TRIGGER rated_meanwhile").run();
    await change("songs", { id: second.id }, { received: 1 });
  }
  await owner.hears(newsOf(second));
  await owner.openList();
  await owner.hears(null);
});

test("many songs with news cost as little as ten, and nobody sees another's", async () => {
  const [owner, stranger] = [await reader(), await reader()];
  for (let n = 0; n < 12; n += 1) await rate(await owner.song());
  await owner.hears({ songs: 10, only: null });
  await stranger.hears(null);
});

test("opening another's song, or its page as data, leaves its owner's news", async () => {
  const [owner, stranger] = [await reader(), await reader()];
  const [theirs, own] = [await owner.song(), await stranger.song()];
  for (const it of [theirs, own]) await rate(it);
  for (const it of [theirs, own]) {
    await stranger.openSong(it);
    await owner.hears(newsOf(theirs));
  }
  await stranger.hears(null);
  await seeNews(db, stranger.id, sql`1`);
  await owner.hears(newsOf(theirs));
});

test("the database refuses news to the second, and news of a song without ratings", async () => {
  const it = await song();
  const write = (at: number) => env.DB.prepare("UPDATE songs SET news_since = ?").bind(at).run();
  await expect(write(baseTime)).rejects.toThrow("songs_news");
  await rate(it);
  await expect(write(baseTime + 1)).rejects.toThrow("songs_news");
});

test("the pages say it: a line on the carousel, a dot in the menu, with words for who hears them", async () => {
  const it = await song();
  await makeRating(await makeUser(), it);
  const path = `/ratings-of-my-songs/${it.id}`;
  const carousel = await it.owner.reads("/");
  shows(carousel, `href="${path}"`, "has a new rating", ", new ratings");
  hides(await it.owner.reads(path), "new ratings");
  hides(await it.owner.reads("/"), "new rating");
});
