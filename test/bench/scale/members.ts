/** Logs in and subscribes in a browser, by using the product's own pages. */
import type { BrowserContext, Page } from "@playwright/test";
import type { ServedProduct } from "../served-product.ts";

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
