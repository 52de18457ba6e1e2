import type { SessionStorage } from "@remix-run/cloudflare";
import { Authenticator } from "remix-auth";
import { SpotifyStrategy } from "remix-auth-spotify";
import * as z from "zod";
import { type Caller, fetchAs } from "~/platform/caller";
import type { SpotifyClientKeys } from "~/platform/env";
import { answers, withShownPictures } from "./answers";
import { failure, fetchText, parseJson, spotifyTimeoutMs } from "./http";
import { loginScopes } from "./permissions";
import { SpotifyError, SpotifyLoginEnded, type SpotifyProfile } from "./spotify";

const playlistScopes = [
  "playlist-read-private",
  "playlist-modify-private",
  "playlist-modify-public",
];

export interface LoginAsk {
  playlists: boolean;
  /** Spotify shows its consent page, where one can change the account, even to somebody who has agreed before. */
  dialog: boolean;
}

export interface LoginGrant {
  profile: SpotifyProfile;
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  mayAddToPlaylists: boolean;
}

export interface RefreshedTokens {
  accessToken: string;
  /** Null if the old one stays valid. */
  refreshToken: string | null;
  expiresIn: number;
  /** Null where that is as before. */
  mayAddToPlaylists: boolean | null;
}

export interface LoginConfig {
  clients: SpotifyClientKeys[];
  accountsUrl: string;
  apiUrl: string;
  callbackUrl: string;
  imageOrigins: string;
  caller: Caller;
  /** Keeps the state parameter between the two halves of a login. */
  storage: SessionStorage;
  /** The same in both halves, but for `dialog`, which only the first needs. */
  ask: LoginAsk;
}

type StrategySession = Awaited<ReturnType<SpotifyStrategy["verify"]>>;

interface GrantSession extends StrategySession {
  grant: LoginGrant;
}

export function createSpotifyLogin(config: LoginConfig) {
  const authenticator = new Authenticator<StrategySession>(config.storage, { throwOnError: true });
  for (const client of config.clients) {
    authenticator.use(new LoginStrategy(config, client), client.id);
  }
  return {
    async begin(clientId: string, request: Request): Promise<Response> {
      // The authenticator copies the request, which fails if its body has been read.
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
        const cause = thrown instanceof Error ? thrown.cause : null;
        throw cause instanceof SpotifyError ? cause : thrown;
      }
    },
  };
}

/** Too old or not ours, a user who is not on the app's list, or Spotify is down. */
export type LoginFault = "stale" | "not listed" | "unavailable";

export function loginFault(error: unknown): LoginFault {
  // Spotify gives the same answer for a code that is spent or too old as for an ended login.
  if (!(error instanceof SpotifyError) || error instanceof SpotifyLoginEnded) return "stale";
  return error.status === 403 ? "not listed" : "unavailable";
}

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
    // No permissions named means those that were asked for (RFC 6749, section 5.1).
    const granted = { expiresIn, scope: scope ?? this.scope };
    return { accessToken, refreshToken, extraParams: { tokenType: "Bearer", ...granted } };
  }

  /** The library's own ignores the status, and reads fields that new apps no longer get. */
  protected override async userProfile(accessToken: string): Promise<never> {
    const profile = await readProfile(this.#profileUrl, this.#caller, accessToken);
    return withShownPictures(profile, this.#imageOrigins) as never;
  }
}

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.number().positive(),
  scope: z.string().nullish(),
});

/** Throws SpotifyLoginEnded if Spotify has ended the authorization. */
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
  // No permissions named means the same as before (RFC 6749, section 6).
  return { ...tokens, mayAddToPlaylists: scope === null ? null : coversPlaylists(scope) };
}

function coversPlaylists(scope: string): boolean {
  const granted = scope.split(" ");
  return playlistScopes.every((one) => granted.includes(one));
}

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

/** A token is no longer used in the last minute before its end. */
const expiryMarginMs = 60_000;

interface AppToken {
  accessToken: string;
  endsAt: number;
}

/** By address and client, in this isolate alone. */
const appTokens = new Map<string, AppToken>();

/** The token of an app, which stands for no user and opens the catalogue alone (client credentials flow). */
export async function appToken(
  {
    accountsUrl,
    caller,
    client,
  }: { accountsUrl: string; caller: Caller; client: SpotifyClientKeys },
  { refused, now }: { refused: boolean; now: number },
): Promise<string> {
  const key = `${accountsUrl} ${client.id}`;
  const last = appTokens.get(key);
  if (last && !refused && now < last.endsAt) return last.accessToken;
  appTokens.delete(key);
  const grant = new URLSearchParams({ grant_type: "client_credentials" });
  try {
    const answer = await requestTokens(`${accountsUrl}/api/token`, caller, client, grant);
    const { accessToken, expiresIn } = answer;
    appTokens.set(key, { accessToken, endsAt: now + expiresIn * 1000 - expiryMarginMs });
    return accessToken;
  } catch (error) {
    // Otherwise a caller would take a 404 here for Spotify's answer about a track.
    if (error instanceof SpotifyError && !error.outage) {
      throw new SpotifyError(401, "Spotify gave the app no token");
    }
    throw error;
  }
}
