import {
  type ApiCall,
  type ApiRequest,
  createApiCall,
  createRequestState,
} from "~/adapters/spotify/requests";
import { SpotifyError } from "~/adapters/spotify/spotify";
import type { PlayFailure } from "./driver";

/** Maximum delay of a request by rate limits, in milliseconds; beyond that the listener is told. */
const maxWaitMs = 30_000;
const timeoutMs = 15_000;
/** A shorter wait is not worth a word, in milliseconds. */
const quietWaitMs = 2_000;

/** Lives as long as the page, so that leaving the carousel and coming back does not reset limits. */
const state = createRequestState();

/** Spotify's Web API for the listener, within the limits of app/adapters/spotify/requests.ts. */
export function createPlayerApi(
  apiUrl: string,
  getToken: (renew?: boolean) => Promise<string>,
): ApiCall {
  return createApiCall({
    apiUrl,
    fetch: window.fetch.bind(window),
    now: () => performance.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    token: getToken,
    state,
    maxWaitMs,
    timeoutMs,
  });
}

/**
 * Sends a request of a start.
 * @param onLimited called before a wait for a rate limit that the listener should know of.
 */
export async function callWithNotice(call: ApiCall, request: ApiRequest, onLimited: () => void) {
  try {
    return await call({ ...request, maxWaitMs: quietWaitMs });
  } catch (error) {
    if (toPlayFailure(error) !== "limited") throw error;
    onLimited();
    return call(request);
  }
}

/** Maps a failed request to its meaning for any driver; null where that depends on the driver. */
export function toPlayFailure(error: unknown): PlayFailure | null {
  if (!(error instanceof SpotifyError)) return null;
  if (error.reason === "PREMIUM_REQUIRED") return "no-premium";
  return error.status === 429 ? "limited" : null;
}
