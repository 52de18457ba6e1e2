import { SpotifyError, SpotifyLoginEnded, type SpotifyProfile } from "./spotify";

/** Options of a login at Spotify, beside the eight permissions of every login. */
export interface LoginAsk {
  /** The permission to read and change the user's playlists. */
  playlists: boolean;
  /**
   * Spotify shows its consent page even to somebody who has agreed to all of it before, where
   * they can also change the account.
   */
  dialog: boolean;
}

/** Result of a completed login. */
export interface LoginGrant {
  profile: SpotifyProfile;
  accessToken: string;
  refreshToken: string;
  /** Seconds until the access token expires. */
  expiresIn: number;
  /** The tokens may read and change the user's playlists. */
  mayAddToPlaylists: boolean;
}

/** The tokens that a refresh yields. Without a new refresh token the old one stays valid. */
export interface RefreshedTokens {
  accessToken: string;
  refreshToken: string | null;
  /** Seconds until the access token expires. */
  expiresIn: number;
  /** The tokens may read and change the user's playlists; null where that is as before. */
  mayAddToPlaylists: boolean | null;
}

/** The authorization code flow, through one of the apps registered at Spotify. */
export interface SpotifyLogin {
  /**
   * The Response that sends the browser to Spotify's consent page and keeps the flow's state in a cookie.
   */
  begin(clientId: string, request: Request): Promise<Response>;
  /**
   * Completes the flow from the callback's request.
   * @throws Error that `loginFault` reads.
   */
  complete(clientId: string, request: Request): Promise<LoginGrant>;
}

/** Reasons for a failed login: too old or not ours, a user not on the app's list, or Spotify is down. */
export type LoginFault = "stale" | "not listed" | "unavailable";

/** Reads the reason for a failed login from what `complete` threw. */
export function loginFault(error: unknown): LoginFault {
  // Spotify gives the same answer for a code that is spent or too old as for an ended login.
  if (!(error instanceof SpotifyError) || error instanceof SpotifyLoginEnded) return "stale";
  return error.status === 403 ? "not listed" : "unavailable";
}
