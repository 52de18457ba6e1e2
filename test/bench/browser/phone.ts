import type { Browser, BrowserContext, CDPSession, Page } from "@playwright/test";

/** A mid-range phone on slow 4G, with the figures of Lighthouse's mobile preset. */
const latencyMs = 150;
const downKbits = 1638.4;
const upKbits = 750;
const slowdown = 4;
const viewport = { width: 412, height: 823 };
const pixelRatio = 1.75;

/** The profile in words, for the heading of a table. */
export const phoneProfile = [
  `${viewport.width} × ${viewport.height} at ${pixelRatio} pixels a point, touch;`,
  `processor slowed ${slowdown} times (CDP Emulation.setCPUThrottlingRate);`,
  `each request ${latencyMs} ms of latency, all together ${downKbits} kbit/s down and ${upKbits}`,
  "kbit/s up (CDP Network.emulateNetworkConditions: opening a connection takes no time of its own,",
  "which on a real network would be three more round trips for each host).",
].join(" ");

/** The saved state of a login. */
export type Login = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** A phone's browser with an empty cache, and with a login if one is given. */
export function openPhone(browser: Browser, login?: Login): Promise<BrowserContext> {
  return browser.newContext({
    viewport,
    deviceScaleFactor: pixelRatio,
    isMobile: true,
    hasTouch: true,
    // The server takes the headless browser's own User-Agent for a crawler's.
    userAgent:
      "Mozilla/5.0 (Linux; Android 14; Phone) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
    ...(login ? { storageState: login } : {}),
  });
}

/** A new tab with the slowness of the profile. */
export async function openTab(
  context: BrowserContext,
): Promise<{ page: Page; client: CDPSession }> {
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: latencyMs,
    downloadThroughput: (downKbits * 1000) / 8,
    uploadThroughput: (upKbits * 1000) / 8,
  });
  await client.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  return { page, client };
}
