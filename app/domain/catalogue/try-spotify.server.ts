import { SpotifyError } from "~/adapters/spotify/spotify";
import { endedLoginText } from "~/domain/session/ended-login";

/** What Spotify has answered, or what people read if it did not. */
type Asked<T> = { answer: T } | { error: string };

/** @param outage what people read if Spotify does not answer. */
export async function trySpotify<T>(ask: () => Promise<T>, outage: string): Promise<Asked<T>> {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return { error: error.status === 401 ? endedLoginText(error) : outage };
  }
}
