import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { openAccount } from "./support/account.ts";
import { comeBack, rate, songAt } from "./support/carousel.ts";
import { agreeAs, test } from "./support/fixtures.ts";
import { ageLogins } from "./support/logins.ts";
import { type Musician, makeMusician } from "./support/musician.ts";

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

/** Logs in on a phone too, and ends that login from here. */
async function endPhoneLogin(member: Musician, { page, phone, loginAs }: Devices): Promise<void> {
  await loginAs(member, phone);
  await loginAs(member);
  await openAccount(page, "Where you are logged in");
  const there = page.getByRole("listitem").filter({ hasText: "Active" });
  await expect(there).toHaveCount(2);
  const other = there.filter({ hasNotText: "This one" });
  await expectAccessible(page);
  await other.getByRole("button", { name: /^Log out/ }).click();
  await expect(page.getByText("That login has ended.")).toBeVisible();
  await expect(there).toHaveCount(1);
  await phone.goto("/ratings-of-my-songs");
  await expect(phone.getByText("Please login to get started.")).toBeVisible();
}

interface Devices {
  page: Page;
  phone: Page;
  loginAs(musician: Musician, page?: Page): Promise<void>;
}

/**
 * With a login of some hours ago, changes the address and then deletes the account: each leads through
 * Spotify's consent page first.
 */
async function actAfterHours(member: Musician, page: Page): Promise<void> {
  const address = `${member.id}@own-mail.example`;
  await ageLogins(member);
  await openAccount(page, "Your address");
  await page.getByLabel(/address$/).fill(address);
  await page.getByRole("button", { name: "Send me a confirmation link" }).click();
  await agreeAs(member, page);
  await expect(page.getByText("press the button once more")).toBeVisible();
  await expect(page.getByLabel(/address$/)).toHaveValue(address);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send me a confirmation link" }).click();
  await expect(page.getByText(`We have sent a link to ${address}.`)).toBeVisible();

  await ageLogins(member);
  await page.getByRole("heading", { name: "Delete my account" }).click();
  await page.getByRole("checkbox", { name: /I want my account/ }).check();
  await page.getByRole("button", { name: "Delete my account" }).click();
  await agreeAs(member, page);
  await expect(page.getByText("press the button once more")).toBeInViewport();
  await expectAccessible(page);
  await page.getByRole("checkbox", { name: /I want my account/ }).check();
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByText("Your account is deleted.")).toBeVisible();
}

test("one's data can be taken along, and deleted for good", async ({
  page,
  musician,
  loginAs,
  complaints,
}) => {
  // What needs a recent login is refused, and then leads there.
  complaints.expect(/status of 401 .*account\/email/);
  const member = await musician({ heard: 1 });
  const song = await songAt(page);
  await rate(page, song, "Great Song");
  await openAccount(page, "Your data");
  await expectAccessible(page);
  expect(await download(page)).toMatchObject({
    person: { displayName: member.displayName },
    ratingsGiven: [{ songId: song.songId, label: "Great Song" }],
  });

  await deleteAccount(page);
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Log in with Spotify Premium" })).toBeVisible();
  await loginAs(member);
  await actAfterHours(member, page);
});

test("where another tab has logged somebody else in, the account is theirs once it is shown again", async ({
  page,
  musician,
  loginAs,
}) => {
  const { displayName } = await musician();
  await page.goto("/account");
  await expect(page.getByRole("banner").getByText(displayName)).toBeVisible();
  const tab = await page.context().newPage();
  const other = await makeMusician();
  await loginAs(other, tab);
  await tab.close();
  // The first return may come before the script.
  await expect(async () => {
    await comeBack(page);
    await expect(page.getByRole("banner").getByText(other.displayName)).toBeVisible({
      timeout: 1000,
    });
  }).toPass();
});

/** On a phone, has new ratings mailed once all five are in. */
async function chooseAllFive(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAccount(page, "E-mails");
  const allFive = page.getByRole("radio", { name: /^Once all five/ });
  await expect(page.getByRole("radio", { name: /^After each rating/ })).toBeChecked();
  await allFive.check();
  await expect(page.getByText("Saved.")).toBeVisible();
  await openAccount(page, "E-mails");
  await expect(allFive).toBeChecked();
}

test("a login is ended from another one, and all of them at once", async ({
  page,
  loginAs,
  anotherBrowser,
}) => {
  const member = await makeMusician();
  const phone = await anotherBrowser();
  await loginAs(member, phone);
  await chooseAllFive(phone);
  await endPhoneLogin(member, { page, phone, loginAs });
  await loginAs(member, phone);
  await openAccount(page, "Where you are logged in");
  const sessions = page.getByRole("listitem").filter({ hasText: /Chrome on / });
  await expect(sessions).toHaveCount(2);
  await expect(sessions.filter({ hasText: "This one" })).toHaveCount(1);
  await page.getByRole("button", { name: "Log out everywhere" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("button", { name: "Log in with Spotify Premium" })).toBeVisible();
  await phone.goto("/ratings-of-my-songs");
  await expect(phone.getByText("Please login to get started.")).toBeVisible();
});
