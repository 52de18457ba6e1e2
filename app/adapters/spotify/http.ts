/** One exchange with Spotify over HTTP. For the Worker and the browser. */
import { SpotifyError } from "./spotify";

/** How long Spotify may take to answer, in milliseconds. */
export const spotifyTimeoutMs = 8000;
/** What a limited request waits where Spotify does not say (spec section 9), in seconds. */
const defaultRetrySeconds = 5;

/**
 * An answer with its whole body. Bodies are read as text first: some 403s are plain text.
 * @throws SpotifyError with status 0 where Spotify is not reached in time, or breaks off.
 */
export async function fetchText(
  fetch: typeof globalThis.fetch,
  url: string,
  timeoutMs: number,
  init: RequestInit,
): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    return { response, text: await response.text() };
  } catch {
    throw new SpotifyError(0, "Spotify could not be reached");
  }
}

/** The JSON in a body; null where it is empty, undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error that an answer which is not 2xx stands for (spec section 7, "Request handling"). */
export function failure(response: Response, text: string): SpotifyError {
  const json = parseJson(text) as { error?: { message?: unknown; reason?: unknown } } | undefined;
  const { message, reason } = json?.error ?? {};
  return new SpotifyError(
    response.status,
    typeof message === "string" ? message : text.trim().slice(0, 200) || response.statusText,
    typeof reason === "string" ? reason : null,
    response.status === 429 ? retrySeconds(response.headers.get("Retry-After")) : null,
  );
}

function retrySeconds(header: string | null): number {
  return /^[1-9]\d*$/.test(header ?? "") ? Number(header) : defaultRetrySeconds;
}
