import { SpotifyError } from "~/adapters/spotify/spotify";
import { endedLoginText } from "~/domain/session/ended-login";

/** Spotify's answer, or the text for people where there is none. */
type Asked<T> = { answer: T } | { error: string };

/**
 * Asks Spotify, and turns its errors into a text for people.
 * @param outage the text where Spotify does not answer.
 */
export async function trySpotify<T>(ask: () => Promise<T>, outage: string): Promise<Asked<T>> {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return { error: error.status === 401 ? endedLoginText(error) : outage };
  }
}
