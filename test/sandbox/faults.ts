/** Failures and delays a test has ordered for the next calls of a route. */

export interface Fault {
  method: string;
  /** Matches the path as the real service has it, such as /v1/me/player. */
  path: RegExp;
  /** null: whoever calls. */
  musician: string | null;
  /** Calls left; negative: until the reset. */
  times: number;
  delayMs: number;
  failure: Failure | null;
}

export interface Failure {
  /** 0: the connection is cut without an answer. */
  status: number;
  body: string;
  contentType: string;
  headers: Record<string, string>;
}

export interface Faults {
  add(fault: Fault): void;
  /** The faults that strike this call, counted down; at most one failure and one delay. */
  take(method: string, path: string, musician: string | null): Strike;
  /** Drops a musician's faults, or all. */
  clear(musician?: string): void;
}

export interface Strike {
  delayMs: number;
  failure: Failure | null;
}

export function createFaults(): Faults {
  let faults: Fault[] = [];
  return {
    add: (fault) => void faults.push(fault),
    take(method, path, musician) {
      const strike: Strike = { delayMs: 0, failure: null };
      for (const fault of faults) {
        if (fault.method !== method || !fault.path.test(path)) continue;
        if (fault.musician !== null && fault.musician !== musician) continue;
        if (fault.failure ? strike.failure : strike.delayMs > 0) continue;
        if (fault.failure) strike.failure = fault.failure;
        else strike.delayMs = fault.delayMs;
        if (fault.times > 0) fault.times -= 1;
      }
      faults = faults.filter((fault) => fault.times !== 0);
      return strike;
    },
    clear(musician) {
      faults = musician === undefined ? [] : faults.filter((f) => f.musician !== musician);
    },
  };
}

/** Reads "GET /v1/tracks/:id": method and a pattern in which :name stands for one segment. */
export function parseRoute(route: string): { method: string; path: RegExp } | null {
  const match = /^([A-Z]+) (\/\S*)$/.exec(route);
  if (!match?.[1] || !match[2]) return null;
  const pattern = match[2]
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("/");
  return { method: match[1], path: new RegExp(`^${pattern}$`) };
}

/** Waits as a strike says; resolves at once without a delay. */
export function pause(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}
