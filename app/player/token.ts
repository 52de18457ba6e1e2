interface Token {
  accessToken: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

export interface TokenSource {
  /** The access token; `renew` asks for another one than the last. Rejects when none can be had. */
  get(renew?: boolean): Promise<string>;
}

export interface TokenParts {
  fetch: typeof fetch;
  /** Epoch milliseconds. */
  now(): number;
  /** Called when the server answers 401: the session has ended. */
  onLoggedOut(): void;
}

/** A token nearer to its end than this is not handed out any more. */
const SPARE_MS = 60_000;
const TIMEOUT_MS = 15_000;

/** Short-lived access tokens from GET /player/token, cached; callers at one time share a request. */
export function createTokenSource(parts: TokenParts): TokenSource {
  let cached: Token | null = null;
  let pending: Promise<Token> | null = null;

  async function load(refused: boolean): Promise<Token> {
    const response = await parts.fetch(refused ? "/player/token?refused" : "/player/token", {
      headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 401) parts.onLoggedOut();
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const body = (await response.json()) as Partial<Token>;
    if (typeof body.accessToken !== "string" || typeof body.expiresAt !== "number") {
      throw new Error("Unexpected answer from /player/token");
    }
    cached = { accessToken: body.accessToken, expiresAt: body.expiresAt };
    return cached;
  }

  return {
    async get(renew = false) {
      if (!renew && cached && cached.expiresAt - SPARE_MS > parts.now()) return cached.accessToken;
      pending ??= load(renew).finally(() => {
        pending = null;
      });
      return (await pending).accessToken;
    },
  };
}
