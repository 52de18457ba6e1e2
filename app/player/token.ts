import { timeLimit } from "~/platform/signals";

interface Token {
  accessToken: string;
  expiresAt: number;
}

const minValidityMs = 60_000;
const timeoutMs = 15_000;

/** Access tokens from GET /player/token, cached. Concurrent callers share a request. */
export function createTokenSource(options: {
  fetch: typeof fetch;
  /** The device's own clock may be hours off, so this one must not run backwards. */
  now(): number;
  onLoggedOut(): void;
}) {
  let cached: Token | null = null;
  let pending: Promise<Token> | null = null;

  async function load(renew: boolean): Promise<Token> {
    const response = await options.fetch(renew ? "/player/token?refused" : "/player/token", {
      headers: { Accept: "application/json" },
      signal: timeLimit(timeoutMs),
    });
    // A 409 says that the login goes on without Spotify, which ends the player too.
    if (response.status === 401 || response.status === 409) options.onLoggedOut();
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const { accessToken, lifetimeMs } = (await response.json()) as Record<string, unknown>;
    if (typeof accessToken !== "string" || typeof lifetimeMs !== "number") {
      throw new Error("Unexpected answer");
    }
    cached = { accessToken, expiresAt: options.now() + lifetimeMs };
    return cached;
  }

  return {
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
