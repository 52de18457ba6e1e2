import type { SessionStorage } from "@remix-run/cloudflare";
import { Authenticator } from "remix-auth";
import { SpotifyStrategy } from "remix-auth-spotify";
import * as z from "zod";
import { type Caller, fetchAs } from "~/platform/caller";
import type { SpotifyClientKeys } from "~/platform/env";
import { answers, withShownPictures } from "./answers";
import { failure, fetchText, parseJson, spotifyTimeoutMs } from "./http";
import { SpotifyError, SpotifyLoginEnded, type SpotifyProfile } from "./spotify";

/** The eight permissions asked for at login (rule 1). */
const loginScopes = [
  "user-read-currently-playing",
  "user-read-playback-state",
  "user-modify-playback-state",
  "user-library-read",
  "user-library-modify",
  "streaming",
  "user-read-email",
  "user-read-private",
];
/** The three more that adding to a playlist needs. */
const playlistScopes = [
  "playlist-read-private",
  "playlist-modify-private",
  "playlist-modify-public",
];

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

export interface LoginConfig {
  /** The apps registered at Spotify that a login can go through. */
  clients: SpotifyClientKeys[];
  accountsUrl: string;
  apiUrl: string;
  /** Absolute address of /auth/spotify/callback. */
  callbackUrl: string;
  /** Space-separated origins that covers and avatars come from. */
  imageOrigins: string;
  caller: Caller;
  /** Keeps the state parameter between the two halves of a login. */
  storage: SessionStorage;
  /** The same in both halves, but for `dialog`, which only the first needs. */
  ask: LoginAsk;
}

type StrategySession = Awaited<ReturnType<SpotifyStrategy["verify"]>>;

/** Result of the strategy's `verify`: the library's session, with the product's own grant. */
interface GrantSession extends StrategySession {
  grant: LoginGrant;
}

/** The authorization code flow, through one of the apps registered at Spotify. */
export type SpotifyLogin = ReturnType<typeof createSpotifyLogin>;

export function createSpotifyLogin(config: LoginConfig) {
  const authenticator = new Authenticator<StrategySession>(config.storage, { throwOnError: true });
  for (const client of config.clients) {
    authenticator.use(new LoginStrategy(config, client), client.id);
  }
  return {
    /** Sends the browser to Spotify's consent page, and keeps the flow's state in a cookie. */
    async begin(clientId: string, request: Request): Promise<Response> {
      // The authenticator copies the request, which it could not if its body has been read.
      const bodiless = new Request(request.url, { headers: request.headers });
      try {
        await authenticator.authenticate(clientId, bodiless);
      } catch (thrown) {
        if (thrown instanceof Response) return thrown;
        throw thrown;
      }
      throw new Error("The login strategy did not redirect");
    },
    /** Completes the flow from the callback's request. Throws an error that `loginFault` reads. */
    async complete(clientId: string, request: Request): Promise<LoginGrant> {
      try {
        const session = await authenticator.authenticate(clientId, request);
        return (session as GrantSession).grant;
      } catch (thrown) {
        // The strategy wraps what was thrown inside it.
        const cause = thrown instanceof Error ? thrown.cause : null;
        throw cause instanceof SpotifyError ? cause : thrown;
      }
    },
  };
}

/** Reasons for a failed login: too old or not ours, a user not on the app's list, or Spotify is down. */
export type LoginFault = "stale" | "not listed" | "unavailable";

/** Reads the reason for a failed login from what `complete` threw. */
export function loginFault(error: unknown): LoginFault {
  // Spotify gives the same answer for a code that is spent or too old as for an ended login.
  if (!(error instanceof SpotifyError) || error instanceof SpotifyLoginEnded) return "stale";
  return error.status === 403 ? "not listed" : "unavailable";
}

/** The library's strategy, with configurable addresses, time limits, and checks of every answer. */
class LoginStrategy extends SpotifyStrategy {
  readonly #profileUrl: string;
  readonly #imageOrigins: string;
  readonly #caller: Caller;
  readonly #showsDialog: boolean;

