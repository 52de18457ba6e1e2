import { minSongMs } from "~/db/rules";

/** Why nobody can rate a track (rule 27, songs that can be rated); null if it can be rated. */
export function whyUnratable({
  playable,
  durationMs,
}: {
  playable: boolean;
  durationMs: number;
}): string | null {
  if (!playable) {
    return "Spotify does not play this song at the moment, so nobody could listen to it. Choose another one, or come back when it plays there.";
  }
  if (durationMs < minSongMs) {
    return `This song is too short to be rated: a song has to last at least ${minSongMs / 1000} seconds. Choose another one.`;
  }
  return null;
}
