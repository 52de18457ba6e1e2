import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { runJobs } from "./support/control.ts";
import { test } from "./support/fixtures.ts";
import { mailsTo, mailTo, readMail } from "./support/mailbox.ts";
import { type Musician, makeMusician } from "./support/musician.ts";
import { emptyPool, refillPool } from "./support/pool.ts";

const subject = "There are songs to rate again";
function offerOn(page: Page) {
  return page.getByRole("button", { name: "E-mail me when there are songs again" });
}

async function expectAsked(page: Page, { address }: Musician): Promise<void> {
  const asked = `When there are songs again, we will write once to ${address}.`;
  await expect(page.getByRole("status").filter({ hasText: asked })).toBeVisible();
  await expect(offerOn(page)).toBeHidden();
}

/** The songs come back, the cron finds out, and the mail leads to them. */
async function comeBack(page: Page, listener: Musician): Promise<void> {
  const { address } = listener;
  await refillPool(listener);
  await runJobs();
  const mail = await mailTo(address, subject);
  await runJobs();
  await readMail(page, mail);
  await page.getByRole("link", { name: "Take me to the songs" }).click();
  await expect(page.getByRole("button", { name: "PLAY SONG" }).first()).toBeVisible();
  expect(await mailsTo(address, subject)).toHaveLength(1);
}

test("with nothing to rate, one mail says when there are songs again", async ({
  page,
  loginAs,
}) => {
  const listener = await makeMusician({ credits: 6, offered: [] });
  await emptyPool(listener);
  await loginAs(listener);
  await expect(page.getByRole("heading", { name: "You have heard everything." })).toBeVisible();
  await expect(page.getByRole("link", { name: "Upload Your Song" })).toBeVisible();
  await expect(page.getByRole("link", { name: "See the ratings of my songs" })).toBeVisible();
  await expectAccessible(page);

  // Twice is once, by mouse as by keyboard.
  await offerOn(page).dblclick();
  await expectAsked(page, listener);
  const back = page.getByRole("button", { name: "Do not send it" });
  await back.focus();
  await page.keyboard.press("Enter");
  await expect(offerOn(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expectAsked(page, listener);
  await expectAccessible(page);
  await comeBack(page, listener);
});
