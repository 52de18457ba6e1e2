import { throwIfAborted } from "~/platform/signals";
import { failure, fetchText, parseJson } from "./http";
import { SpotifyError } from "./spotify";

/** At most this many requests start in a window, and this far apart. */
const maxStartsInWindow = 8;
const windowMs = 1000;
const spacingMs = 50;
/** Lifetime and number of kept answers. */
const cacheMs = 5000;
const maxCacheEntries = 50;

/** State shared by the requests of one user; plain data that may outlive a client. */
export interface RequestState {
  /** Start times of the last requests, oldest first; milliseconds, like all times here. */
  starts: number[];
  /** No request starts before this time: a 429 holds back all requests, not only its own. */
  blockedUntil: number;
  /** Wait after the last answer if it was a 429, in seconds; 0 after any other answer. */
  waitedSeconds: number;
  /** Answers to GET requests by path and query, oldest first. */
  answers: Map<string, { at: number; answer: unknown }>;
  /** Number of writing requests that have ended: anything read before the last one is stale. */
  writes: number;
}

/** The state of somebody who has sent no request yet. */
export function createRequestState(): RequestState {
  return { starts: [], blockedUntil: 0, waitedSeconds: 0, answers: new Map(), writes: 0 };
}

export interface ApiRequest {
  method?: "GET" | "PUT" | "POST" | "DELETE";
  /** Starts with /v1. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /**
   * GET only: take no answer from the cache (playback state). Equal reads at the same time still
   * share one request.
   */
  fresh?: boolean;
  /**
   * The longest time, in milliseconds, that 429s may delay this request in all; a 429 that asks for
   * more is thrown at once. 0: never wait. Default: `maxWaitMs` of the options.
   */
  maxWaitMs?: number;
  /** Ends the caller's wait. A write that has not started by then is never sent. */
  signal?: AbortSignal;
}

export interface ApiCallOptions {
  /** Without a slash at the end. */
  apiUrl: string;
  fetch: typeof fetch;
  /** Milliseconds, of any clock that does not run backwards. */
  now(): number;
  wait(ms: number): Promise<void>;
  /** @param refused Spotify answered 401 to the last token. */
  token(refused: boolean): Promise<string>;
  state: RequestState;
  maxWaitMs: number;
  timeoutMs: number;
}

/**
 * Sends a request when its turn has come. Answers may be shared: do not change them.
 * @returns the JSON of the answer; null where it has no body, undefined where the body is not JSON.
 * @throws SpotifyError `HTTP <status>: <text>`, with status 0 where Spotify cannot
 *   be reached in time; the signal's reason; whatever `token` of the options throws.
 */
export type ApiCall = (request: ApiRequest) => Promise<unknown>;

/**
 * The only way to Spotify's Web API: queues requests, caches answers and waits out rate limits
 * within bounds.
 */
export function createApiCall(options: ApiCallOptions): ApiCall {
  const { apiUrl, fetch, state, timeoutMs } = options;
  /** Reads in progress. Not in the state: a Worker must not wait for another request's read. */
  const pendingReads = new Map<string, Promise<unknown>>();

  /** Waits until a request may start, and records its start. @returns ms that a 429 delayed it. */
  async function takeTurn(maxWaitMs: number, signal?: AbortSignal): Promise<number> {
    let waited = 0;
    for (;;) {
      throwIfAborted(signal);
      const now = options.now();
      const blocked = state.blockedUntil - now;
      if (blocked > 0 && waited + blocked > maxWaitMs) {
        const retryAfterSeconds = Math.ceil(blocked / 1000);
        throw new SpotifyError(429, "API rate limit exceeded", { retryAfterSeconds });
      }
      const { starts } = state;
      const next = Math.max(
        (starts[starts.length - 1] ?? now - spacingMs) + spacingMs,
        (starts[starts.length - maxStartsInWindow] ?? now - windowMs) + windowMs,
        state.blockedUntil,
      );
      if (next <= now) {
        state.starts = [...starts, now].slice(-maxStartsInWindow);
        return waited;
      }
      // Other requests wait too and may have started meanwhile, so check again afterwards.
      await options.wait(next - now);
      if (blocked > 0) waited += options.now() - now;
    }
  }

  async function send(request: ApiRequest, url: string, signal?: AbortSignal): Promise<unknown> {
    const { method = "GET", body } = request;
    let waitLeftMs = request.maxWaitMs ?? options.maxWaitMs;
    let token = await options.token(false);
    let refused = false;
    for (;;) {
      waitLeftMs -= await takeTurn(waitLeftMs, signal);
      const { response, text } = await fetchText(fetch, `${apiUrl}${url}`, {
        timeoutMs,
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (response.status !== 429) state.waitedSeconds = 0;
      if (response.ok) return parseJson(text);
      if (response.status === 401 && !refused) {
        refused = true;
        token = await options.token(true);
        continue;
      }
      const error = failure(response, text, state.waitedSeconds);
      if (error.retryAfterSeconds === null) throw error;
      state.waitedSeconds = error.retryAfterSeconds;
      const retryMs = error.retryAfterSeconds * 1000;
      state.blockedUntil = Math.max(state.blockedUntil, options.now() + retryMs);
      if (retryMs > waitLeftMs) throw error;
    }
  }

  /** A write makes earlier reads stale, even a failed write: it may have arrived. */
  async function write(request: ApiRequest, url: string): Promise<unknown> {
    try {
      return await send(request, url, request.signal);
    } finally {
      state.writes += 1;
      state.answers.clear();
    }
  }

  /** Ignores the caller's signal, because other callers may share this read. */
  async function read(request: ApiRequest, url: string): Promise<unknown> {
    const { writes } = state;
    const answer = await send(request, url);
    if (state.writes === writes) {
      state.answers.delete(url);
      state.answers.set(url, { at: options.now(), answer });
      const [oldest] = state.answers.keys();
      if (state.answers.size > maxCacheEntries && oldest !== undefined) {
        state.answers.delete(oldest);
      }
    }
    return answer;
  }

  function sharedRead(request: ApiRequest, url: string): Promise<unknown> {
    // Requests that may not wait do not share a pending one that may, nor do reads after a write
    // share one from before it.
    const key = `${state.writes} ${request.maxWaitMs} ${url}`;
    const pending =
      pendingReads.get(key) ?? read(request, url).finally(() => pendingReads.delete(key));
    pendingReads.set(key, pending);
    return pending;
  }

  return async (request) => {
    const { method = "GET", path, query, fresh = false, signal } = request;
    throwIfAborted(signal);
    const url = query ? `${path}?${new URLSearchParams(query)}` : path;
    if (method !== "GET") return abortable(write(request, url), signal);
    const cached = state.answers.get(url);
    if (cached && !fresh && options.now() - cached.at < cacheMs) return cached.answer;
    return abortable(sharedRead(request, url), signal);
  };
}

/** Settles like the work, or rejects with the signal's reason as soon as it is aborted. */
function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
