import type { Tier } from "~/domain/tiers/tiers";

/** At most so many songs of one uploader in what a viewer may be shown (spec section 9). */
const songsPerUploader = 2;

/** What the selection needs to know of a song in the pool. */
export interface PoolSong {
  songId: string;
  ownerId: string;
  trackId: string;
}

/** A number from 0 up to but not including 1, as Math.random gives. */
export type Random = () => number;

/**
 * The songs of a pool that a viewer may rate, in the pool's order: none of their own, none already
 * rated, no track twice, at most two an uploader (spec section 4, "Carousel selection").
 */
export function eligibleSongs<Song extends PoolSong>(
  pool: Song[],
  viewerId: string,
  ratedSongIds: ReadonlySet<string>,
): Song[] {
  const tracks = new Set<string>();
  const perUploader = new Map<string, number>();
  return pool.filter((song) => {
    const shown = perUploader.get(song.ownerId) ?? 0;
    if (song.ownerId === viewerId || ratedSongIds.has(song.songId)) return false;
    if (tracks.has(song.trackId) || shown >= songsPerUploader) return false;
    tracks.add(song.trackId);
    perUploader.set(song.ownerId, shown + 1);
    return true;
  });
}

/** Where the viewer stands in the two cycles of three (spec section 4). */
export interface Place {
  visit: number;
  slide: number;
}

/**
 * The part of the eligible songs that a package is drawn from (spec section 4, "Carousel
 * selection"): up to 20 all; under 60 the third numbered by the visit counter; else the first, last
 * or middle third for counter 1, 2, 3.
 */
export function sliceByCount<Song>(songs: Song[], visit: number): Song[] {
  if (songs.length <= 20) return songs;
  const third = songs.length < 60 ? visit : ([1, 3, 2][visit - 1] ?? 1);
  const start = Math.floor(((third - 1) * songs.length) / 3);
  const end = Math.floor((third * songs.length) / 3);
  return songs.slice(start, end);
}

/** For premium, the positions of a slice that a slide draws from: 11 to 19 on 2, 10 to 14 on 3. */
function sliceBySlide<Song>(songs: Song[], tier: Tier, slide: number): Song[] {
  if (tier !== "premium" || slide === 1) return songs;
  const positions = slide === 2 ? songs.slice(10, 19) : songs.slice(9, 14);
  return positions.length > 0 ? positions : songs;
}

/**
 * Draws a package from the eligible songs, at random and without repetition.
 * @param tier which tier draws, and how many songs its package has; fewer come where there are fewer.
 * @returns the songs in the order drawn.
 */
export function drawPackage<Song>(
  songs: Song[],
  place: Place,
  tier: { tier: Tier; packageSize: number },
  random: Random,
): Song[] {
  const left = [...sliceBySlide(sliceByCount(songs, place.visit), tier.tier, place.slide)];
  const drawn: Song[] = [];
  while (drawn.length < tier.packageSize && left.length > 0) {
    drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return drawn;
}
