import type { Tier } from "~/members/tiers";

/** Like Math.random. */
export type Random = () => number;

export interface Draw {
  visit: number;
  slide: number;
  tier: Tier;
  packageSize: number;
}

/**
 * The part of the eligible songs that a package is drawn from (rule 8, draw): up to 20 all; under 60 the third
 * numbered by the visit counter; else the first, last or middle third for counter 1, 2, 3.
 */
export function thirdForVisit<Song>(songs: Song[], visit: number): Song[] {
  if (songs.length <= 20) return songs;
  const third = songs.length < 60 ? visit : ([1, 3, 2][visit - 1] ?? 1);
  const start = Math.floor(((third - 1) * songs.length) / 3);
  const end = Math.floor((third * songs.length) / 3);
  return songs.slice(start, end);
}

/** Slides name places up to the 19th (rule 9, slides). */
const leastForSlides = 20;

/**
 * The songs that a package is drawn from (rules 8 and 9): for premium, places 11 to 19 of the part on slide
 * 2 and 10 to 14 on slide 3, if it has twenty songs. A part with fewer than two packages gives way to all
 * songs.
 */
function songsToDrawFrom<Song>(songs: Song[], { visit, slide, tier, packageSize }: Draw): Song[] {
  const part = thirdForVisit(songs, visit);
  if (tier === "premium" && slide > 1 && part.length >= leastForSlides) {
    return slide === 2 ? part.slice(10, 19) : part.slice(9, 14);
  }
  return part.length < 2 * packageSize ? songs : part;
}

/** Draws a package at random and without repetition, or all songs if there are too few (rule 8, draw). */
export function drawPackage<Song>(songs: Song[], draw: Draw, random: Random): Song[] {
  const left = [...songsToDrawFrom(songs, draw)];
  const drawn: Song[] = [];
  while (drawn.length < draw.packageSize && left.length > 0) {
    drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return drawn;
}
