/** Limits the calls in a rolling window. Like Resend, it counts all callers together. */

/** Resend's default. */
const DEFAULT = { limit: 5, windowSeconds: 1 };

export interface RateLimit {
  /**
   * Whether a call at `now` (epoch milliseconds) may pass, in which case it is counted. Every response
   * gets the `headers`.
   */
  take(now: number): { passes: boolean; headers: Record<string, string> };
  set(limit: { limit: number; windowSeconds: number }): void;
  reset(): void;
}

export function createRateLimit(): RateLimit {
  let { limit, windowSeconds } = DEFAULT;
  let calls: number[] = [];
  return {
    take(now) {
      calls = calls.filter((at) => at > now - windowSeconds * 1_000);
      const passes = calls.length < limit;
      if (passes) calls.push(now);
      const free = (calls[0] ?? now) + windowSeconds * 1_000;
      const reset = Math.max(1, Math.ceil((free - now) / 1_000));
      const headers = {
        "ratelimit-limit": String(limit),
        "ratelimit-remaining": String(Math.max(0, limit - calls.length)),
        "ratelimit-reset": String(reset),
        ...(passes ? {} : { "retry-after": String(reset) }),
      };
      return { passes, headers };
    },
    set(next) {
      ({ limit, windowSeconds } = next);
      calls = [];
    },
    reset() {
      ({ limit, windowSeconds } = DEFAULT);
      calls = [];
    },
  };
}
