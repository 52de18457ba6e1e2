import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { agreeAs, test } from "./support/fixtures.ts";
import { onDatabase, writeRows } from "./support/local-database.ts";
import { ageLogins } from "./support/logins.ts";
import { type Musician, makeMusician } from "./support/musician.ts";

type LoginAs = (musician: Musician) => Promise<void>;

/** Logged in by e-mail, to an account that knows no Spotify. */
async function comeByEmail(
  page: Page,
  loginAs: LoginAs,
): Promise<{ member: Musician; address: string }> {
  const member = await makeMusician();
  await loginAs(member);
  // The carousel's player would ask for a token that is there no more.
  await page.goto("/faq");
  const address = `${member.id}@own-mail.example`;
  const now = Date.now();
  const times = { created_at: now - 2000, expires_at: now, used_at: now - 1000 };
  const asked = { kind: "confirmation", asked_by: member.userId, address };
  await writeRows({ mailed_proofs: [{ id: `of ${member.id}`, ...asked, ...times }] });
  await onDatabase(
    "UPDATE users SET spotify_id = NULL, email = NULL, own_email = ?, display_name = ? WHERE id = ?",
    [address, `Own name of ${member.displayName}`, member.userId],
  );
  await onDatabase(
    `UPDATE sessions SET way = 'email', client_id = NULL, access_token = NULL, refresh_token = NULL,
       token_expires_at = NULL, has_spotify_premium = NULL WHERE user_id = ?`,
    [member.userId],
  );
  return { member, address };
}

/** Declines first, then tries another's account, then connects the member's own, and logs in again by it. */
async function connect(page: Page, loginAs: LoginAs, check = expectAccessible): Promise<void> {
  const { member, address } = await comeByEmail(page, loginAs);
  const other = await makeMusician();
  await page.goto("/account");
  const ways = page.locator("#ways");
  await expect(ways).toContainText(address);
  await expect(ways).toContainText("With Spotify: not yet.");
  await expect(page.getByRole("button", { name: "Remove my address" })).toHaveCount(0);
  await check(page);
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
  await expect(page.getByText("by e-mail, Spotify connected")).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove my address" })).toBeVisible();

  await ageLogins(member);
  await page.getByRole("button", { name: "Remove my address" }).click();
  await expect(page.getByRole("heading", { name: "Please log in again" })).toBeVisible();
  await check(page);
  await page.getByRole("button", { name: "Log in again with Spotify" }).click();
  await agreeAs(member, page);
  await expect(page.getByText("please press the button once more")).toBeVisible();
  await expect(page.getByText(`Own name of ${member.displayName}`).last()).toBeVisible();
}

const refusals = [/status of 401 .*account\/email/, /status of 403 .*callback/];

test("Spotify is connected to an account that came by e-mail", async ({
  page,
  loginAs,
  complaints,
}) => {
  for (const refusal of refusals) complaints.expect(refusal);
  await connect(page, loginAs);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("Spotify is connected all the same", async ({ page, loginAs, complaints }) => {
    complaints.expect(/403/);
    // The check of accessibility is itself a script.
    await connect(page, loginAs, async () => undefined);
  });
});
