/** Measures what a visit to a page transfers, for test/bench/browser/weight.ts and test/e2e/weight.spec.ts. */
import { gzipSync } from "node:zlib";
import type { CDPSession, Page } from "@playwright/test";

export type Kind = "html" | "css" | "script" | "picture" | "data";

export interface Fetched {
  url: string;
  kind: Kind;
  /** Whether it went to the app itself, not to Spotify's pictures, player or API. */
  ours: boolean;
  cached: boolean;
  /** After gzip at level 6, whatever the server does; 0 if it came from the cache. */
  bytes: number;
}

const kinds: Record<string, Kind> = {
  Document: "html",
  Stylesheet: "css",
  Script: "script",
  Image: "picture",
};

/** A request that is under way. */
interface Entry extends Fetched {
  unchanged: boolean;
  body: Promise<number | null> | null;
  /** Whether it was redirected, too: there is no body to wait for. */
  failed: boolean;
  /** Chromium keeps no body of what a page posts without reading the answer. */
  posted: boolean;
}

/**
 * Records everything that a page and its frames fetch. The visit lasts until all that was asked of the app has
 * come and the page is idle; Spotify's player is not waited for. Throws if Chromium has no body of ours.
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

/** Waits until none of these is under way and the idle page has begun no more. */
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

/** But for icons, which some browsers ask for, whenever they like. */
export function fromUs(fetched: Fetched[]): Fetched[] {
  return fetched.filter(
    ({ ours, cached, url }) => ours && !cached && !new URL(url).pathname.startsWith("/favicon."),
  );
}

export function bytesOf(fetched: Fetched[], ...wanted: Kind[]): number {
  return fetched.reduce((sum, { kind, bytes }) => sum + (wanted.includes(kind) ? bytes : 0), 0);
}
