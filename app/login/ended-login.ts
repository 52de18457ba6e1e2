import { notConnectedTexts } from "~/members/spotify-gap";
import { type Rejection, reject } from "~/platform/rejection";
import {
  type SpotifyError,
  SpotifyLoginEnded,
  SpotifyNotConnected,
} from "~/sources/spotify/client/spotify";

/** Spotify is named only where it is known to have ended the login. */
export const endedLoginTexts = {
  bySpotify: "Spotify has ended your login. Please log in again.",
  otherwise: "Your login has ended. Please log in again.",
} as const;

/** The words for a 401 of Spotify's. A session without a connection to Spotify has not ended. */
export function endedLoginText(error: SpotifyError): string {
  if (error instanceof SpotifyNotConnected) {
    return notConnectedTexts[error.ended ? "ended" : "never"];
  }
  const isOurs = error instanceof SpotifyLoginEnded && !error.bySpotify;
  return isOurs ? endedLoginTexts.otherwise : endedLoginTexts.bySpotify;
}

export function refuseEndedLogin(error: SpotifyError): Rejection {
  return reject(error instanceof SpotifyNotConnected ? 409 : 401, endedLoginText(error));
}

export const declinedLoginText =
  "You chose not to log in, so nothing was stored. You can log in whenever you like.";
