/**
 * What a visit to a page costs on the wire: every request that Chromium makes for it, and what its
 * body weighs compressed. Shared by test/bench/browser/weight.ts and test/e2e/weight.spec.ts.
 */
import { gzipSync } from "node:zlib";
import type { CDPSession, Page } from "@playwright/test";

export type Kind = "html" | "css" | "script" | "picture" | "data";

/** One request of a visit, as Chromium's network log tells it. */
export interface Fetched {
  url: string;
  kind: Kind;
  /** Whether it went to the product itself, not to Spotify's pictures, player or API. */
  ours: boolean;
  /** Answered from the browser's cache without asking anybody: costs nothing. */
  cached: boolean;
  /**
   * The body by gzip, level 6, of what the browser decoded: the same number whatever the server
   * compresses with. 0 where the cache had it, or the server said that it still had (304).
   */
  bytes: number;
}

const kinds: Record<string, Kind> = {
  Document: "html",
  Stylesheet: "css",
  Script: "script",
  Image: "picture",
};

/** A request until all of it is known. */
interface Entry extends Fetched {
  unchanged: boolean;
  body: Promise<number | null> | null;
  failed: boolean;
}

/**
 * Records all that a page and its frames fetch during a visit, redirects and preflights included,
 * in the order of asking.
 * @throws Error where a body of ours did not arrive within the visit: it would weigh nothing.
 */
export async function recordVisit(page: Page, visit: () => Promise<unknown>): Promise<Fetched[]> {
  const client = await page.context().newCDPSession(page);
  const entries: Entry[] = [];
  listen(client, entries);
  await client.send("Network.enable");
  await visit();
  const origin = new URL(page.url()).origin;
  const fetched: Fetched[] = [];
  for (const { url, kind, cached, unchanged, body, failed } of entries) {
    const ours = new URL(url).origin === origin;
    const free = cached || unchanged || failed;
    const bytes = free ? 0 : await body;
    if (ours && bytes === null) throw new Error(`no body of ${url}`);
    fetched.push({ url, kind, ours, cached, bytes: bytes ?? 0 });
  }
  await client.detach();
  return fetched;
}

function listen(client: CDPSession, entries: Entry[]): void {
  const current = new Map<string, Entry>();
  client.on("Network.requestWillBeSent", ({ requestId, request, type, redirectResponse }) => {
    if (!request.url.startsWith("http")) return;
    // The same id goes on to where a redirect leads; it has no body of its own.
    const before = current.get(requestId);
    if (redirectResponse && before) before.failed = true;
    const kind = kinds[type ?? ""] ?? "data";
    const entry = { url: request.url, kind, ours: false, cached: false, bytes: 0 };
    current.set(requestId, { ...entry, unchanged: false, body: null, failed: false });
    entries.push(current.get(requestId) as Entry);
  });
  client.on("Network.requestServedFromCache", ({ requestId }) => {
    update(requestId, { cached: true });
  });
  client.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.fromDiskCache) update(requestId, { cached: true });
    // Such as the icon, whose request names no type.
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

/** Null where Chromium keeps no body, as of a preflight. */
async function compressedSize(client: CDPSession, requestId: string): Promise<number | null> {
  const kept = await client.send("Network.getResponseBody", { requestId }).catch(() => null);
  if (!kept) return null;
  const encoding = kept.base64Encoded ? "base64" : "utf8";
  return gzipSync(Buffer.from(kept.body, encoding)).byteLength;
}

/** What went over the network to the product itself. */
export function fromUs(fetched: Fetched[]): Fetched[] {
  return fetched.filter(({ ours, cached }) => ours && !cached);
}

/** The bytes of some kinds together. */
export function bytesOf(fetched: Fetched[], ...wanted: Kind[]): number {
  return fetched.reduce((sum, { kind, bytes }) => sum + (wanted.includes(kind) ? bytes : 0), 0);
}
