/** A song plays on while the member moves between screens; what ends it asks first. */
import { expect, type Page } from "@playwright/test";
import { heardTo, play, songAt, statusLine, unlocked } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";

/** Moves by a link, and sees that the document stays the same. */
async function follow(page: Page, name: string, heading: string): Promise<void> {
  await page.evaluate(() => document.body.setAttribute("data-same", ""));
  await page.getByRole("link", { name, exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  await expect(page.locator("body[data-same]")).toHaveCount(1);
}

test("a song plays on through all screens, and is unlocked there", async ({ page, loginAs }) => {
  await loginAs("Ansgar Wiesenthau");
  const song = await songAt(page);
  await play(page, song);
  await heardTo(page, 1);
  await follow(page, "Ratings of my songs", "Ratings of my songs");
  await expect(page).toHaveTitle("Ratings of my songs - Fivefold");
  await follow(page, "FAQ", "FAQ");
  await follow(page, "Imprint", "Imprint");
  await expect(statusLine(page)).toHaveText("Playing...");
  await unlocked(page);
  await follow(page, "Carousel", "PLAY and RATE");
  await expect(song.box.getByRole("radio").first()).toBeEnabled();
});
