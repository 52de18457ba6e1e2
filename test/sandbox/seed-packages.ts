/**
 * Packages that a few seeded musicians have open. What a package holds is drawn at random; these
 * let a browser test know which songs it is offered, and in which order.
 */
import { spotifyId } from "./catalogue.ts";

/** The id of the song a seeded musician put up in a round: the place among their tracks. */
export function songId(musicianId: string, round: number): string {
  return spotifyId(`song ${musicianId} ${round}`);
}

// Songs of late rounds: others are offered the older ones first, and hardly ever rate these away.
const relinked = songId("zbigniew-jaskier", 2);
/** The one song that is not short. */
const longTitle = songId("kaito-morinaga", 3);
const withoutCover = songId("tamsin-hollowell", 2);
/** By somebody whom nobody else is led to. */
const mailed = songId("ismene-vourlioti", 2);
const others = [songId("amadou-sarr-lo", 2), songId("soren-tyndal", 2)];
/** A very long title, two that are written from right to left, emoji, and no cover. */
export const awkwardRounds = [0, 2, 4, 6, 12];

/** For each musician the songs on offer, the large one first. */
const offered: Record<string, string[]> = {
  "ysolde-perrin": [relinked, longTitle, withoutCover, ...others],
  "eino-kallas": [longTitle, relinked, withoutCover, ...others],
  "gwendal-kerbrat": [withoutCover, relinked, longTitle, ...others],
  // Time enough to put on another song before it ends.
  "haru-tsukishiro": [longTitle, relinked, withoutCover, ...others],
  "indira-pallavan": [longTitle, relinked, withoutCover, ...others],
  "jorunn-askeland": [mailed, withoutCover, relinked, ...others],
  "kester-whitlaw": [mailed, withoutCover, relinked, ...others],
  maryam: awkwardRounds.map((round) => songId("maximiliane", round)),
};

/** Every song in such a package. */
export const offeredSongs = new Set(Object.values(offered).flat());

/**
 * The rows of `packages` and of `package_songs`.
 * @param now epoch milliseconds; for a day from then on nothing else is drawn in their place.
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
