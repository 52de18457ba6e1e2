/** Calls in a rolling window, counted for each client and musician. */

/** Generous: a client that keeps spec section 9's 8 calls a second stays below it for 22 s. */
const DEFAULT: RateLimit = { limit: 180, windowSeconds: 30 };

export interface RateLimit {
  limit: number;
  windowSeconds: number;
}

export interface RateLimits {
  /** Seconds to wait, or 0 when the call may pass (it is counted then). */
  check(client: string, musician: string, now: number): number;
  /** Without a musician: for everybody who has no limit of their own. */
  set(limit: RateLimit, musician?: string): void;
  reset(musician?: string): void;
}

export function createRateLimits(): RateLimits {
  const calls = new Map<string, number[]>();
  const own = new Map<string, RateLimit>();
  let general = DEFAULT;
  return {
    check(client, musician, now) {
      const { limit, windowSeconds } = own.get(musician) ?? general;
      const key = `${musician} ${client}`;
      const recent = (calls.get(key) ?? []).filter((at) => at > now - windowSeconds * 1_000);
      calls.set(key, recent);
      if (recent.length < limit) {
        recent.push(now);
        return 0;
      }
      const oldest = recent[0] ?? now;
      return Math.max(1, Math.ceil((oldest + windowSeconds * 1_000 - now) / 1_000));
    },
    set(limit, musician) {
      if (musician === undefined) general = limit;
      else own.set(musician, limit);
    },
    reset(musician) {
      if (musician === undefined) {
        general = DEFAULT;
        own.clear();
        calls.clear();
        return;
      }
      own.delete(musician);
      for (const key of calls.keys()) if (key.startsWith(`${musician} `)) calls.delete(key);
    },
  };
}
