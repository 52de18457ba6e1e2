import { SpotifyError, SpotifyLoginEnded } from "~/adapters/spotify/spotify";
import { loginEndedText, type Refusal, refuse } from "~/domain/refusal";
import type { AccessToken } from "~/domain/session/spotify-token.server";
import { listenErrors } from "./errors";

/** The viewer's Spotify token as the player in the browser gets it, or why there is none. */
export async function tokenForPlayer(token: Promise<AccessToken>): Promise<AccessToken | Refusal> {
  try {
    return await token;
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    if (error instanceof SpotifyLoginEnded) return refuse(401, loginEndedText);
    return refuse(503, listenErrors.playbackFailed);
  }
}
