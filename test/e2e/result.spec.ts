import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { test } from "./support/fixtures.ts";
import type { MusicianOptions } from "./support/musician.ts";

const rated = {
  tier: "premium",
  own: [{ scores: [1, 3, 4, 2, 3] }, { scores: [4] }],
} satisfies MusicianOptions;

/** From the list to the page of the first song, and back. */
async function readResult(page: Page): Promise<void> {
  await page.goto("/ratings-of-my-songs");
  const panel = page.getByRole("group").first();
  if (!(await panel.getByRole("link", { name: /about/ }).isVisible())) {
    await panel.locator("summary").click();
  }
  const title = /"(.+)" - /.exec((await panel.locator("h2").textContent()) ?? "")?.[1] ?? "";
  await panel.getByRole("link", { name: `about "${title}"` }).click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole("heading", { name: "3 of 5 liked it." })).toBeVisible();
}

test("a song's page is reached from the list, and back leads to it", async ({ page, musician }) => {
  await musician(rated);
  await readResult(page);
  await expectAccessible(page);
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download as CSV" }).click();
  expect((await file).suggestedFilename()).toBe("fivefold-ratings.csv");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Ratings of my songs" })).toBeVisible();
});

test("going back leads to where one was: the same row open, at the same place", async ({
  page,
  musician,
}) => {
  await musician({ own: Array.from({ length: 12 }, () => ({ scores: [3] })) });
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto("/ratings-of-my-songs");
  const row = page.getByRole("group").nth(9);
  await row.locator("summary").click();
  const link = row.getByRole("link", { name: /about "/ });
  await link.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(0);
  await link.click();
  await expect(page.getByRole("heading", { name: "One of five is in." })).toBeVisible();
  await page.goBack();
  await expect(link).toBeInViewport();
  expect(await page.evaluate(() => window.scrollY)).toBe(place);
});

test("the first look at five ratings draws them, until something is pressed, and no other does", async ({
  page,
  musician,
}) => {
  await musician({ own: [{ scores: [1, 3, 4, 2, 3] }] });
  const mark = page.locator(".mark-row > g").first();
  const stroke = page.locator(".drawn .five-marks path").first();
  const verdict = page.getByRole("heading", { name: "All five are in." });
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/ratings-of-my-songs");
  // In the list they are there from the start.
  await expect(mark).toHaveCSS("animation-name", "none");
  await page.getByRole("link", { name: /about "/ }).press("Enter");
  await expect(stroke).toHaveCSS("animation-name", "stroke-drawn");
  // The words are there from the start.
  await expect(verdict).toHaveCSS("animation-name", "none");
  await expect(page).toHaveURL((url) => url.search === "");
  await page.keyboard.press("Shift");
  await expect(stroke).toHaveCount(0);
  await page.reload();
  await expect(verdict).toBeVisible();
  await expect(stroke).toHaveCount(0);
});
