import { throwIfAborted } from "~/platform/signals";
import { failure, fetchText, parseJson } from "./http";
import { SpotifyError } from "./spotify";

const maxStartsInWindow = 8;
const windowMs = 1000;
const spacingMs = 50;
const cacheMs = 5000;
const maxCacheEntries = 50;

export interface RequestState {
  /** In milliseconds, oldest first. */
  starts: number[];
  /** A 429 holds back all requests, not only its own. */
  blockedUntil: number;
  /** 0 unless the last answer was a 429. */
  waitedSeconds: number;
  answers: Map<string, { at: number; answer: unknown }>;
  /** The count of writes that have ended. Anything read before the last one is stale. */
  writes: number;
}

export function createRequestState(): RequestState {
  return { starts: [], blockedUntil: 0, waitedSeconds: 0, answers: new Map(), writes: 0 };
}

export interface ApiRequest {
  method?: "GET" | "PUT" | "POST" | "DELETE";
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** Takes no answer from the cache. Equal reads at the same time still share one request. */
  fresh?: boolean;
  /** 429s may delay this request so long in all. One that asks for more is thrown at once. */
  maxWaitMs?: number;
  /** Ends the caller's wait. A write that has not started by then is never sent. */
  signal?: AbortSignal;
}

export interface ApiCallOptions {
  apiUrl: string;
  fetch: typeof fetch;
  /** Milliseconds of any clock that does not run backwards. */
  now(): number;
  wait(ms: number): Promise<void>;
  token(refused: boolean): Promise<string>;
  state: RequestState;
  maxWaitMs: number;
  timeoutMs: number;
}

/** Answers may be shared, so do not change them. Throws SpotifyError, the signal's reason, or what `token` throws. */
export type ApiCall = (request: ApiRequest) => Promise<unknown>;

/** The only way to Spotify's Web API. Queues requests, caches answers and waits out rate limits within bounds. */
export function createApiCall(options: ApiCallOptions): ApiCall {
  const { apiUrl, fetch, state, timeoutMs } = options;
  /** Not in the state, because a Worker must not wait for another request's read. */
  const pendingReads = new Map<string, Promise<unknown>>();

  /** Waits until a request may start, and returns the milliseconds that a 429 delayed it. */
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
      // Other requests wait too and may start first, so check again afterwards.
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

  /** Even a failed write makes earlier reads stale, because it may have arrived. */
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
    // A request that may not wait shares none that may, and a read after a write none from before it.
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

function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
