import type { Caller } from "~/platform/caller";
import type { SpotifyClientKeys } from "~/platform/env";
import { requestTokens } from "./login.server";
import { SpotifyError } from "./spotify";

/** Time before a token's end in which it is no longer used, in milliseconds. */
const expiryMarginMs = 60_000;

/** An app's own token, and when it ends, in epoch milliseconds. */
interface AppToken {
  accessToken: string;
  endsAt: number;
}

/** The tokens of this isolate, by the address and the client they are from. Stored nowhere else. */
const tokens = new Map<string, AppToken>();

/**
 * The token of an app registered at Spotify, which stands for no user and opens the catalogue alone
 * (client credentials flow). It is asked for once an hour in each isolate.
 * @param refused Spotify has refused the last one.
 * @throws SpotifyError with status 401 where Spotify gives the app none, and others in an outage.
 */
export async function appToken(
  {
    accountsUrl,
    caller,
    client,
  }: { accountsUrl: string; caller: Caller; client: SpotifyClientKeys },
  { refused, now }: { refused: boolean; now: number },
): Promise<string> {
  const key = `${accountsUrl} ${client.id}`;
  const last = tokens.get(key);
  if (last && !refused && now < last.endsAt) return last.accessToken;
  tokens.delete(key);
  const grant = new URLSearchParams({ grant_type: "client_credentials" });
  try {
    const answer = await requestTokens(`${accountsUrl}/api/token`, caller, client, grant);
    const { accessToken, expiresIn } = answer;
    tokens.set(key, { accessToken, endsAt: now + expiresIn * 1000 - expiryMarginMs });
    return accessToken;
  } catch (error) {
    // Otherwise a caller would take a 404 here for Spotify's answer about a track.
    if (error instanceof SpotifyError && !error.outage) {
      throw new SpotifyError(401, "Spotify gave the app no token");
    }
    throw error;
  }
}
