import type { sessions } from "~/db/schema";

type SessionRow = typeof sessions.$inferSelect;

type ConnectionRow = Pick<
  SessionRow,
  | "id"
  | "clientId"
  | "accessToken"
  | "refreshToken"
  | "tokenExpiresAt"
  | "hasSpotifyPremium"
  | "mayAddToPlaylists"
>;

/** A session's connection to Spotify, by the tokens of its login or of a later consent. */
export interface SpotifyConnection {
  sessionId: string;
  clientId: string;
  /** Both are encrypted. */
  accessToken: string;
  refreshToken: string;
  tokenExpiresAt: number;
  /** As Spotify, or a song heard since, has shown. Null if unknown. */
  hasPremium: boolean | null;
  mayAddToPlaylists: boolean;
}

export function toConnection(row: ConnectionRow): SpotifyConnection | null {
  const { clientId, accessToken, refreshToken, tokenExpiresAt } = row;
  if (clientId === null || accessToken === null) return null;
  if (refreshToken === null || tokenExpiresAt === null) return null;
  return {
    sessionId: row.id,
    ...{ clientId, accessToken, refreshToken, tokenExpiresAt },
    hasPremium: row.hasSpotifyPremium,
    mayAddToPlaylists: row.mayAddToPlaylists,
  };
}
