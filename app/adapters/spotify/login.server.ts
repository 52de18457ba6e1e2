import type { SessionStorage } from "@remix-run/cloudflare";
import { SpotifyStrategy } from "remix-auth-spotify";
import * as z from "zod";
import type { SpotifyClientKeys } from "~/platform/env";
import { answers } from "./answers";
import { failure, fetchText, parseJson, spotifyTimeoutMs } from "./http";
import { SpotifyError, SpotifyLoginEnded, type SpotifyProfile } from "./spotify";

/** The eight permissions asked for at login (spec section 6). */
export const loginScopes = [
  "user-read-currently-playing",
  "user-read-playback-state",
  "user-modify-playback-state",
  "user-library-read",
  "user-library-modify",
  "streaming",
  "user-read-email",
  "user-read-private",
];

/** What a completed login brings. */
export interface LoginGrant {
  profile: SpotifyProfile;
  accessToken: string;
  refreshToken: string;
  /** Seconds the access token is valid. */
  expiresIn: number;
}

/** What both halves of a login need. */
export interface LoginOptions {
  client: SpotifyClientKeys;
  accountsUrl: string;
  apiUrl: string;
  /** Absolute address of /auth/spotify/callback. */
  callbackUrl: string;
  /** Keeps the state parameter between the two halves of the login. */
  storage: SessionStorage;
}

/** The library's strategy, at configurable addresses, reading the profile with its status. */
class LoginStrategy extends SpotifyStrategy {
  readonly #profileUrl: string;
  profile: SpotifyProfile | null = null;

  constructor({ client, accountsUrl, apiUrl, callbackUrl, storage }: LoginOptions) {
    super(
      {
        clientID: client.id,
        clientSecret: client.secret,
        callbackURL: callbackUrl,
        scope: loginScopes.join(" "),
        sessionStorage: storage,
      },
      async ({ accessToken, refreshToken, extraParams }) => ({
        accessToken,
        ...(refreshToken ? { refreshToken } : {}),
        expiresAt: Number(extraParams.expiresIn),
        user: null,
      }),
    );
    this.authorizationURL = `${accountsUrl}/authorize`;
    this.tokenURL = `${accountsUrl}/api/token`;
    this.#profileUrl = `${apiUrl}/v1/me`;
  }

  protected override authorizationParams(): URLSearchParams {
    return new URLSearchParams({ scope: this.scope, show_dialog: "true" });
  }

  /** The library's own waits for ever, and throws a raw body that looks like a faulty callback. */
  protected override async fetchAccessToken(code: string, params: URLSearchParams) {
    params.set("code", code);
    const { accessToken, refreshToken, expiresIn } = await requestTokens(
      this.tokenURL,
      { id: this.clientID, secret: this.clientSecret },
      params,
    );
    if (!refreshToken) throw new SpotifyError(502, "Spotify gave no refresh token");
    return { accessToken, refreshToken, extraParams: { tokenType: "Bearer", expiresIn } };
  }

  /** The library's own reads the body whatever the status, and trips over missing images. */
  protected override async userProfile(accessToken: string): Promise<never> {
    this.profile = await readProfile(this.#profileUrl, accessToken);
    // The library's profile type is made of fields that new apps no longer get; nobody reads it here.
    return undefined as never;
  }
}

const strategyOptions = {
  name: "spotify",
  sessionKey: "user",
  sessionErrorKey: "error",
  sessionStrategyKey: "strategy",
  throwOnError: true,
};

/**
 * The Response that sends the browser to Spotify's consent page (spec section 7, "Login redirect").
 */
export async function beginLogin(options: LoginOptions, request: Request): Promise<Response> {
  try {
    await new LoginStrategy(options).authenticate(request, options.storage, strategyOptions);
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
  throw new Error("The login strategy did not redirect");
}

/**
 * Completes a login from the callback request.
 * @throws SpotifyError where Spotify fails or refuses the user (403: not on the app's list), and
 *   Error for a callback whose state or code is not good.
 */
export async function completeLogin(options: LoginOptions, request: Request): Promise<LoginGrant> {
  const strategy = new LoginStrategy(options);
  const session = await strategy
    .authenticate(request, options.storage, strategyOptions)
    .catch((error: unknown) => {
      // The strategy wraps what was thrown inside it.
      const cause = error instanceof Error ? error.cause : null;
      throw cause instanceof SpotifyError ? cause : error;
    });
  if (!strategy.profile || !session.refreshToken) {
    throw new SpotifyError(502, "Spotify's answer could not be read");
  }
  return {
    profile: strategy.profile,
    accessToken: session.accessToken,
    refreshToken: session.refreshToken,
    expiresIn: session.expiresAt,
  };
}

/** What went wrong with a login: it is too old or not ours, its user is not on the app's list, or Spotify is down. */
export function loginFault(error: unknown): "stale" | "not listed" | "unavailable" {
  // Spotify's word for a code that is spent or too old is the same as for an ended login.
  if (!(error instanceof SpotifyError) || error instanceof SpotifyLoginEnded) return "stale";
  return error.status === 403 ? "not listed" : "unavailable";
}

/** Tokens as a refresh gives them; no refresh token means the old one stays. */
export interface RefreshedTokens {
  accessToken: string;
  refreshToken: string | null;
  /** Seconds the access token is valid. */
  expiresIn: number;
}

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.number().positive(),
});

/**
 * Trades a refresh token for a new access token.
 * @throws SpotifyLoginEnded where Spotify has ended the authorization, SpotifyError on an outage.
 */
export async function refreshTokens(
  accountsUrl: string,
  client: SpotifyClientKeys,
  refreshToken: string,
): Promise<RefreshedTokens> {
  const grant = { grant_type: "refresh_token", refresh_token: refreshToken };
  return requestTokens(`${accountsUrl}/api/token`, client, new URLSearchParams(grant));
}

/** Posts a grant to the token endpoint. Throws as `refreshTokens` does. */
async function requestTokens(
  tokenUrl: string,
  client: SpotifyClientKeys,
  grant: URLSearchParams,
): Promise<RefreshedTokens> {
  const { response, text } = await fetchText(fetch, tokenUrl, spotifyTimeoutMs, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
    body: grant,
  });
  if (response.status === 400 && text.includes("invalid_grant")) throw new SpotifyLoginEnded();
  const answer = tokenAnswer.safeParse(parseJson(text));
  if (!response.ok || !answer.success) {
    throw new SpotifyError(response.ok ? 502 : response.status, "Spotify gave no token");
  }
  const { access_token, refresh_token, expires_in } = answer.data;
  return { accessToken: access_token, refreshToken: refresh_token ?? null, expiresIn: expires_in };
}

async function readProfile(url: string, accessToken: string): Promise<SpotifyProfile> {
  const { response, text } = await fetchText(fetch, url, spotifyTimeoutMs, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  // A user who is not on the app's list gets a 403 here, often in plain text.
  if (!response.ok) throw failure(response, text);
  const profile = answers.profile.safeParse(parseJson(text));
  if (!profile.success) throw new SpotifyError(502, "Spotify's answer could not be read");
  return profile.data;
}
