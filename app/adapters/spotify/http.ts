import { SpotifyError } from "./spotify";

/** How long Spotify may take to answer, in milliseconds. */
const timeoutMs = 8000;

/**
 * Fetches from Spotify.
 * @throws SpotifyError with status 0 where Spotify is not reached in time.
 */
export async function reach(url: URL | string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, signal: AbortSignal.timeout(timeoutMs) });
  } catch {
    throw new SpotifyError(0, "Spotify could not be reached");
  }
}

/** The JSON in a body, or null where there is none. */
export function parseJson(text: string): unknown {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
