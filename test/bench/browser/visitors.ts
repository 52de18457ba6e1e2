/** A browser beside the served product, logins in it, and a slow phone. */
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { findBrowser } from "../../support/browser.ts";
import { type ServedProduct, withProduct } from "../served-product.ts";

export type Login = Awaited<ReturnType<BrowserContext["storageState"]>>;

export interface Visited extends ServedProduct {
  browser: Browser;
  /** Logs in once for each name. */
  loginOf(displayName: string): Promise<Login>;
}

/** @throws Error if no browser is installed. */
export function browserPath(): string {
  const path = findBrowser();
  if (!path) throw new Error("No Chromium: run `npm run test:browser` first.");
  return path;
}

/** Serves the product and opens a browser for the duration of a measurement. */
export async function withBrowser(measure: (visited: Visited) => Promise<void>): Promise<void> {
  const executablePath = browserPath();
  await withProduct(async (product) => {
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    const logins = new Map<string, Login>();
    async function loginOf(name: string): Promise<Login> {
      const context = await browser.newContext();
      const login = logins.get(name) ?? (await stateOf(await logIn(context, product, name)));
      logins.set(name, login);
      await context.close();
      return login;
    }
    await measure({ ...product, browser, loginOf }).finally(() => browser.close());
  });
}

function stateOf(page: Page): Promise<Login> {
  return page.context().storageState();
}

/** Logs in through the landing page and the stand-in's consent page. @returns the page, at the carousel. */
export async function logIn(
  browser: BrowserContext,
  { origin }: ServedProduct,
  displayName: string,
): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(origin);
  await page.getByRole("button", { name: "Log in with Spotify Premium" }).click();
  await page.getByRole("radio", { name: displayName }).check();
  await page.getByRole("button", { name: "Agree" }).click();
  await page.waitForURL(`${origin}/`);
  return page;
}

/** Logs in and buys premium. @returns the path that the checkout ends at. */
export async function subscribe(
  browser: BrowserContext,
  product: ServedProduct,
  displayName: string,
): Promise<string> {
  const page = await logIn(browser, product, displayName);
  await page.goto(`${product.origin}/subscribe`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await page.waitForURL("**/subscription-success?*");
  const { pathname, search } = new URL(page.url());
  await page.close();
  return pathname + search;
}

/** A mid-range phone on slow 4G, with the figures of Lighthouse's mobile preset. */
const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  // The server takes the headless browser's own User-Agent for a crawler's.
  userAgent:
    "Mozilla/5.0 (Linux; Android 14; Phone) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
};

export function openPhone(browser: Browser, login?: Login, more = {}): Promise<BrowserContext> {
  return browser.newContext({ ...phone, ...(login ? { storageState: login } : {}), ...more });
}

/** Limits a page's line. */
export async function slowLine(page: Page, latency: number, down: number, up: number) {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.emulateNetworkConditions", {
    ...{ offline: false, latency, downloadThroughput: down / 8, uploadThroughput: up / 8 },
  });
  return client;
}

/** A new tab of the phone: its line is slow, and its processor four times slower than this one. */
export async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const client = await slowLine(page, 150, 1_638_400, 750_000);
  await client.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  return page;
}
