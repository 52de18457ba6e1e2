import { failure, fetchText, parseJson } from "./http";
import { SpotifyError } from "./spotify";

/** At most so many requests start in a window, and so far apart (spec section 9). */
const startsInWindow = 8;
const windowMs = 1000;
const spacingMs = 50;
/** How long, and how many, answers are kept (spec section 9). */
const cacheMs = 5000;
const cacheEntries = 50;

/** What requests of one user have in common and may outlive a single client: plain data. */
export interface RequestMemory {
  /** When the last requests started, oldest first; milliseconds, as all times here. */
  starts: number[];
  /** No request starts before: a 429 holds back all, not only its own. */
  blockedUntil: number;
  /** Answers of GET by path and query, oldest first. */
  answers: Map<string, { at: number; answer: unknown }>;
  /** How many PUT and POST have ended: what was read before is old then. */
  writes: number;
}

export function createRequestMemory(): RequestMemory {
  return { starts: [], blockedUntil: 0, answers: new Map(), writes: 0 };
}

export interface ApiRequest {
  method?: "GET" | "PUT" | "POST";
  /** From /v1 on. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /**
   * GET only: do not take an answer from the cache (playback state); concurrent equal reads are
   * shared all the same.
   */
  fresh?: boolean;
  /**
   * Longest time, ms, to be kept waiting by 429 in all; beyond it the 429 is thrown at once.
   * Default: parts.longestWaitMs. 0: never wait.
   */
  longestWaitMs?: number;
  /** Ends the caller's waiting. A PUT or POST that has not started by then is never sent. */
  signal?: AbortSignal;
}

export interface RequesterParts {
  /** No slash at its end. */
  apiUrl: string;
  fetch: typeof fetch;
  /** Milliseconds; a clock that does not run backwards is enough. */
  now(): number;
  wait(ms: number): Promise<void>;
  /** @param refused Spotify answered 401 to the last one. */
  token(refused: boolean): Promise<string>;
  memory: RequestMemory;
  longestWaitMs: number;
  timeoutMs: number;
}

/**
 * Sends a request when its turn has come. Answers may be shared: do not change them.
 * @returns the answer's JSON; null where it has no body; undefined where the body is no JSON.
 * @throws SpotifyError `HTTP <status>: <text>` (spec section 7), status 0 where Spotify is
 *   unreachable in time; the signal's reason; what `parts.token` throws.
 */
export type ApiCall = (request: ApiRequest) => Promise<unknown>;

/** The one way to Spotify's Web API: queued, cached, patient within bounds (spec section 7). */
export function createApiCall(parts: RequesterParts): ApiCall {
  const { apiUrl, fetch, memory, timeoutMs } = parts;
  /** Reads that have not ended. Not in the memory: a Worker must not wait for another request's. */
  const underWay = new Map<string, Promise<unknown>>();

  /** Waits until a request may start, and enters it. @returns ms it was kept waiting by a 429. */
  async function takeTurn(patienceMs: number, signal?: AbortSignal): Promise<number> {
    let waited = 0;
    for (;;) {
      signal?.throwIfAborted();
      const now = parts.now();
      const blocked = memory.blockedUntil - now;
      if (blocked > 0 && waited + blocked > patienceMs) {
        throw new SpotifyError(429, "API rate limit exceeded", null, Math.ceil(blocked / 1000));
      }
      const { starts } = memory;
      const next = Math.max(
        (starts.at(-1) ?? now - spacingMs) + spacingMs,
        (starts.at(-startsInWindow) ?? now - windowMs) + windowMs,
        memory.blockedUntil,
      );
      if (next <= now) {
        memory.starts = [...starts, now].slice(-startsInWindow);
        return waited;
      }
      // Others wait as well: who wakes looks again.
      await parts.wait(next - now);
      if (blocked > 0) waited += parts.now() - now;
    }
  }

  async function send(request: ApiRequest, url: string, signal?: AbortSignal): Promise<unknown> {
    const { method = "GET", body } = request;
    let patienceMs = request.longestWaitMs ?? parts.longestWaitMs;
    let token = await parts.token(false);
    let refused = false;
    for (;;) {
      patienceMs -= await takeTurn(patienceMs, signal);
      const { response, text } = await fetchText(fetch, `${apiUrl}${url}`, timeoutMs, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (response.ok) return parseJson(text);
      if (response.status === 401 && !refused) {
        refused = true;
        token = await parts.token(true);
        continue;
      }
      const error = failure(response, text);
      if (error.retryAfterSeconds === null) throw error;
      const retryMs = error.retryAfterSeconds * 1000;
      memory.blockedUntil = Math.max(memory.blockedUntil, parts.now() + retryMs);
      if (retryMs > patienceMs) throw error;
    }
  }

  /** A write makes what was read before old, even a failed one: it may have arrived. */
  async function write(request: ApiRequest, url: string): Promise<unknown> {
    try {
      return await send(request, url, request.signal);
    } finally {
      memory.writes += 1;
      memory.answers.clear();
    }
  }

  /** Without the signal: others may share this one. */
  async function read(request: ApiRequest, url: string): Promise<unknown> {
    const { writes } = memory;
    const answer = await send(request, url);
    if (memory.writes === writes) {
      memory.answers.delete(url);
      memory.answers.set(url, { at: parts.now(), answer });
      const [oldest] = memory.answers.keys();
      if (memory.answers.size > cacheEntries && oldest !== undefined) memory.answers.delete(oldest);
    }
    return answer;
  }

  function sharedRead(request: ApiRequest, url: string): Promise<unknown> {
    // Who must not wait cannot share with who may; nor who reads after a write with who read before.
    const key = `${memory.writes} ${request.longestWaitMs} ${url}`;
    const work = underWay.get(key) ?? read(request, url).finally(() => underWay.delete(key));
    underWay.set(key, work);
    return work;
  }

  return async (request) => {
    const { method = "GET", path, query, fresh = false, signal } = request;
    signal?.throwIfAborted();
    const url = query ? `${path}?${new URLSearchParams(query)}` : path;
    if (method !== "GET") return until(write(request, url), signal);
    const kept = memory.answers.get(url);
    if (kept && !fresh && parts.now() - kept.at < cacheMs) return kept.answer;
    return until(sharedRead(request, url), signal);
  };
}

/** The work's outcome, or the signal's reason as soon as it is aborted. */
function until<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
