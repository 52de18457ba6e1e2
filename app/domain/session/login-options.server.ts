import type { SessionStorage } from "@remix-run/cloudflare";
import type { LoginOptions } from "~/adapters/spotify/login.server";
import type { Config, SpotifyClientKeys } from "~/platform/env";

/** What both halves of a login through one client need. */
export function loginOptions(
  config: Config,
  client: SpotifyClientKeys,
  storage: SessionStorage,
): LoginOptions {
  return {
    client,
    storage,
    accountsUrl: config.spotifyAccountsUrl,
    apiUrl: config.spotifyApiUrl,
    callbackUrl: `${config.appOrigin}/auth/spotify/callback`,
  };
}
