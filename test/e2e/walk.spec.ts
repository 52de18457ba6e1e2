import { expect } from "@playwright/test";
import { choose, playerRuns } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";

const runs = [
  { how: "on a phone", javaScriptEnabled: true, width: 390 },
  { how: "without JavaScript", javaScriptEnabled: false, width: 1280 },
];

for (const { how, javaScriptEnabled, width } of runs) {
  test.describe(how, () => {
    test.use({ javaScriptEnabled, viewport: { width, height: 844 } });

    test(`${how}: from a song to its album and its artist, and back, and one is submitted`, async ({
      page,
      musician,
    }) => {
      const { displayName: name } = await musician({ songs: 4, credits: 6 });
      // Before its scripts run, a link leads to a new document, which focuses nothing.
      if (javaScriptEnabled) await playerRuns(page);
      await page.getByRole("link", { name: "Upload Your Song" }).click();
      // A phone shows one way at a time, the upload first.
      if (width < 768) await page.getByRole("radio", { name: "Find it on Spotify" }).check();
      await page.getByRole("searchbox", { name: "Song or artist" }).fill(name);
      await page.getByRole("button", { name: "SEARCH" }).click();
      await page.waitForURL(/[?&]q=/);
      const first = page.getByRole("listitem").filter({ hasText: name }).first();
      const title = await first.locator(".song-title bdi").innerText();
      const album = await first.locator("a[href*='album=']").innerText();

      await first.getByRole("link", { name: album, exact: true }).click();
      const heading = page.getByRole("heading", { level: 1, name: album, exact: true });
      await expect(heading).toBeVisible();
      if (javaScriptEnabled) await expect(heading).toBeFocused();

      await page.getByRole("link", { name, exact: true }).first().click();
      await expect(page.getByRole("heading", { level: 1, name: `Songs by ${name}` })).toBeVisible();
      await page.goBack();
      await expect(heading).toBeVisible();
      await page.getByRole("link", { name: "Back to the search results" }).first().click();
      await expect(page.getByRole("searchbox", { name: "Song or artist" })).toHaveValue(name);
      await page.goBack();

      const row = page.getByRole("listitem").filter({ hasText: title }).first();
      await choose(row, title);
      await page.getByRole("button", { name: "Submit your song" }).click();
      await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
    });
  });
}
