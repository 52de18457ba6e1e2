import { type Rejection, reject } from "~/platform/rejection";
import { type SpotifyError, SpotifyLoginEnded } from "~/spotify/spotify";

/** Spotify is named only where it is known to have ended the login. */
export const endedLoginTexts = {
  bySpotify: "Spotify has ended your login. Please log in again.",
  otherwise: "Your login has ended. Please log in again.",
} as const;

export function endedLoginText(error: SpotifyError): string {
  const isOurs = error instanceof SpotifyLoginEnded && !error.bySpotify;
  return isOurs ? endedLoginTexts.otherwise : endedLoginTexts.bySpotify;
}

export function refuseEndedLogin(error: SpotifyError): Rejection {
  return reject(401, endedLoginText(error));
}

export const declinedLoginText =
  "You chose not to log in, so nothing was stored. You can log in whenever you like.";
