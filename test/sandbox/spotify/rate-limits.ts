/** Limits the calls in a rolling window, for each client and musician. */

/** A client that makes 8 calls a second, as the product's may, reaches it after 22 s. */
const DEFAULT: RateLimit = { limit: 180, windowSeconds: 30 };

export interface RateLimit {
  limit: number;
  windowSeconds: number;
}

export interface RateLimits {
  /** 0 if the call may pass, in which case it is counted; otherwise how many seconds to wait. */
  check(client: string, musician: string, now: number): number;
  /** Without a musician: for everybody without a limit of their own. */
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
