/**
 * `npm run bench -- moves`: the longest task while one moves between the pages of a member and a song
 * plays, on a slow phone: the same tour twice in one document. Exits with 1 if the median of a move
 * has a long task, which could make the song stutter. The figures depend on the machine.
 */
import type { Locator, Page } from "@playwright/test";
import { budgets } from "../../support/budgets.ts";
import { median, printTable } from "../tables.ts";
import { openPhone, openTab, type Visited, withBrowser } from "./visitors.ts";

const rounds = 5;
/** How long the page rests before and after a tap. */
const settleMs = 500;

/** What is tapped in turn; the last of them leads to the next page. */
const moves: Record<string, ((page: Page) => Locator)[]> = {
  "carousel → ratings": [
    (page) => page.getByRole("button", { name: "Menu" }),
    (page) => page.getByRole("navigation", { name: "Main" }).getByText("Ratings of my songs"),
  ],
  "→ a song": [
    (page) => page.locator("summary").first(),
    (page) =>
      page
        .locator("details")
        .first()
        .getByRole("link", { name: /about "/ }),
  ],
  "→ account": [(page) => page.getByRole("link", { name: /your account/ })],
  "→ carousel": [(page) => page.getByRole("link", { name: "Fivefold", exact: true })],
};
const tour = [...Object.entries(moves), ...Object.entries(moves)];

await withBrowser(async (visited) => {
  const longest = tour.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, ms] of (await tasksOfTour(visited)).entries()) longest[index]?.push(ms);
  }
  const medians = longest.map(median);
  if (medians.some((ms) => ms >= budgets.longTaskMs)) process.exitCode = 1;
  const rows = tour.map(([name], n) => [name, medians[n] || `under ${budgets.longTaskMs}`]);
  printTable([`medians of ${rounds}`, "longest task ms"], rows);
});

/** Plays a song in the carousel and makes all moves. @returns the longest task of each, 0 for none. */
async function tasksOfTour({ browser, origin, loginOf }: Visited): Promise<number[]> {
  const context = await openPhone(browser, await loginOf("Dana Free"));
  await context.addInitScript(() => {
    new PerformanceObserver((list) => {
      const tasks = list.getEntries().map(({ duration }) => Math.round(duration));
      Reflect.set(window, "longest", Math.max(Reflect.get(window, "longest") ?? 0, ...tasks));
    }).observe({ type: "longtask" });
  });
  const page = await openTab(context);
  await page.goto(origin, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "PLAY SONG" }).first().tap();
  await page.getByRole("timer").first().waitFor({ timeout: 60_000 });
  const longest: number[] = [];
  for (const [, taps] of tour) {
    let most = 0;
    for (const find of taps) most = Math.max(most, await tap(page, find(page)));
    longest.push(most);
  }
  await context.close();
  return longest;
}

/**
 * While tasks are noted, nothing looks for elements: that would force layouts of its own, and at this
 * slowness be long tasks itself. So a tap goes to a place that was found before.
 */
async function tap(page: Page, target: Locator): Promise<number> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} is not on the screen.`);
  await page.waitForTimeout(settleMs);
  await page.evaluate(() => Reflect.set(window, "longest", 0));
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForTimeout(settleMs);
  await page.waitForLoadState("networkidle");
  return page.evaluate(() => Reflect.get(window, "longest"));
}
