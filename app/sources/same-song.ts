import { comparable } from "~/platform/comparable";
import type { Track } from "./song";

const lengthToleranceMs = 2000;

/**
 * Checks whether two tracks are one song, as on a single and on its album: by the ISRC where both have one.
 */
export function isSameSong(one: Track, other: Track): boolean {
  if (one.trackId === other.trackId) return true;
  if (one.isrc && other.isrc) return one.isrc === other.isrc;
  return (
    comparable(one.title) === comparable(other.title) &&
    comparable(one.artists[0] ?? "") === comparable(other.artists[0] ?? "") &&
    Math.abs(one.durationMs - other.durationMs) <= lengthToleranceMs
  );
}

/**
 * Of several ids of a song, the one that was submitted before stays, so that its ratings stay together, or
 * else the first, which is Spotify's best match.
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
