import { env } from "cloudflare:workers";

const limiters = ["LIMIT_LOGIN", "LIMIT_STRICT", "LIMIT_NORMAL", "LIMIT_WIDE"] as const;

/** Limiters that allow everything or nothing, and record what was counted by which of them. */
export function watchedLimits(success: boolean) {
  const keys: [limiter: string, key: string][] = [];
  const watched = limiters.map((name) => [
    name,
    {
      async limit({ key }: { key: string }) {
        keys.push([name, key]);
        return { success };
      },
    },
  ]);
  return { keys, bindings: { ...env, ...Object.fromEntries(watched) } };
}

/** Limiters that allow each key a number of times. */
export function countingLimits(times: number) {
  const counts = new Map<string, number>();
  const limiter = {
    async limit({ key }: { key: string }) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= times };
    },
  };
  return { ...env, ...Object.fromEntries(limiters.map((name) => [name, limiter])) };
}
