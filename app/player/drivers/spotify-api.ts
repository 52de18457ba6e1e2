import { type ApiCall, createApiCall, createRequestState } from "~/adapters/spotify/requests";
import { SpotifyError } from "~/adapters/spotify/spotify";
import type { PlayFailure } from "./driver";

/** What a 429 may cost the listener in waiting, in milliseconds; beyond it they are told. */
const MAX_WAIT_MS = 30_000;
const TIMEOUT_MS = 15_000;

/** One for the page's life, so that leaving the carousel and coming back changes no limit. */
const state = createRequestState();

/** Spotify's Web API for the page's listener, within the limits of spec section 9. */
export function playerApi(apiUrl: string, getToken: (renew?: boolean) => Promise<string>): ApiCall {
  return createApiCall({
    apiUrl,
    fetch: window.fetch.bind(window),
    now: () => performance.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    token: getToken,
    state,
    maxWaitMs: MAX_WAIT_MS,
    timeoutMs: TIMEOUT_MS,
  });
}

/** What a failed request to play means, whichever driver sent it; null for anything else. */
export function knownFailure(error: unknown): PlayFailure | null {
  if (!(error instanceof SpotifyError)) return null;
  if (error.reason === "PREMIUM_REQUIRED") return "no-premium";
  return error.status === 429 ? "limited" : null;
}
