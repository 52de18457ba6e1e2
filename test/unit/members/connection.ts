import type { SpotifyConnection } from "~/members/spotify-connection";

export const connection: SpotifyConnection = {
  sessionId: "session",
  clientId: "client",
  accessToken: "sealed",
  refreshToken: "sealed",
  tokenExpiresAt: 0,
  hasPremium: true,
  mayAddToPlaylists: false,
};
