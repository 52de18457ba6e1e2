import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { openAccount, openPart } from "./support/account.ts";
import { agreeAs, test } from "./support/fixtures.ts";
import { onDatabase } from "./support/local-database.ts";
import { ageLogins, forgetSpotify } from "./support/logins.ts";
import { makeMusician } from "./support/musician.ts";

test("Spotify is connected to an account that came by e-mail", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/status of 401 .*account\/email/);
  complaints.expect(/status of 403 .*callback/);
  const member = await makeMusician();
  await loginAs(member);
  // The carousel's player would ask for a token that is there no more.
  await page.goto("/faq");
  await forgetSpotify(member);
  const ownName = `Own name of ${member.displayName}`;
  await onDatabase("UPDATE users SET display_name = ? WHERE id = ?", [ownName, member.userId]);
  const other = await makeMusician();
  await openAccount(page, "How you come in");
  const ways = page.locator("#ways");
  await expect(ways).toContainText(`${member.userId}@mail.example`);
  await expect(ways).toContainText("With Spotify: not yet.");
  await expect(page.getByRole("button", { name: "Remove my address" })).toHaveCount(0);
  await expectAccessible(page);
  const button = page.getByRole("button", { name: "Connect Spotify" });
  await button.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "Spotify is not connected" })).toBeVisible();
  await page.getByRole("link", { name: "Back to where you were" }).click();

  await button.click();
  await agreeAs(other, page);
  const taken = "This Spotify account has an account here already";
  await expect(page.getByRole("heading", { name: taken })).toBeVisible();
  await page.getByRole("link", { name: "Back to where you were" }).click();

  await button.click();
  await agreeAs(member, page);
  await expect(page).toHaveURL("/account#ways");
  await expect(ways).toContainText("It is connected.");
  await expect(button).toHaveCount(0);
  await expect(ways).toContainText(`With Spotify, as ${member.displayName}.`);
  await openPart(page, "Where you are logged in");
  await expect(page.getByText("by e-mail, Spotify connected")).toBeVisible();
  await openPart(page, "Your address");
  await expect(page.getByRole("button", { name: "Remove my address" })).toBeVisible();

  await ageLogins(member);
  await page.getByRole("button", { name: "Remove my address" }).click();
  await expect(page.getByRole("heading", { name: "Log in again" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Log in again with Spotify" }).click();
  await agreeAs(member, page);
  await expect(page.getByText("press the button once more")).toBeVisible();
  await expect(page.getByText(ownName).last()).toBeVisible();
});
