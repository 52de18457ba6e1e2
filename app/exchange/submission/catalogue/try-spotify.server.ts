import { endedLoginText } from "~/members/ended-login";
import { SpotifyError } from "~/spotify/spotify";

/** Spotify's answer, or the text for people where there is none. */
type Asked<T> = { answer: T } | { error: string };

/**
 * Asks Spotify, and turns its errors into a text for people.
 * @param texts for people, where Spotify does not answer (`outage`) and where it refuses, which lasts.
 */
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
