/** Failures and delays that a test has requested for the next calls to a route. */

export interface Fault {
  method: string;
  /** Matches the path as the real service has it, such as /v1/me/player. */
  path: RegExp;
  /** null: any caller. */
  musician: string | null;
  /** How many more calls it applies to; negative: all until the reset. */
  times: number;
  delayMs: number;
  failure: Failure | null;
}

export interface Failure {
  /** 0: the connection is cut without a response. */
  status: number;
  body: string;
  contentType: string;
  headers: Record<string, string>;
}

export const CONNECTION_CUT: Failure = { status: 0, body: "", contentType: "", headers: {} };

interface FaultEffect {
  delayMs: number;
  failure: Failure | null;
}

export interface Faults {
  add(fault: Fault): void;
  /** Uses up the faults that apply to this call: at most one failure and one delay. */
  take(method: string, path: string, musician: string | null): FaultEffect;
  clear(musician?: string): void;
}

export function createFaults(): Faults {
  let faults: Fault[] = [];
  return {
    add: (fault) => void faults.push(fault),
    take(method, path, musician) {
      const effect: FaultEffect = { delayMs: 0, failure: null };
      for (const fault of faults) {
        if (fault.method !== method || !fault.path.test(path)) continue;
        if (fault.musician !== null && fault.musician !== musician) continue;
        if (fault.failure ? effect.failure : effect.delayMs > 0) continue;
        if (fault.failure) effect.failure = fault.failure;
        else effect.delayMs = fault.delayMs;
        if (fault.times > 0) fault.times -= 1;
      }
      faults = faults.filter((fault) => fault.times !== 0);
      return effect;
    },
    clear(musician) {
      faults = musician === undefined ? [] : faults.filter((f) => f.musician !== musician);
    },
  };
}

/** Parses "GET /v1/tracks/:id" into a method and a pattern in which :name matches one segment. */
export function parseRoute(route: string): { method: string; path: RegExp } | null {
  const match = /^([A-Z]+) (\/\S*)$/.exec(route);
  if (!match?.[1] || !match[2]) return null;
  const pattern = match[2]
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("/");
  return { method: match[1], path: new RegExp(`^${pattern}$`) };
}
