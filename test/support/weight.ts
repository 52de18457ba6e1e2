/**
 * Measures what a visit to a page transfers: every request that Chromium makes for it, and the
 * compressed size of its body. Used by test/bench/browser/moves.ts and test/e2e/weight.spec.ts.
 */
import { gzipSync } from "node:zlib";
import type { CDPSession, Page } from "@playwright/test";

export type Kind = "html" | "css" | "script" | "picture" | "data";

/** A request of a visit, from Chromium's network log. */
export interface Fetched {
  url: string;
  kind: Kind;
  /** Whether it went to the app itself, not to Spotify's pictures, player or API. */
  ours: boolean;
  /** Whether it was served from the browser's cache without a request, which costs nothing. */
  cached: boolean;
  /**
   * The size of the decoded body after gzip at level 6, which does not depend on the server's own
   * compression. 0 if it came from the cache, also after a 304.
   */
  bytes: number;
}

const kinds: Record<string, Kind> = {
  Document: "html",
  Stylesheet: "css",
  Script: "script",
  Image: "picture",
};

/** A request of which not everything is known yet. */
interface Entry extends Fetched {
  unchanged: boolean;
  /** Its size in bytes. Null until all of it has come. */
  body: Promise<number | null> | null;
  /** Whether it was redirected, too: there is no body to wait for. */
  failed: boolean;
  /** Chromium keeps no body of what a page posts without reading the answer. */
  posted: boolean;
}

/**
 * Records everything that a page and its frames fetch during a visit, including redirects and
 * preflights, in order. The visit lasts until all that the page asked the app for has come, and it has
 * nothing more to do that would ask for more. What comes from elsewhere is not waited for: Spotify's
 * player keeps a request open for as long as it runs.
 * @throws Error if Chromium has no body of a page of ours, or of what belongs to it, because it would count
 *   as 0 bytes.
 */
export async function recordVisit(page: Page, visit: () => Promise<unknown>): Promise<Fetched[]> {
  const client = await page.context().newCDPSession(page);
  const entries: Entry[] = [];
  listen(client, entries);
  await client.send("Network.enable");
  await visit();
  const { origin } = new URL(page.url());
  await untilComplete(page, () => entries.filter(({ url }) => new URL(url).origin === origin));
  const fetched: Fetched[] = [];
  for (const { url, kind, cached, unchanged, body, failed, posted } of entries) {
    const ours = new URL(url).origin === origin;
    const free = cached || unchanged || failed;
    const bytes = free ? 0 : await body;
    if (ours && bytes === null && !posted) throw new Error(`no body of ${url}`);
    fetched.push({ url, kind, ours, cached, bytes: bytes ?? 0 });
  }
  await client.detach();
  return fetched;
}

/** Waits until none of these requests is under way and the page, which is idle, has begun no more of them. */
async function untilComplete(page: Page, requests: () => Entry[]): Promise<void> {
  const underWay = ({ body, failed }: Entry) => !(body || failed);
  let before = -1;
  while (requests().length > before || requests().some(underWay)) {
    before = requests().length;
    // A page that draws nothing new may never be told that it is idle.
    await page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 })),
    );
  }
}

function listen(client: CDPSession, entries: Entry[]): void {
  const current = new Map<string, Entry>();
  client.on("Network.requestWillBeSent", ({ requestId, request, type, redirectResponse }) => {
    if (!request.url.startsWith("http")) return;
    // A redirect has no body, and the request it leads to has the same id.
    const before = current.get(requestId);
    if (redirectResponse && before) before.failed = true;
    const kind = kinds[type ?? ""] ?? "data";
    const entry = { url: request.url, kind, ours: false, cached: false, bytes: 0 };
    const posted = request.method === "POST";
    current.set(requestId, { ...entry, unchanged: false, body: null, failed: false, posted });
    entries.push(current.get(requestId) as Entry);
  });
  client.on("Network.requestServedFromCache", ({ requestId }) => {
    update(requestId, { cached: true });
  });
  client.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.fromDiskCache) update(requestId, { cached: true });
    // For example the icon, whose request has no type.
    if (response.mimeType.startsWith("image/")) update(requestId, { kind: "picture" });
  });
  client.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode }) => {
    if (statusCode === 304) update(requestId, { unchanged: true, cached: false });
  });
  client.on("Network.loadingFinished", ({ requestId }) => {
    update(requestId, { body: compressedSize(client, requestId) });
  });
  client.on("Network.loadingFailed", ({ requestId }) => {
    update(requestId, { failed: true });
  });
  function update(requestId: string, news: Partial<Entry>) {
    Object.assign(current.get(requestId) ?? {}, news);
  }
}

/** Null if Chromium has no body, as for a preflight. */
async function compressedSize(client: CDPSession, requestId: string): Promise<number | null> {
  const kept = await client.send("Network.getResponseBody", { requestId }).catch(() => null);
  if (!kept) return null;
  const encoding = kept.base64Encoded ? "base64" : "utf8";
  return gzipSync(Buffer.from(kept.body, encoding)).byteLength;
}

/** The requests that went over the network to the app itself. */
export function fromUs(fetched: Fetched[]): Fetched[] {
  return fetched.filter(({ ours, cached }) => ours && !cached);
}

/** The total size of these kinds. */
export function bytesOf(fetched: Fetched[], ...wanted: Kind[]): number {
  return fetched.reduce((sum, { kind, bytes }) => sum + (wanted.includes(kind) ? bytes : 0), 0);
}
