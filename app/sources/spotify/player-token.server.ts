import { type Rejection, reject } from "~/platform/rejection";
import {
  SpotifyError,
  SpotifyLoginEnded,
  SpotifyNotConnected,
} from "~/sources/spotify/client/spotify";
import { playErrors } from "./errors";
import { refuseEndedLogin } from "./failure.server";
import type { AccessToken } from "./token.server";

/** Tells the time that is left, because the browser's clock may be wrong. */
export interface PlayerToken {
  accessToken: string;
  lifetimeMs: number;
}

export async function tokenForPlayer(
  token: Promise<AccessToken>,
  now: () => number,
): Promise<PlayerToken | Rejection> {
  try {
    const { accessToken, expiresAt } = await token;
    return { accessToken, lifetimeMs: expiresAt - now() };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    if (error instanceof SpotifyLoginEnded || error instanceof SpotifyNotConnected) {
      return refuseEndedLogin(error);
    }
    return reject(503, playErrors.playbackFailed);
  }
}
