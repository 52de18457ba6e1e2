import type { Database } from "~/db/client.server";
import type { SpotifyConnection } from "~/members/spotify-connection";
import type { Config } from "~/platform/env";
import { appToken, refreshTokens } from "~/sources/spotify/client/consent.server";
import { spotifyState } from "~/sources/spotify/client/request-state.server";
import { createRequestState } from "~/sources/spotify/client/requests";
import { SpotifyNotConnected } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { createSpotify } from "~/sources/spotify/client/web-api.server";
import { type AccessToken, spotifyToken } from "./token.server";

/** For jobs without a user, by an app's own token. It waits out no limit. */
export function createCatalogueAccess(config: Config, now: () => number) {
  return (clientId: string): Pick<Spotify, "track"> => {
    const client = config.spotifyClients.find(({ id }) => id === clientId);
    if (!client) throw new Error("There is no such client");
    const app = { accountsUrl: config.spotifyAccountsUrl, caller: config, client };
    return openSpotify(config, now, {
      clientId,
      accessToken: (refused) => appToken(app, { refused, now: now() }),
      requestState: spotifyState.requestStateFor(`app ${clientId}`),
      maxWaitMs: 0,
    });
  };
}

export function createSpotifyAccess({
  waitUntil,
  ...services
}: {
  db: Database;
  config: Config;
  now(): number;
  waitUntil(work: Promise<unknown>): void;
}) {
  const { config, now } = services;
  const refresh = refreshTokens.bind(null, config.spotifyAccountsUrl, config);
  /** Completes a renewal even if the browser goes away, because the old refresh token may be revoked by then. */
  async function token(
    connection: SpotifyConnection | null,
    options: { refused?: boolean } = {},
  ): Promise<AccessToken> {
    if (!connection) throw new SpotifyNotConnected();
    const work = spotifyToken({ ...services, refresh }, connection, options);
    waitUntil(work.catch(() => undefined));
    return work;
  }
  return {
    token,
    /** Without a connection every call ends in SpotifyNotConnected. */
    spotify(connection: SpotifyConnection | null): Spotify {
      // `connection` still holds the old token after a renewal.
      let latest: AccessToken | null = null;
      return openSpotify(config, now, {
        clientId: connection?.clientId ?? "",
        async accessToken(refused) {
          if (refused || !latest) latest = await token(connection, { refused });
          return latest.accessToken;
        },
        requestState: connection
          ? spotifyState.requestStateFor(connection.sessionId)
          : createRequestState(),
      });
    },
  };
}

type Connection = Parameters<typeof createSpotify>[0];

function openSpotify(
  config: Config,
  now: () => number,
  account: Pick<Connection, "clientId" | "accessToken" | "requestState" | "maxWaitMs">,
) {
  return createSpotify({
    ...account,
    apiUrl: config.spotifyApiUrl,
    openUrl: config.spotifyOpenUrl,
    imageOrigins: config.imageOrigins,
    caller: config,
    legacyCalls: spotifyState.legacyCalls,
    now,
  });
}
