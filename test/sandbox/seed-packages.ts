/**
 * Open packages of a few seeded musicians. The songs of a package are drawn at random otherwise; for
 * these packages browser tests know the songs and their order.
 */
import { spotifyId } from "./catalogue.ts";

/** The id of a seeded song; `round` is the index among the musician's tracks. */
export function songId(musicianId: string, round: number): string {
  return spotifyId(`song ${musicianId} ${round}`);
}

// Songs of late rounds. Other users are offered the older songs first, so they hardly ever rate these.
const relinked = songId("zbigniew-jaskier", 2);
/** The only one of these songs that is not short. */
const longTitle = songId("kaito-morinaga", 3);
const withoutCover = songId("tamsin-hollowell", 2);
/** A song that nobody else is offered. */
const mailed = songId("ismene-vourlioti", 2);
const others = [songId("amadou-sarr-lo", 2), songId("soren-tyndal", 2)];
/** Songs with a very long title, two right-to-left titles, emoji, and no cover. */
export const awkwardRounds = [0, 2, 4, 6, 12];

/** The songs in each musician's package, the one shown large first. */
const offered: Record<string, string[]> = {
  "ysolde-perrin": [relinked, longTitle, withoutCover, ...others],
  "eino-kallas": [longTitle, relinked, withoutCover, ...others],
  "gwendal-kerbrat": [withoutCover, relinked, longTitle, ...others],
  // The long song leaves time to play another one before it ends.
  "haru-tsukishiro": [longTitle, relinked, withoutCover, ...others],
  "indira-pallavan": [longTitle, relinked, withoutCover, ...others],
  "jorunn-askeland": [mailed, withoutCover, relinked, ...others],
  "kester-whitlaw": [mailed, withoutCover, relinked, ...others],
  maryam: awkwardRounds.map((round) => songId("maximiliane", round)),
};

/** The musicians who have these packages. */
export const offeredTo = new Set(Object.keys(offered));

/** All songs in these packages. */
export const offeredSongs = new Set(Object.values(offered).flat());

/**
 * The rows of `packages` and `package_songs`.
 * @param now epoch milliseconds; the packages stay open for a day from then.
 */
export function openPackages(now: number) {
  const ids = Object.keys(offered);
  return {
    packages: ids.map((id) => ({
      id: `package-${id}`,
      user_id: `user-${id}`,
      number: 1,
      drawn_at: now,
    })),
    songs: ids.flatMap((id) =>
      (offered[id] ?? []).map((song, position) => ({
        package_id: `package-${id}`,
        song_id: song,
        position,
      })),
    ),
  };
}
