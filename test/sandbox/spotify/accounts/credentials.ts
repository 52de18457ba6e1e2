/**
 * Clients, codes and tokens. Every second use of a refresh token rotates it: the old one works for 60 more
 * seconds and always returns the same successor. As reported of the real service
 * (github.com/spotify/web-api/issues/814), a code gives the scopes that were asked for, a refresh all that were
 * ever granted, and a refresh names the scopes only where they have changed.
 */
import { randomBytes } from "node:crypto";
import type { SandboxContext } from "../../context.ts";

/** extended: the API of older apps. development: the reduced one of 2026. legacy: without its new routes. */
export type Mode = "extended" | "development" | "legacy";

export const CLIENT_SECRETS: ReadonlyMap<string, string> = new Map([
  ["sandbox-client-a", "sandbox-secret-a"],
  ["sandbox-client-b", "sandbox-secret-b"],
]);

/** Stands in the place of the musician where a token is an app's own. */
export const APP = "app";

const ACCESS_TOKEN_SECONDS = 3_600;
const ROTATED_GRACE_MS = 60_000;

interface Grant {
  musician: string;
  client: string;
  scope: string;
}

interface AccessToken extends Grant {
  token: string;
  expiresAt: number;
}

interface RefreshToken extends Grant {
  token: string;
  uses: number;
  revoked: boolean;
  successor: string | null;
  /** When it stops working because it was rotated. */
  deadAt: number | null;
}

interface Code extends Grant {
  redirectUri: string;
}

export interface TokenAnswer {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token?: string;
  scope?: string;
}

export interface OAuthError {
  error: string;
  error_description: string;
}

export type Credentials = ReturnType<typeof createCredentials>;

interface Saved {
  access: AccessToken[];
  refresh: RefreshToken[];
  granted: Grant[];
}

export function createCredentials(context: SandboxContext) {
  const saved = context.store.load("spotify tokens") as Saved | null;
  const access = new Map(saved?.access.map((token) => [token.token, token]));
  const refreshTokens = new Map(saved?.refresh.map((token) => [token.token, token]));
  let granted = saved?.granted ?? [];
  const codes = new Map<string, Code>();
  const modes = new Map<string, Mode>();
  context.store.register("spotify tokens", () => ({
    access: [...access.values()].filter((token) => token.expiresAt > context.now()),
    refresh: [...refreshTokens.values()],
    granted,
  }));

  function grantedTo({ musician, client }: Grant): Grant | undefined {
    return granted.find((one) => one.musician === musician && one.client === client);
  }

  function remember(grant: Grant): void {
    const known = grantedTo(grant);
    if (known) known.scope = [...new Set(`${known.scope} ${grant.scope}`.split(" "))].join(" ");
    else granted.push(grantOf(grant));
    context.store.changed();
  }

  function issueAccess(grant: Grant, expiresIn: number): TokenAnswer {
    const token = `BQ${randomBytes(48).toString("base64url")}`;
    access.set(token, { ...grantOf(grant), token, expiresAt: context.now() + expiresIn * 1_000 });
    context.store.changed();
    return { access_token: token, token_type: "Bearer", expires_in: expiresIn, scope: grant.scope };
  }

  function issueRefresh(grant: Grant): string {
    const token = `AQ${randomBytes(60).toString("base64url")}`;
    const fresh = { token, uses: 0, revoked: false, successor: null, deadAt: null };
    refreshTokens.set(token, { ...grantOf(grant), ...fresh });
    return token;
  }

  function issue(grant: Grant, expiresIn = ACCESS_TOKEN_SECONDS): TokenAnswer {
    return { ...issueAccess(grant, expiresIn), refresh_token: issueRefresh(grant) };
  }

  return {
    issue,
    createCode(grant: Grant, redirectUri: string): string {
      remember(grant);
      const code = `AQ${randomBytes(80).toString("base64url")}`;
      codes.set(code, { ...grantOf(grant), redirectUri });
      return code;
    },
    isGranted(grant: Grant): boolean {
      const known = grantedTo(grant)?.scope.split(" ");
      return known !== undefined && grant.scope.split(" ").every((scope) => known.includes(scope));
    },
    redeemCode(code: string, client: string, redirectUri: string): TokenAnswer | OAuthError {
      const grant = codes.get(code);
      if (!grant || grant.client !== client) return invalidGrant("Invalid authorization code");
      if (grant.redirectUri !== redirectUri) return invalidGrant("Invalid redirect URI");
      codes.delete(code);
      return issue(grant);
    },
    refresh(token: string, client: string): TokenAnswer | OAuthError {
      const grant = refreshTokens.get(token);
      if (!grant || grant.client !== client) return invalidGrant("Invalid refresh token");
      if (grant.revoked || (grant.deadAt !== null && grant.deadAt < context.now())) {
        return invalidGrant("Refresh token revoked");
      }
      grant.uses += 1;
      if (grant.successor === null && grant.uses % 2 === 0) {
        grant.successor = issueRefresh(grant);
        grant.deadAt = context.now() + ROTATED_GRACE_MS;
      }
      const before = grant.scope;
      grant.scope = grantedTo(grant)?.scope ?? before;
      const { scope: _scope, ...answer } = issueAccess(grant, ACCESS_TOKEN_SECONDS);
      return {
        ...answer,
        ...(grant.successor === null ? {} : { refresh_token: grant.successor }),
        ...(grant.scope === before ? {} : { scope: grant.scope }),
      };
    },
    /** An app's own token: without a user, scopes and a refresh token. */
    issueToApp(client: string): Omit<TokenAnswer, "scope"> {
      const grant = { musician: APP, client, scope: "" };
      const { scope: _scope, ...answer } = issueAccess(grant, ACCESS_TOKEN_SECONDS);
      return answer;
    },
    access: (token: string) => access.get(token) ?? null,
    /** The musician with this code or refresh token, for the log and the faults. */
    musicianWith: (token: string) =>
      (codes.get(token) ?? refreshTokens.get(token))?.musician ?? null,
    expireAccess(musician: string): void {
      for (const token of access.values()) {
        if (token.musician === musician) token.expiresAt = Math.min(token.expiresAt, context.now());
      }
    },
    revoke(musician: string): void {
      for (const token of refreshTokens.values()) {
        if (token.musician === musician) token.revoked = true;
      }
      granted = granted.filter((grant) => grant.musician !== musician);
      context.store.changed();
    },
    withdraw(musician: string, scopes: string[]): void {
      for (const grant of [...access.values(), ...refreshTokens.values(), ...granted]) {
        if (grant.musician !== musician) continue;
        const left = grant.scope.split(" ").filter((scope) => !scopes.includes(scope));
        grant.scope = left.join(" ");
      }
      context.store.changed();
    },
    mode: (client: string): Mode => modes.get(client) ?? "extended",
    setMode: (client: string, mode: Mode) => void modes.set(client, mode),
    resetModes: () => modes.clear(),
  };
}

function grantOf({ musician, client, scope }: Grant): Grant {
  return { musician, client, scope };
}

function invalidGrant(error_description: string): OAuthError {
  return { error: "invalid_grant", error_description };
}
