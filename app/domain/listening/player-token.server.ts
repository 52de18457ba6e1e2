import { SpotifyError, SpotifyLoginEnded } from "~/adapters/spotify/spotify";
import { type Refusal, refuse } from "~/domain/refusal";
import { refuseEndedLogin } from "~/domain/session/ended-login";
import type { AccessToken } from "~/domain/session/spotify-token.server";
import { listenErrors } from "./errors";

/** The viewer's Spotify token for the player in the browser, or the refusal where there is none. */
export async function tokenForPlayer(token: Promise<AccessToken>): Promise<AccessToken | Refusal> {
  try {
    return await token;
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    if (error instanceof SpotifyLoginEnded) return refuseEndedLogin(error);
    return refuse(503, listenErrors.playbackFailed);
  }
}
