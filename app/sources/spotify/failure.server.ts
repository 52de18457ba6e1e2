import { endedLoginText, refuseEndedLogin } from "~/login/ended-login";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { SpotifyError } from "~/sources/spotify/client/spotify";

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
