/** What browser tests rely on in a seeded database. */
import { expect, it } from "vitest";
import { accountIdOf, musicians, trackById } from "../../sandbox/catalogue.ts";
import { seededDatabase } from "./seeded-database.ts";

const now = Date.UTC(2026, 0, 15);

const db = seededDatabase(now);

/** The songs in a musician's open package, the one shown large first. */
function offered(musician: string) {
  return db
    .prepare(
      `SELECT songs.id, track_id, title, art_url, duration_ms, owed, owner_id, user_id, drawn_at,
         (SELECT count(*) FROM ratings WHERE song_id = songs.id AND rater_id = user_id) AS rated
       FROM packages
       JOIN package_songs ON package_id = packages.id JOIN songs ON songs.id = song_id
       WHERE user_id = ? ORDER BY position`,
    )
    .all(`user-${musician}`);
}

it.each(["ysolde-perrin", "eino-kallas", "gwendal-kerbrat"])(
  "%s is offered five songs that are still owed ratings",
  (musician) => {
    const songs = offered(musician);
    expect(songs).toHaveLength(5);
    for (const song of songs) {
      expect(song).toMatchObject({ rated: 0, drawn_at: now });
      expect(song.owner_id).not.toBe(song.user_id);
      expect(song.owed).toBeGreaterThanOrEqual(1);
    }
  },
);

it("offers Ysolde Perrin a short song that plays as another track", () => {
  const [song] = offered("ysolde-perrin");
  const track = trackById.get(String(song?.track_id));
  const twin = trackById.get(track?.relinkedTo ?? "");
  expect(twin).toMatchObject({ name: track?.name, isrc: track?.isrc });
  expect(twin?.id).not.toBe(track?.id);
  expect(song?.duration_ms).toBeLessThanOrEqual(6_000);
  expect(Math.abs((twin?.durationMs ?? 0) - (track?.durationMs ?? 0))).toBeLessThan(100);
});

it("offers Eino Kallas a song with a very long title", () => {
  expect(String(offered("eino-kallas")[0]?.title).length).toBeGreaterThan(150);
});

it("offers Gwendal Kerbrat a short song without artwork", () => {
  const [song] = offered("gwendal-kerbrat");
  expect(song?.art_url).toBeNull();
  expect(song?.duration_ms).toBeLessThanOrEqual(6_000);
});

it("lets Perry Premium compare two listens", () => {
  const songs = db
    .prepare(
      `SELECT entitled, received, owed, (SELECT group_concat(number || ':' || (completed_at IS NOT NULL))
         FROM submissions WHERE song_id = songs.id) AS fives
       FROM songs WHERE owner_id = 'user-demo-premium' AND entitled > 5`,
    )
    .all();
  expect(songs).toEqual([{ entitled: 10, received: 7, owed: 3, fives: "1:1,2:0" }]);
});

it("has musicians at Spotify who are not users yet", () => {
  const newcomers = musicians.filter((musician) => musician.listed && !musician.seeded);
  expect(newcomers.length).toBeGreaterThan(20);
  const users = db.prepare("SELECT spotify_id FROM users").all();
  const known = new Set(users.map((user) => user.spotify_id));
  for (const { id, trackIds } of newcomers) {
    expect(known).not.toContain(accountIdOf(id));
    const lengths = trackIds.map((track) => trackById.get(track)?.durationMs ?? 0);
    expect(lengths.filter((ms) => ms <= 6_000)).toHaveLength(3);
  }
  const names = musicians.map(({ displayName }) => displayName);
  expect(new Set(names).size).toBe(names.length);
});
