/** Posts a vendor's events to the app, and again with growing delays until the answer is 2xx. */
import type { SandboxContext } from "./context.ts";

/** `headersOf` signs each attempt. Without a URL, events go nowhere. */
export function createPoster(
  context: SandboxContext,
  url: string | null,
  retryDelaysMs: readonly number[],
) {
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  context.closing.push(() => {
    isClosed = true;
  });

  async function send(
    body: string,
    headersOf: () => Record<string, string>,
    attempt: number,
  ): Promise<number | null> {
    if (!url) return null;
    const status = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json; charset=utf-8", ...headersOf() },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(10_000),
    }).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 0,
    );
    const delay = retryDelaysMs[attempt];
    const isTaken = status >= 200 && status < 300;
    if (!isTaken && delay !== undefined) {
      setTimeout(() => isClosed || void post(body, headersOf, attempt + 1), delay).unref();
    }
    return status;
  }

  /** Returns the status of the first answer: 0 without one, null if events go nowhere. */
  function post(body: string, headersOf: () => Record<string, string>, attempt = 0) {
    const sending = send(body, headersOf, attempt).finally(() => underWay.delete(sending));
    underWay.add(sending);
    return sending;
  }

  return {
    post,
    /** Resolves when no attempt is under way; does not wait for retries that are due later. */
    async settled(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
