import type { Tier } from "~/members/tiers";
import { type Credits, hasPartIn, type Listener } from "./part-in-song";

/** Songs of one uploader that a viewer may be shown (rule 6). */
const maxSongsPerUploader = 2;

/** A song in the pool, as far as the selection needs it. */
export interface PoolSong extends Credits {
  songId: string;
  ownerId: string;
  /** Its recording (`songs.recording`). */
  recording: string;
}

/** The songs that the price of a viewer's submission goes by. */
export interface SongsLeft {
  /** Songs that count now: those that the carousel could offer, and those passed on lately. */
  available: number;
  /** Songs that the viewer can rate one after another, an owner's third after the first two. */
  toRate: number;
  /** Songs that go on counting however many are rated: those passed on lately. */
  staying: number;
}

/** A source of numbers from 0 up to but not including 1, like Math.random. */
export type Random = () => number;

/** The songs of a pool that are none of the viewer's own, and do not credit them. */
function othersSongs<Song extends PoolSong>(
  pool: Song[],
  viewer: Listener & { userId: string },
): Song[] {
  const isCredited = hasPartIn(viewer);
  return pool.filter((song) => song.ownerId !== viewer.userId && !isCredited(song));
}

/**
 * The songs of a pool that a viewer may rate one after another: none of their own, none that credits them,
 * and no recording twice. The pool's query has left out the recordings that the viewer has rated.
 */
export function ratableSongs<Song extends PoolSong>(
  pool: Song[],
  viewer: Listener & { userId: string },
): Song[] {
  const recordings = new Map(othersSongs(pool, viewer).map((song) => [song.recording, song]));
  return [...recordings.values()];
}

/**
 * The songs of a pool that the viewer may rate next, in the pool's order: no recording twice, at most two per
 * uploader (rule 6).
 */
export function eligibleSongs<Song extends PoolSong>(
  pool: Song[],
  viewer: Listener & { userId: string },
): Song[] {
  const recordings = new Set<string>();
  const perUploader = new Map<string, number>();
  return othersSongs(pool, viewer).filter((song) => {
    const shown = perUploader.get(song.ownerId) ?? 0;
    if (recordings.has(song.recording) || shown >= maxSongsPerUploader) return false;
    recordings.add(song.recording);
    perUploader.set(song.ownerId, shown + 1);
    return true;
  });
}

/** The viewer's state that decides from which eligible songs a package is drawn. */
export interface Draw {
  /** The viewer's place in the two cycles of three (rule 10). */
  visit: number;
  slide: number;
  tier: Tier;
  packageSize: number;
}

/**
 * The part of the eligible songs that a package is drawn from (rule 8): up to 20 all; under 60 the third
 * numbered by the visit counter; else the first, last or middle third for counter 1, 2, 3.
 */
export function thirdForVisit<Song>(songs: Song[], visit: number): Song[] {
  if (songs.length <= 20) return songs;
  const third = songs.length < 60 ? visit : ([1, 3, 2][visit - 1] ?? 1);
  const start = Math.floor(((third - 1) * songs.length) / 3);
  const end = Math.floor((third * songs.length) / 3);
  return songs.slice(start, end);
}

/** The least part whose places are a choice: it reaches beyond all that slides name (rule 9). */
const leastForSlides = 20;

/**
 * The songs that a package is drawn from (rules 8 and 9): the part that the visit counter names, and of it
 * for premium places 11 to 19 on slide 2 and 10 to 14 on slide 3. Small parts would name single songs, so
 * that one without twenty songs has no such places, and one with fewer than two packages gives way to all
 * songs.
 */
function songsToDrawFrom<Song>(songs: Song[], { visit, slide, tier, packageSize }: Draw): Song[] {
  const part = thirdForVisit(songs, visit);
  if (tier === "premium" && slide > 1 && part.length >= leastForSlides) {
    return slide === 2 ? part.slice(10, 19) : part.slice(9, 14);
  }
  return part.length < 2 * packageSize ? songs : part;
}

/**
 * Draws a package from the eligible songs, at random and without repetition. If there are fewer songs
 * than the package should have, it gets those.
 * @returns the songs in the order drawn.
 */
export function drawPackage<Song>(songs: Song[], draw: Draw, random: Random): Song[] {
  const left = [...songsToDrawFrom(songs, draw)];
  const drawn: Song[] = [];
  while (drawn.length < draw.packageSize && left.length > 0) {
    drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return drawn;
}
