import { timeLimit } from "~/platform/signals";
import { SpotifyError } from "./spotify";

export const spotifyTimeoutMs = 8000;
/** Browsers get no Retry-After, so each such 429 in a row doubles the wait. */
const defaultRetrySeconds = 5;
const maxRetrySeconds = 40;

/** Fetches a body as text, because some 403s are not JSON. */
export async function fetchText(
  fetch: typeof globalThis.fetch,
  url: string,
  { timeoutMs, ...init }: RequestInit & { timeoutMs: number },
): Promise<{ response: Response; text: string }> {
  const signal = timeLimit(timeoutMs);
  try {
    const response = await fetch(url, { ...init, signal });
    return { response, text: await response.text() };
  } catch (error) {
    // Spotify's 429s may lack CORS headers, and a browser then may not read them.
    if (navigator.onLine && error instanceof TypeError) {
      return { response: new Response(null, { status: 429 }), text: "" };
    }
    throw new SpotifyError(0, "Spotify could not be reached");
  }
}

/** Null where the body is empty, undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function failure(response: Response, text: string, waitedSeconds = 0): SpotifyError {
  const json = parseJson(text) as { error?: { message?: unknown; reason?: unknown } } | undefined;
  const { message, reason } = json?.error ?? {};
  return new SpotifyError(
    response.status,
    typeof message === "string" ? message : text.trim().slice(0, 200) || response.statusText,
    {
      reason: typeof reason === "string" ? reason : null,
      retryAfterSeconds:
        response.status === 429
          ? retrySeconds(response.headers.get("Retry-After"), waitedSeconds)
          : null,
    },
  );
}

function retrySeconds(header: string | null, waitedSeconds: number): number {
  return /^[1-9]\d*$/.test(header ?? "")
    ? Number(header)
    : Math.min(Math.max(defaultRetrySeconds, waitedSeconds * 2), maxRetrySeconds);
}
