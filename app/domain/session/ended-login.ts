import { type SpotifyError, SpotifyLoginEnded } from "~/adapters/spotify/spotify";
import { type Refusal, refuse } from "~/domain/refusal";

/** What users read whose login has ended. Only what is known to be Spotify's doing is called so. */
export const endedLoginTexts = {
  bySpotify: "Spotify has ended your login. Please log in again.",
  otherwise: "Your login has ended. Please log in again.",
} as const;

/** What users read where Spotify, asked for them, has answered 401 or could not be asked. */
export function endedLoginText(error: SpotifyError): string {
  const isOurs = error instanceof SpotifyLoginEnded && !error.bySpotify;
  return isOurs ? endedLoginTexts.otherwise : endedLoginTexts.bySpotify;
}

/** The refusal that says so. */
export function refuseEndedLogin(error: SpotifyError): Refusal {
  return refuse(401, endedLoginText(error));
}

/** What somebody reads who chose at Spotify not to log in. */
export const declinedLoginText =
  "You chose not to log in, so nothing was stored. You can log in whenever you like.";
