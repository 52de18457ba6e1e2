import type { FoundTrack } from "~/adapters/spotify/spotify";
import { minListeningSeconds } from "~/db/rules";

/**
 * The shortest song that can be rated, in milliseconds. A listener hears its length less a second,
 * and at least three (spec section 9, "Short-song rule"): a shorter song ends before it unlocks.
 */
const minDurationMs = (minListeningSeconds + 1) * 1000;

/** Why a track cannot be rated by anybody, for its owner to read; null if it can. */
export function whyUnratable({ playable, durationMs }: FoundTrack): string | null {
  if (!playable) {
    return "Spotify does not play this song at the moment, so nobody could listen to it. Please choose another one, or come back when you can play it on Spotify.";
  }
  if (durationMs < minDurationMs) {
    return `This song is too short to be rated: a song has to last at least ${minDurationMs / 1000} seconds. Please choose another one.`;
  }
  return null;
}
