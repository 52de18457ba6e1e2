import { type Rejection, reject } from "~/platform/rejection";
import { type SpotifyError, SpotifyLoginEnded } from "~/spotify/spotify";

/** Texts for a login that has ended. Spotify is named only where it is known to have ended it. */
export const endedLoginTexts = {
  bySpotify: "Spotify has ended your login. Please log in again.",
  otherwise: "Your login has ended. Please log in again.",
} as const;

/** The text for an error 401 of a call to Spotify on behalf of a user. */
export function endedLoginText(error: SpotifyError): string {
  const isOurs = error instanceof SpotifyLoginEnded && !error.bySpotify;
  return isOurs ? endedLoginTexts.otherwise : endedLoginTexts.bySpotify;
}

/** The refusal with that text. */
export function refuseEndedLogin(error: SpotifyError): Rejection {
  return reject(401, endedLoginText(error));
}

/** The text for somebody who chose at Spotify not to log in. */
export const declinedLoginText =
  "You chose not to log in, so nothing was stored. You can log in whenever you like.";
