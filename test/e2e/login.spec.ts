import { expect } from "@playwright/test";
import { test } from "./support/fixtures.ts";

test("a denied consent leads back to the login, which says that nothing was stored", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Log in with Spotify Premium" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("You chose not to log in, so nothing was stored.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Log in with Spotify Premium" })).toBeVisible();
});

test("after the logout the back button shows nothing private", async ({ page, musician }) => {
  const { displayName } = await musician();
  await page.goto("/ratings-of-my-songs");
  await expect(page.getByText(displayName).first()).toBeVisible();
  await page.evaluate(() => localStorage.setItem("left", "behind"));
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("button", { name: "Log in with Spotify Premium" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name)).not.toContain("__Host-session");

  await page.goBack();
  await page.reload();
  await expect(page.getByText("Please login to get started.")).toBeVisible();
  await expect(page.getByText(displayName)).toHaveCount(0);
  const player = await page.request.get("/player/token");
  expect(player.status()).toBe(401);
});
