import { refuseEndedLogin } from "~/members/ended-login";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import type { SpotifyError } from "~/spotify/spotify";

/**
 * The refusal of an action that Spotify did not carry out for the viewer. Spotify's own words go into the
 * log.
 * @param texts for people, where Spotify does not answer (`outage`) and where it refuses.
 */
export function refuseAsSpotify(
  error: SpotifyError,
  texts: { outage: string; refused: string },
): Rejection {
  if (error.status === 401) return refuseEndedLogin(error);
  if (error.outage) return reject(503, texts.outage);
  logEvent("spotify_refused", { status: error.status, error });
  return reject(502, texts.refused);
}
