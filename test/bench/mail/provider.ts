/** A mail provider on loopback that counts calls and responds with a delay. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface MailProvider {
  url: string;
  /** Resets the counters. With a `limit`, it accepts that many calls per second, and tells others to wait a second. */
  begin(limit?: number): void;
  /** The calls since then, how many of them were refused, and the maximum that were open at once. */
  counted(): { calls: number; refused: number; most: number };
  close(): Promise<void>;
}

/** @param delayMs how long it takes to respond to a call that it accepts. */
export async function startMailProvider(delayMs: number): Promise<MailProvider> {
  let limit = Number.POSITIVE_INFINITY;
  let count = { calls: 0, refused: 0, most: 0 };
  let open = 0;
  let taken: number[] = [];
  const server: Server = createServer((request, response) => {
    request.resume();
    open += 1;
    count.calls += 1;
    count.most = Math.max(count.most, open);
    const now = performance.now();
    taken = taken.filter((at) => at > now - 1000);
    const busy = taken.length >= limit;
    if (busy) count.refused += 1;
    else taken.push(now);
    setTimeout(
      () => {
        open -= 1;
        response.writeHead(busy ? 429 : 200, {
          "Content-Type": "application/json",
          ...(busy ? { "Retry-After": "1" } : {}),
        });
        response.end(JSON.stringify(busy ? { name: "rate_limit_exceeded" } : { id: "taken" }));
      },
      busy ? 0 : delayMs,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin(most = Number.POSITIVE_INFINITY) {
      limit = most;
      count = { calls: 0, refused: 0, most: 0 };
      taken = [];
    },
    counted: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
