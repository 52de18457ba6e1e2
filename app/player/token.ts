import { timeLimit } from "~/platform/signals";

interface Token {
  accessToken: string;
  /** By the clock of the options. */
  expiresAt: number;
}

/** Least time that a returned token is still valid. */
const minValidityMs = 60_000;
const timeoutMs = 15_000;

/** A source of short-lived access tokens from GET /player/token, cached; concurrent callers share a request. */
export function createTokenSource(options: {
  fetch: typeof fetch;
  /** Milliseconds of a clock that never runs backwards. The device's own may be hours off. */
  now(): number;
  /** Called when the server answers 401, because the session has ended. */
  onLoggedOut(): void;
}) {
  let cached: Token | null = null;
  let pending: Promise<Token> | null = null;

  async function load(renew: boolean): Promise<Token> {
    const response = await options.fetch(renew ? "/player/token?refused" : "/player/token", {
      headers: { Accept: "application/json" },
      signal: timeLimit(timeoutMs),
    });
    if (response.status === 401) options.onLoggedOut();
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const { accessToken, lifetimeMs } = (await response.json()) as Record<string, unknown>;
    if (typeof accessToken !== "string" || typeof lifetimeMs !== "number") {
      throw new Error("Unexpected answer");
    }
    cached = { accessToken, expiresAt: options.now() + lifetimeMs };
    return cached;
  }

  return {
    /** The access token; with `renew`, a new one. Rejects if none is available. */
    async get(renew = false): Promise<string> {
      if (!renew && cached && cached.expiresAt - minValidityMs > options.now()) {
        return cached.accessToken;
      }
      pending ??= load(renew).finally(() => {
        pending = null;
      });
      return (await pending).accessToken;
    },
  };
}
