import { expect } from "@playwright/test";
import { ratedSongs, submit } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";

test("a double click on a song to submit adds it once", async ({ page, musician }) => {
  // Has rated enough for two.
  const { songs } = await musician({ credits: 12, songs: 1 });
  const title = songs[0]?.name ?? "";
  await submit(page, title, "dblclick");
  await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
  await page.getByRole("link", { name: "Stay here" }).press("Enter");
  // By the script, or by the link if the script has not come yet.
  await expect(page.getByRole("link", { name: "Stay here" })).toBeHidden();
  await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
  expect(await ratedSongs(page)).toBe(6);
  await page.goto("/ratings-of-my-songs");
  await expect(page.getByText(`"${title}" - Entitled for 5 Ratings`)).toBeVisible();
});

test("the confirmation of a song leads back by itself, whatever the pointer does, unless a key is pressed", async ({
  page,
  musician,
}) => {
  const { songs } = await musician({ credits: 12, songs: 2 });
  const [first, second] = songs;
  await submit(page, first?.name ?? "");
  const stay = page.getByRole("link", { name: "Stay here" });
  await stay.hover();
  await page.mouse.move(20, 20);
  await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();

  await submit(page, second?.name ?? "");
  // The first presses may come before the script.
  await expect(async () => {
    await page.keyboard.press("Shift");
    await expect(page.getByText("Staying on this page.")).toBeVisible({ timeout: 200 });
  }).toPass();
  await expect(stay).toHaveCount(0);
});
