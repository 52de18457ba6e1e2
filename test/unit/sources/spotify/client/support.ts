import {
  type ApiCall,
  type ApiCallOptions,
  createApiCall,
  createRequestState,
} from "~/sources/spotify/client/requests";

/** A clock that only moves when a test advances it. */
function fakeClock() {
  let now = 1_000_000;
  let sleepers: { wakeAt: number; resolve(): void }[] = [];
  /** Lets everything run that is not waiting for the clock. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    wait: (ms: number) =>
      new Promise<void>((resolve) => sleepers.push({ wakeAt: now + Math.max(0, ms), resolve })),
    /** Advances the clock by this many milliseconds, or else until nobody waits for it. */
    async advance(ms = Number.POSITIVE_INFINITY): Promise<void> {
      const end = now + ms;
      for (;;) {
        await settle();
        const next = Math.min(...sleepers.map(({ wakeAt }) => wakeAt));
        if (sleepers.length === 0 || next > end) break;
        now = Math.max(now, next);
        const due = sleepers.filter(({ wakeAt }) => wakeAt <= now);
        sleepers = sleepers.filter(({ wakeAt }) => wakeAt > now);
        for (const { resolve } of due) resolve();
      }
      if (Number.isFinite(end)) now = end;
    },
  };
}

/** A request as it was sent. */
export interface SentRequest {
  /** Milliseconds since the service was created. */
  at: number;
  method: string;
  /** Without the API's origin. */
  url: string;
  headers: Headers;
  body: string | null;
}

/** A fake Spotify that answers each request, with its own clock and clients that share a state. */
export function fakeService(
  answer: (request: SentRequest, count: number) => Response | Promise<Response>,
) {
  const clock = fakeClock();
  const startedAt = clock.now();
  const sent: SentRequest[] = [];
  const tokenRequests: boolean[] = [];
  const state = createRequestState();
  const fetch: ApiCallOptions["fetch"] = async (url, init) => {
    const request = {
      at: clock.now() - startedAt,
      method: init?.method ?? "GET",
      url: String(url).replace("https://api.example", ""),
      headers: new Headers(init?.headers),
      body: init?.body === undefined ? null : String(init.body),
    };
    sent.push(request);
    return answer(request, sent.length);
  };
  return {
    clock,
    sent,
    /** For each token that was asked for: whether Spotify had refused the last one. */
    tokenRequests,
    state,
    client: (changes: Partial<ApiCallOptions> = {}): ApiCall =>
      createApiCall({
        apiUrl: "https://api.example",
        fetch,
        now: clock.now,
        wait: clock.wait,
        async token(refused) {
          tokenRequests.push(refused);
          return refused ? "second" : "first";
        },
        state,
        maxWaitMs: 5000,
        timeoutMs: 1000,
        ...changes,
      }),
  };
}

/** The value or the error that a call ends with. */
export async function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => error);
}
