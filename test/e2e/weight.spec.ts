/**
 * What screens may cost on the wire (test/bench/README.md, "Aims"), by what Chromium fetches for them at
 * a first visit with an empty cache, and at a second one.
 */
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { budgets } from "../support/budgets.ts";
import { bytesOf, type Fetched, fromUs, recordVisit } from "../support/weight.ts";
import { playerRuns } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";

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
    });
    await page.close();
    return fetched;
  }
  const page = await context.newPage();
  await (await context.newCDPSession(page)).send("Network.clearBrowserCache");
  const first = await visit(page);
  return { first, second: await visit(await context.newPage()) };
}

/** A first visit of a page that has no scripts. */
function expectPlain(first: Fetched[], most = budgets.page): void {
  expect.soft(bytesOf(fromUs(first), "css")).toBeGreaterThan(0);
  expect.soft(bytesOf(fromUs(first), "html", "css")).toBeLessThanOrEqual(most);
  expect.soft(bytesOf(fromUs(first), "script")).toBe(0);
  expect.soft(fromUs(first).length).toBeLessThanOrEqual(budgets.requests);
}

test("weight: the landing page, and again", async ({ context }) => {
  const { first, second } = await visitTwice(context, "/");
  expectPlain(first, budgets.landingPage);
  expect.soft(fromUs(second).map(({ kind }) => kind)).toEqual(["html"]);
});

/** Its scripts keep the budget, and come from the cache the second time, as does all but its data. */
async function expectScripted(
  context: BrowserContext,
  path: string,
  ready?: Ready,
  most = budgets.scripts,
): Promise<void> {
  const visits = await visitTwice(context, path, ready);
  const first = fromUs(visits.first);
  const scripts = bytesOf(first, "script");
  expect.soft(scripts, `scripts of ${path}`).toBeGreaterThan(0);
  expect.soft(scripts, `scripts of ${path}`).toBeLessThan(most);
  // What a page is made of. How often it reads its data meanwhile depends on how long the visit takes.
  const parts = new Set(first.filter(({ kind }) => kind !== "data").map(({ url }) => url));
  expect.soft([...parts].length, `parts of ${path}`).toBeLessThanOrEqual(budgets.parts);
  const still = fromUs(visits.second).filter(({ kind }) => kind !== "html" && kind !== "data");
  expect.soft(still, `${path} again`).toEqual([]);
}

test("weight: ratings, songs rated and account", async ({ context, musician }) => {
  await musician({ own: [{ scores: [1, 2, 3] }, {}], rated: [1, 2] });
  await expectScripted(context, "/ratings-of-my-songs");
  await expectScripted(context, "/rated");
  await expectScripted(context, "/account");
});

test("weight: the page that dares to cheat", async ({ context }) => {
  await expectScripted(context, "/try");
});

test("weight: adding a song, and the songs found, which need no script", async ({
  context,
  musician,
}) => {
  await musician({ credits: 6 });
  await expectScripted(context, "/?menu=addownsong", undefined, budgets.addSong);
  const { first, second } = await visitTwice(context, "/?menu=addownsong&q=Mara", (page) =>
    expect(page.getByRole("link", { name: "Submit this song!" }).first()).toBeVisible(),
  );
  expectPlain(first);
  expect.soft(fromUs(second).map(({ kind }) => kind)).toEqual(["html"]);
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
