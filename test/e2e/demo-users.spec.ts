import { expect } from "@playwright/test";
import { songsToRate } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";

test("premium: all ratings, the crown, four songs at a time", async ({ page, loginAs }) => {
  await loginAs("Perry Premium");
  const badge = page.getByRole("banner").locator(".badge");
  await expect(badge).toHaveText("Premium");
  await expect(badge.locator("svg")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(4);
  await expect(songsToRate(page, 2)).toBeVisible();

  await page.goto("/ratings-of-my-songs");
  const full = page.getByRole("group").filter({ hasText: "It already received 7 ratings:" });
  await expect(full.first().locator("time")).toHaveCount(7);
  await expect(page.getByText("Only premium users can see all ratings")).toHaveCount(0);
});

test("past due: premium, with a warning on every page", async ({ page, loginAs }) => {
  await loginAs("Pat Pastdue");
  const warning =
    "Your payment is past due. Please update your payment method to continue enjoying premium features.";
  await expect(page.getByRole("banner").locator(".badge")).toHaveText("Premium");
  for (const address of ["/", "/ratings-of-my-songs", "/faq"]) {
    await page.goto(address);
    await expect(page.getByRole("alert")).toHaveText(warning);
  }
});

test("without Spotify Premium the carousel says so at once, and the player when asked to play", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/status of 403.*sdk\/connect/);
  await loginAs("Nils Nopremium");
  const sentence = /Songs play here only with Spotify Premium\./;
  await expect(page.getByRole("main").getByRole("alert").first()).toHaveText(sentence);
  const player = page.locator(".player");
  await player.waitFor({ state: "attached" });
  await page.getByRole("button", { name: "PLAY SONG" }).first().click();
  await expect(player.getByText(sentence)).toBeVisible();
});
