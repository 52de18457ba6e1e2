import type { SpotifyError } from "~/adapters/spotify/spotify";
import { logEvent } from "~/platform/log";
import { type Refusal, refuse } from "./refusal";
import { refuseEndedLogin } from "./session/ended-login";

/**
 * The refusal of something that Spotify did not do for the viewer. What Spotify itself said is for the
 * log.
 * @param texts what people read if Spotify does not answer (`outage`), and if it refuses.
 */
export function refuseAsSpotify(
  error: SpotifyError,
  texts: { outage: string; refused: string },
): Refusal {
  if (error.status === 401) return refuseEndedLogin(error);
  if (error.outage) return refuse(503, texts.outage);
  logEvent("spotify_refused", { status: error.status, error });
  return refuse(502, texts.refused);
}
