import { SpotifyError, SpotifyLoginEnded, type SpotifyProfile } from "./spotify";

/** What a completed login yields. */
export interface LoginGrant {
  profile: SpotifyProfile;
  accessToken: string;
  refreshToken: string;
  /** Seconds until the access token expires. */
  expiresIn: number;
}

/** The tokens that a refresh yields. Without a new refresh token the old one stays valid. */
export interface RefreshedTokens {
  accessToken: string;
  refreshToken: string | null;
  /** Seconds until the access token expires. */
  expiresIn: number;
}

/** The authorization code flow, through one of the apps registered at Spotify. */
export interface SpotifyLogin {
  /**
   * The Response that sends the browser to Spotify's consent page (spec section 7, "Login redirect")
   * and keeps the flow's state in a cookie.
   */
  begin(clientId: string, request: Request): Promise<Response>;
  /**
   * Completes the flow from the callback's request.
   * @throws Error that `loginFault` reads.
   */
  complete(clientId: string, request: Request): Promise<LoginGrant>;
}

/** Why a login failed: it is too old or not ours, its user is not on the app's list, or Spotify is down. */
export type LoginFault = "stale" | "not listed" | "unavailable";

/** What went wrong with a login, from what `complete` threw. */
export function loginFault(error: unknown): LoginFault {
  // Spotify gives the same answer for a code that is spent or too old as for an ended login.
  if (!(error instanceof SpotifyError) || error instanceof SpotifyLoginEnded) return "stale";
  return error.status === 403 ? "not listed" : "unavailable";
}
