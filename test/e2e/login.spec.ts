import { expect } from "@playwright/test";
import { consentAs, test } from "./support/fixtures.ts";
import { makeMusician } from "./support/musician.ts";

test("a denied consent leads back to the login, which says that nothing was stored", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Log in with Spotify Premium" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("You chose not to log in, so nothing was stored.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Log in with Spotify Premium" })).toBeVisible();
});

test("somebody who is not on the app's list is told so", async ({ page, complaints }) => {
  complaints.expect(/status of 403/);
  complaints.expectOfServer(/login_failed.*User not registered/);
  await page.goto("/");
  await consentAs(await makeMusician({ known: false, listed: false }), page);
  const heading = page.getByRole("heading", { name: "Spotify does not let you in yet" });
  await expect(heading).toBeVisible();
  const mail = page.getByRole("link", { name: "Write to us" });
  await expect(mail).toHaveAttribute("href", /^mailto:.+@.+subject=/);
});

test("a callback that no login of this browser began offers another login", async ({
  page,
  complaints,
}) => {
  complaints.expect(/status of 400/);
  await page.goto("/auth/spotify/callback?code=stale&state=stale");
  await expect(page.getByRole("heading", { name: "This login has expired" })).toBeVisible();
  await consentAs(await makeMusician({ known: false }), page);
  await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
});

test("a callback cannot be used twice", async ({ page, complaints }) => {
  complaints.expect(/status of 400/);
  const callback = page.waitForRequest(/auth\/spotify\/callback/);
  await page.goto("/");
  await consentAs(await makeMusician(), page);
  const address = (await callback).url();
  await page.goto(address);
  await expect(page.getByText("You are still logged in as before")).toBeVisible();
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
