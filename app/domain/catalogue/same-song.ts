import type { Track } from "~/adapters/spotify/track";
import { comparable } from "~/domain/pool/part-in-song";

/** How much the lengths of two copies of one recording may differ, in milliseconds. */
const lengthToleranceMs = 2000;

/**
 * Whether two tracks are the same song under two ids, as a single and its album have it: by the code of
 * the recording where both have one, else by title, main artist and length.
 */
export function isSameSong(one: Track, other: Track): boolean {
  if (one.trackId === other.trackId) return true;
  if (one.isrc && other.isrc) return one.isrc.toUpperCase() === other.isrc.toUpperCase();
  return (
    comparable(one.title) === comparable(other.title) &&
    comparable(one.artists[0] ?? "") === comparable(other.artists[0] ?? "") &&
    Math.abs(one.durationMs - other.durationMs) <= lengthToleranceMs
  );
}

/**
 * The tracks with each song once, in the order in which the songs came. Of several ids of a song, it is
 * one that was submitted before, so that its ratings stay together, or else the first, which is the best
 * match for Spotify. What cannot be played is in no list.
 * @param isSubmitted whether the owner has submitted the track before.
 */
export function eachSongOnce<T extends Track>(
  tracks: T[],
  isSubmitted: (track: T) => boolean,
): T[] {
  const songs: T[][] = [];
  for (const track of tracks) {
    const song = songs.find(([first]) => first && isSameSong(first, track));
    if (song) song.push(track);
    else songs.push([track]);
  }
  return songs.flatMap((ids) => ids.find(isSubmitted) ?? ids.slice(0, 1));
}
