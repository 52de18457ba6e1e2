/** A tab that was opened before a deployment, whose build is gone. */
import { expect, type Page } from "@playwright/test";
import { playerRuns } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { longSongs } from "./support/musician.ts";

/** Takes all scripts away that the page has not loaded yet, until it is loaded anew. */
async function deploy(page: Page): Promise<void> {
  const gone = { status: 404, body: "" };
  await page.route("**/build/**/*.js", (route) => route.fulfill(gone));
  page.on("request", (request) => {
    if (request.isNavigationRequest()) void page.unroute("**/build/**/*.js");
  });
}

test("a screen whose script is gone is loaded anew", async ({ page, musician, complaints }) => {
  complaints.expect(/status of 404 .*ratings-of-my-songs-\w+\.js/);
  complaints.expect(/Error loading route module/);
  complaints.expect(/Failed to fetch dynamically imported module/);
  await musician();
  await playerRuns(page);
  await deploy(page);
  const loaded = page.waitForEvent("load");
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await loaded;
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(page.getByRole("heading", { name: "Ratings of my songs" })).toBeVisible();
});

test("an offer whose script is gone has its page", async ({ page, musician, complaints }) => {
  complaints.expect(/status of 404 .*premium-offer-\w+\.js/);
  await musician({ offered: longSongs(5) });
  await playerRuns(page);
  await deploy(page);
  await page.getByRole("link", { name: "Upgrade to Premium" }).first().click();
  await expect(page).toHaveURL(/\/subscribe/);
  await expect(page.getByRole("button", { name: "Subscribe" })).toBeVisible();
});
