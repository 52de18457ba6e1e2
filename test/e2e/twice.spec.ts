import { expect } from "@playwright/test";
import { hear, ownSongStillOwed, ratedSongs, songAt, submit } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";

test("two presses on the ratings rate once", async ({ page, loginAs }) => {
  await loginAs("Ilse Kornblatt");
  const before = await ratedSongs(page);
  await page.goto("/");
  const song = await songAt(page);
  await hear(page, song);
  // A second choice while the first is on its way changes nothing either.
  await song.box.getByRole("radio").evaluateAll((radios: HTMLInputElement[]) => {
    for (const at of [2, 2, 0]) radios[at]?.click();
  });
  await expect(page.getByText("Song successfully rated with: Great Song").first()).toBeVisible();
  await expect(page.getByRole("alert")).toBeHidden();
  expect(await ratedSongs(page)).toBe(before + 1);
});

test("a double click on a song to submit adds it once", async ({ page, loginAs }) => {
  // Has rated enough for two.
  await loginAs("Ayla Demirkan");
  const before = await ratedSongs(page);
  const { title, entitled } = await ownSongStillOwed(page);
  await submit(page, title, "dblclick");
  await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
  await page.getByRole("link", { name: "Stay here" }).press("Enter");
  // By the script, or by the link if the script has not come yet.
  await expect(page.getByRole("link", { name: "Stay here" })).toBeHidden();
  await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
  expect(await ratedSongs(page)).toBe(before - 6);
  await page.goto("/ratings-of-my-songs");
  await expect(page.getByText(`"${title}" - Entitled for ${entitled + 5} Ratings`)).toBeVisible();
});
