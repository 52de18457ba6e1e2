import { minSongMs } from "~/db/rules";
import type { FoundTrack } from "~/spotify/spotify";

/** The reason for which nobody can rate a track, for its owner to read; null if it can be rated. */
export function whyUnratable({ playable, durationMs }: FoundTrack): string | null {
  if (!playable) {
    return "Spotify does not play this song at the moment, so nobody could listen to it. Please choose another one, or come back when it plays there.";
  }
  if (durationMs < minSongMs) {
    return `This song is too short to be rated: a song has to last at least ${minSongMs / 1000} seconds. Please choose another one.`;
  }
  return null;
}
