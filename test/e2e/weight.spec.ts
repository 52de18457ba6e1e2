/**
 * What screens may cost on the wire (design section 7), by what Chromium fetches for them: at a
 * first visit with an empty cache, and at a second one. `test/bench/browser/weight.ts` prints the figures.
 */
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { bytesOf, type Fetched, fromUs, recordVisit } from "../support/weight.ts";
import { playerRuns } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";

const pageBudget = 14 * 1024;
const scriptBudget = 110 * 1024;
/** Requests to the product: a page, its styles, its icon, a logo, the picture for a missing cover. */
const fewRequests = 6;
/** With scripts, which the bundler cuts into a file for each set of routes that share something. */
const manyRequests = 36;

/** What has to happen on a page until it has fetched all that the visit is about. */
type Ready = (page: Page) => Promise<unknown>;

/** Two visits, each in a new tab: as of a browser that was never here, and as it comes again. */
async function visitTwice(
  context: BrowserContext,
  path: string,
  ready?: Ready,
): Promise<{ first: Fetched[]; second: Fetched[] }> {
  async function visit(page: Page) {
    const fetched = await recordVisit(page, async () => {
      await page.goto(path);
      await ready?.(page);
      await page.waitForLoadState("networkidle");
    });
    await page.close();
    return fetched;
  }
  const page = await context.newPage();
  await (await context.newCDPSession(page)).send("Network.clearBrowserCache");
  const first = await visit(page);
  return { first, second: await visit(await context.newPage()) };
}

function scriptsIn(fetched: Fetched[]): string[] {
  return fetched.filter(({ kind }) => kind === "script").map(({ url }) => url);
}

/** The paths of what went over the network to the product. */
function pathsIn(fetched: Fetched[]): string[] {
  return fromUs(fetched).map(({ url }) => {
    const { pathname, search } = new URL(url);
    return pathname + search;
  });
}

/** No script at all, little else, and nothing but the page itself a second time. */
async function expectLight(context: BrowserContext, path: string): Promise<void> {
  const { first, second } = await visitTwice(context, path);
  expect.soft(scriptsIn(first), `scripts of ${path}`).toEqual([]);
  const styles = bytesOf(fromUs(first), "css");
  expect.soft(styles, `styles of ${path}`).toBeGreaterThan(0);
  expect.soft(bytesOf(fromUs(first), "html"), `HTML of ${path}`).toBeGreaterThan(0);
  const page = bytesOf(fromUs(first), "html", "css");
  expect.soft(page, `HTML and CSS of ${path}`).toBeLessThan(pageBudget);
  expect.soft(pathsIn(first).length, `requests of ${path}`).toBeLessThanOrEqual(fewRequests);
  expect.soft(pathsIn(second), `${path} again`).toEqual([path]);
}

test("weight: the landing page", async ({ context }) => {
  await expectLight(context, "/");
});

/** Its scripts keep the budget, and come from the cache the second time, as does all but its data. */
async function expectScripted(context: BrowserContext, path: string, ready?: Ready): Promise<void> {
  const visits = await visitTwice(context, path, ready);
  const first = fromUs(visits.first);
  const scripts = bytesOf(first, "script");
  expect.soft(scripts, `scripts of ${path}`).toBeGreaterThan(0);
  expect.soft(scripts, `scripts of ${path}`).toBeLessThan(scriptBudget);
  console.log(
    path,
    first.length,
    first.map((f) => f.kind + " " + f.url.replace(/^http:..[^/]*/, "")),
  );
  expect.soft(first.length, `requests of ${path}`).toBeLessThanOrEqual(manyRequests);
  const still = fromUs(visits.second).filter(({ kind }) => kind !== "html" && kind !== "data");
  expect.soft(still, `${path} again`).toEqual([]);
}

test("weight: ratings and account", async ({ context, musician }) => {
  await musician();
  await expectScripted(context, "/ratings-of-my-songs");
  await expectScripted(context, "/account");
});

test("weight: the carousel, from an empty cache until a song plays", async ({
  context,
  musician,
}) => {
  await musician();
  await expectScripted(context, "/", async (page) => {
    const runs = page.waitForResponse("**/sdk/events?*");
    await playerRuns(page);
    await runs;
    await page.getByRole("button", { name: "PLAY SONG" }).first().click();
    await expect(page.getByRole("timer")).toBeVisible();
  });
});
