import {
  type ApiCall,
  createApiCall,
  createRequestMemory,
  type RequesterParts,
  type RequestMemory,
} from "~/adapters/spotify/requests";

/** A clock that stands still until it is wound. */
export function stoppedClock() {
  let now = 1_000_000;
  let waiting: { at: number; resolve(): void }[] = [];
  /** Lets everything run on that waits for nothing. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    wait: (ms: number) =>
      new Promise<void>((resolve) => waiting.push({ at: now + Math.max(0, ms), resolve })),
    /** Winds the clock, whoever waits waking on time: by so many ms, else until nobody waits. */
    async wind(ms = Number.POSITIVE_INFINITY): Promise<void> {
      const end = now + ms;
      for (;;) {
        await settle();
        const at = Math.min(...waiting.map((waiter) => waiter.at));
        if (waiting.length === 0 || at > end) break;
        now = Math.max(now, at);
        const awake = waiting.filter((waiter) => waiter.at <= now);
        waiting = waiting.filter((waiter) => waiter.at > now);
        for (const waiter of awake) waiter.resolve();
      }
      if (Number.isFinite(end)) now = end;
    },
  };
}

/** A request as it was sent, with its time. */
export interface Sent {
  at: number;
  method: string;
  /** After the API's address. */
  url: string;
  headers: Headers;
  body: string | null;
}

/** Spotify as a function of what it is sent, with a clock of its own and clients that share a memory. */
export function service(answer: (sent: Sent, count: number) => Response | Promise<Response>) {
  const clock = stoppedClock();
  const began = clock.now();
  const sent: Sent[] = [];
  const tokens: boolean[] = [];
  const memory: RequestMemory = createRequestMemory();
  const fetch: RequesterParts["fetch"] = async (url, init) => {
    const one = {
      at: clock.now() - began,
      method: init?.method ?? "GET",
      url: String(url).replace("https://api.example", ""),
      headers: new Headers(init?.headers),
      body: init?.body === undefined ? null : String(init.body),
    };
    sent.push(one);
    return answer(one, sent.length);
  };
  return {
    clock,
    sent,
    /** For each token that was asked for, whether another one had been refused. */
    tokens,
    memory,
    client: (changes: Partial<RequesterParts> = {}): ApiCall =>
      createApiCall({
        apiUrl: "https://api.example",
        fetch,
        now: clock.now,
        wait: clock.wait,
        async token(refused) {
          tokens.push(refused);
          return refused ? "second" : "first";
        },
        memory,
        longestWaitMs: 5000,
        timeoutMs: 1000,
        ...changes,
      }),
  };
}

/** What becomes of a call, as a value. */
export async function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => error);
}
