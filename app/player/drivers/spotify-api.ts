import {
  type ApiCall,
  type ApiRequest,
  createApiCall,
  createRequestState,
} from "~/sources/spotify/client/requests";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { PlayFailure } from "./driver";

const maxWaitMs = 30_000;
const timeoutMs = 15_000;
const quietWaitMs = 2_000;

/** Lives as long as the page, so that leaving the carousel and returning does not reset limits. */
const state = createRequestState();

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
 * Sends a request that is part of starting a song. `onLimited` is called before a wait that needs a message.
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

export function toPlayFailure(error: unknown): PlayFailure | null {
  if (!(error instanceof SpotifyError)) return null;
  if (error.reason === "PREMIUM_REQUIRED") return "no-premium";
  return error.status === 429 ? "limited" : null;
}
