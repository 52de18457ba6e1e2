import { endedLoginTexts } from "~/login/ended-login";
import { notConnectedTexts } from "~/members/spotify-gap";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import {
  SpotifyError,
  SpotifyLoginEnded,
  SpotifyNotConnected,
} from "~/sources/spotify/client/spotify";

/** The words for a 401 of Spotify's. A session without a connection to Spotify has not ended. */
function endedLoginText(error: SpotifyError): string {
  if (error instanceof SpotifyNotConnected) {
    return notConnectedTexts[error.ended ? "ended" : "never"];
  }
  const isOurs = error instanceof SpotifyLoginEnded && !error.bySpotify;
  return isOurs ? endedLoginTexts.otherwise : endedLoginTexts.bySpotify;
}

export function refuseEndedLogin(error: SpotifyError): Rejection {
  return reject(error instanceof SpotifyNotConnected ? 409 : 401, endedLoginText(error));
}

/** The rejection of an action that Spotify did not carry out. Spotify's own words go into the log. */
export function refuseAsSpotify(
  error: SpotifyError,
  texts: { outage: string; refused: string },
): Rejection {
  if (error.status === 401) return refuseEndedLogin(error);
  if (error.outage) return reject(503, texts.outage);
  logEvent("spotify_refused", { status: error.status, error });
  return reject(502, texts.refused);
}

type Asked<T> = { answer: T } | { error: string };

export async function trySpotify<T>(
  ask: () => Promise<T>,
  texts: { outage: string; refused: string },
): Promise<Asked<T>> {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    if (error.status === 401) return { error: endedLoginText(error) };
    return { error: error.outage ? texts.outage : texts.refused };
  }
}
