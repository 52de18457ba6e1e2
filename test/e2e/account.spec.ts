import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { hear, rate, songAt } from "./support/carousel.ts";
import { consentAs, test } from "./support/fixtures.ts";

/** Downloads the account's data. */
async function download(page: Page): Promise<Record<string, unknown>> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download my data" }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe("fivefold-account.json");
  return JSON.parse(readFileSync(await file.path(), "utf8")) as Record<string, unknown>;
}

async function deleteAccount(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Delete my account" }).click();
  await expect(page.getByRole("button", { name: "Delete my account" })).toBeVisible({
    timeout: 1000,
  });
  await page.getByRole("button", { name: "Delete my account" }).click();
  // Nothing happens unless it is meant.
  await expect(page.getByRole("checkbox", { name: /I want my account/ })).toBeFocused();
  await page.getByRole("checkbox", { name: /I want my account/ }).check();
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByText("Your account is deleted.")).toBeVisible();
}

test("one's data can be taken along, and deleted for good", async ({
  page,
  loginAs,
  anotherBrowser,
}) => {
  test.setTimeout(90_000);
  const name = "Giulia Pampaloni";
  await loginAs(name);
  const song = await songAt(page);
  await hear(page, song);
  await rate(page, song, "Great Song");
  await page.goto("/account");
  await expectAccessible(page);
  expect(await download(page)).toMatchObject({
    person: { displayName: name },
    ratingsGiven: [{ songId: song.songId, label: "Great Song" }],
  });

  const elsewhere = await anotherBrowser();
  await loginAs(name, elsewhere);
  await deleteAccount(page);
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Log in with Spotify Premium" })).toBeVisible();
  await elsewhere.goto("/account");
  await expect(elsewhere.getByText("Please login to get started.")).toBeVisible();

  await loginAs(name);
  await page.goto("/account");
  expect(await download(page)).toMatchObject({ person: { ratedCount: 0 }, ratingsGiven: [] });
});

test("logging out everywhere ends the session on the other device too", async ({
  page,
  loginAs,
  anotherBrowser,
}) => {
  const name = "Henrike Sandvoss";
  const phone = await anotherBrowser();
  await loginAs(name, phone);
  await loginAs(name);
  await page.goto("/account");
  const sessions = page.getByRole("listitem").filter({ hasText: /Chrome on / });
  await expect(sessions).toHaveCount(2);
  await expect(sessions.filter({ hasText: "This one" })).toHaveCount(1);
  await page.getByRole("button", { name: "Log out everywhere" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("button", { name: "Log in with Spotify Premium" })).toBeVisible();
  await phone.goto("/ratings-of-my-songs");
  await expect(phone.getByText("Please login to get started.")).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the account can be taken along and deleted all the same", async ({ page }) => {
    await page.goto("/account");
    await consentAs("Ingvild Tronstad", page);
    await page.waitForURL("/account");
    expect(await download(page)).toMatchObject({ person: { displayName: "Ingvild Tronstad" } });
    await deleteAccount(page);
  });
});