  constructor(config: LoginConfig, client: SpotifyClientKeys) {
    super(
      {
        clientID: client.id,
        clientSecret: client.secret,
        callbackURL: config.callbackUrl,
        scope: [...loginScopes, ...(config.ask.playlists ? playlistScopes : [])].join(" "),
        sessionStorage: config.storage,
      },
      async ({ accessToken, refreshToken, extraParams, profile }): Promise<GrantSession> => {
        if (!refreshToken) throw new SpotifyError(502, "Spotify gave no refresh token");
        const { expiresIn, scope } = extraParams;
        const grant: LoginGrant = {
          profile: profile as unknown as SpotifyProfile,
          accessToken,
          refreshToken,
          expiresIn,
          mayAddToPlaylists: coversPlaylists(String(scope)),
        };
        return { accessToken, refreshToken, expiresAt: expiresIn, user: null, grant };
      },
    );
    this.authorizationURL = `${config.accountsUrl}/authorize`;
    this.tokenURL = `${config.accountsUrl}/api/token`;
    this.#profileUrl = `${config.apiUrl}/v1/me`;
    this.#imageOrigins = config.imageOrigins;
    this.#caller = config.caller;
    this.#showsDialog = config.ask.dialog;
  }

  protected override authorizationParams(): URLSearchParams {
    return new URLSearchParams({ scope: this.scope, show_dialog: String(this.#showsDialog) });
  }

  /** The library's own has no time limit, and throws a raw body as if the callback were invalid. */
  protected override async fetchAccessToken(code: string, params: URLSearchParams) {
    params.set("code", code);
    const { accessToken, refreshToken, expiresIn, scope } = await requestTokens(
      this.tokenURL,
      this.#caller,
      { id: this.clientID, secret: this.clientSecret },
      params,
    );
    if (!refreshToken) throw new SpotifyError(502, "Spotify gave no refresh token");
    // An answer that names no permissions means those that were asked for (RFC 6749, section 5.1).
    const granted = { expiresIn, scope: scope ?? this.scope };
    return { accessToken, refreshToken, extraParams: { tokenType: "Bearer", ...granted } };
  }

  /**
   * The library's own ignores the status and fails on a profile without images. Its profile type
   * consists of fields that new apps no longer get, so ours takes its place.
   */
  protected override async userProfile(accessToken: string): Promise<never> {
    const profile = await readProfile(this.#profileUrl, this.#caller, accessToken);
    return withShownPictures(profile, this.#imageOrigins) as never;
  }
}

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.number().positive(),
  /** Permissions of the tokens, separated by spaces. */
  scope: z.string().nullish(),
});

/**
 * Exchanges a refresh token for a new access token. An answer that names no permissions means the same
 * as before (RFC 6749, section 6).
 * @throws SpotifyLoginEnded if Spotify has ended the authorization, SpotifyError on an outage.
 */
export async function refreshTokens(
  accountsUrl: string,
  caller: Caller,
  client: SpotifyClientKeys,
  refreshToken: string,
): Promise<RefreshedTokens> {
  const grant = { grant_type: "refresh_token", refresh_token: refreshToken };
  const { scope, ...tokens } = await requestTokens(
    `${accountsUrl}/api/token`,
    caller,
    client,
    new URLSearchParams(grant),
  );
  return { ...tokens, mayAddToPlaylists: scope === null ? null : coversPlaylists(scope) };
}

function coversPlaylists(scope: string): boolean {
  const granted = scope.split(" ");
  return playlistScopes.every((one) => granted.includes(one));
}

/** Posts a grant to the token endpoint. Throws like `refreshTokens`. */
async function requestTokens(
  tokenUrl: string,
  caller: Caller,
  client: SpotifyClientKeys,
  grant: URLSearchParams,
): Promise<Omit<RefreshedTokens, "mayAddToPlaylists"> & { scope: string | null }> {
  const { response, text } = await fetchText(fetchAs(caller), tokenUrl, {
    timeoutMs: spotifyTimeoutMs,
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
    body: grant,
  });
  if (response.status === 400 && text.includes("invalid_grant")) throw new SpotifyLoginEnded();
  const answer = tokenAnswer.safeParse(parseJson(text));
  if (!response.ok || !answer.success) {
    const { retryAfterSeconds } = failure(response, text);
    const status = response.ok ? 502 : response.status;
    throw new SpotifyError(status, "Spotify gave no token", { retryAfterSeconds });
  }
  const { access_token, refresh_token, expires_in, scope } = answer.data;
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresIn: expires_in,
    scope: scope ?? null,
  };
}

async function readProfile(
  url: string,
  caller: Caller,
  accessToken: string,
): Promise<SpotifyProfile> {
  const { response, text } = await fetchText(fetchAs(caller), url, {
    timeoutMs: spotifyTimeoutMs,
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  // A user who is not on the app's list gets a 403 here, often in plain text.
  if (!response.ok) throw failure(response, text);
  const profile = answers.profile.safeParse(parseJson(text));
  if (!profile.success) throw new SpotifyError(502, "Spotify's answer could not be read");
  return profile.data;
}

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
