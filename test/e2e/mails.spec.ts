import { expect } from "@playwright/test";
import { musicianById, trackById } from "../sandbox/catalogue.ts";
import { expectAccessible } from "./support/accessible.ts";
import { hear, rate, songAt } from "./support/carousel.ts";
import { consentAs, idOf, test } from "./support/fixtures.ts";
import { addressOf, mailsTo, mailTo, openMail, readMail } from "./support/mailbox.ts";

const label = "Receive an Email when I get a new Rating";

/** The title of the song by a musician that known packages hold. */
function titleBy(displayName: string): string {
  const title = trackById.get(musicianById.get(idOf(displayName))?.trackIds[2] ?? "")?.name;
  if (!title) throw new Error(`no such song by ${displayName}`);
  return title;
}

test("a rating is mailed to the owner, whose mail leads to it and ends such mails", async ({
  page,
  loginAs,
  anotherBrowser,
  complaints,
}) => {
  test.setTimeout(120_000);
  // The mailbox shows mails in a frame without scripts, the test's own among them.
  complaints.expect(/^Blocked script execution in 'about:srcdoc'/);
  const address = addressOf("Ismene Vourlioti");
  await loginAs("Jorunn Askeland");
  const song = await songAt(page);
  const title = titleBy("Ismene Vourlioti");
  await expect(song.box).toContainText(title);
  await hear(page, song);
  await rate(page, song, "Great Song");

  const mail = await mailTo(address, title);
  expect(mail.subject).toContain(title);
  expect(mail.text).not.toContain("Jorunn");
  const owner = await anotherBrowser();
  await test.step("the mail leads to the rating, by way of the login", async () => {
    await readMail(owner, mail);
    // The first is what an inbox shows beside the subject, and is not seen here.
    await expect(owner.getByText("Great Song").last()).toBeVisible();
    // Ezra, who has rated all there is, was the first.
    await expect(owner.getByText("2 of 5 ratings received")).toBeVisible();
    await owner.getByRole("link", { name: "See the ratings of this song" }).click();
    await expect(owner.getByText("Please login to get started.")).toBeVisible();
    await consentAs("Ismene Vourlioti", owner);
    const panel = owner.getByRole("group").filter({ hasText: title });
    await expect(panel.getByText("Great Song")).toBeVisible();
    await expect(owner.getByRole("checkbox", { name: label })).toBeChecked();
  });

  await test.step("its unsubscribe link asks, and does", async () => {
    await readMail(owner, mail);
    await owner.getByRole("link", { name: "Unsubscribe from these e-mails" }).click();
    await expect(owner.getByRole("heading", { name: "Unsubscribe" })).toBeVisible();
    await expectAccessible(owner);
    const link = owner.url();
    const choice = owner.getByRole("checkbox", { name: label });
    await owner.goto("/ratings-of-my-songs");
    await expect(choice).toBeChecked();
    await owner.goto(link);
    await owner.getByRole("button", { name: "Unsubscribe" }).click();
    await expect(owner.getByRole("heading", { name: "You are unsubscribed" })).toBeVisible();
    // What the page showed before does not come back with it.
    for (let back = 0; back < 3 && owner.url() === link; back += 1) await owner.goBack();
    await expect(owner.getByRole("heading", { name: "Ratings of my songs" })).toBeVisible();
    await expect(owner.getByText(`${address} has unsubscribed from e-mails`)).toBeVisible();
    await expect(choice).toHaveCount(0);
    await expectAccessible(owner);
  });

  await test.step("the next rating sends none", async () => {
    const other = await anotherBrowser();
    await loginAs("Kester Whitlaw", other);
    const same = await songAt(other);
    expect(same.songId).toBe(song.songId);
    await hear(other, same);
    await rate(other, same, "Mediocore");
    // Somebody else's rating after that is mailed, and so would this one have been.
    const next = await songAt(other);
    const nextTitle = titleBy("Tamsin Hollowell");
    await expect(next.box).toContainText(nextTitle);
    await hear(other, next);
    await rate(other, next, "Great Song");
    await mailTo(addressOf("Tamsin Hollowell"), nextTitle);
    expect(await mailsTo(address, title)).toHaveLength(1);
    await owner.reload();
    const panel = owner.getByRole("group").filter({ hasText: title });
    await panel.locator("summary").click();
    await expect(panel.getByText("Mediocore")).toBeVisible();
  });

  await test.step("again after the address is confirmed, and off by the mail client's own button", async () => {
    await owner.getByRole("button", { name: "Send a confirmation link there" }).click();
    await expect(owner.getByText(`We have sent a link to ${address}.`)).toBeVisible();
    await readMail(owner, await mailTo(address, "confirm-email"));
    await owner.getByRole("link", { name: "Confirm my address" }).click();
    await expect(owner.getByText("has unsubscribed from our e-mails")).toBeVisible();
    await owner.getByRole("button", { name: "Yes, confirm my address" }).click();
    await expect(owner.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
    await owner.goto("/ratings-of-my-songs");
    await expect(owner.getByRole("checkbox", { name: label })).toBeChecked();
    await openMail(owner, mail);
    await owner.getByRole("button", { name: /^One-click unsubscribe/ }).click();
    await expect(owner.getByText("answered 200")).toBeVisible();
    await owner.goto("/account");
    await expect(owner.getByText(`${address} has unsubscribed from e-mails`)).toBeVisible();
  });
});

test("the choice is saved at once, and goes back where it cannot be", async ({
  page,
  loginAs,
  complaints,
}) => {
  await loginAs("Dario Fontanelle");
  await page.goto("/ratings-of-my-songs");
  const choice = page.getByRole("checkbox", { name: label });
  await expect(choice).toBeChecked();
  await expect(page.getByText(addressOf("Dario Fontanelle"))).toBeVisible();
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  await choice.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.reload();
  await expect(choice).not.toBeChecked();
  await expectAccessible(page);

  complaints.expect(/ERR_FAILED|503/);
  await page.route("**/email-preference", (route) => route.abort());
  await choice.click();
  await expect(page.getByText("Your choice was not saved. Please try again.")).toBeVisible();
  await expect(choice).not.toBeChecked();
  await expectAccessible(page);
  await page.unroute("**/email-preference");
  await choice.click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(choice).toBeChecked();
});

test("where Spotify tells no address, one of one's own is given, confirmed and removed", async ({
  page,
  loginAs,
  anotherBrowser,
  complaints,
}) => {
  complaints.expect(/403/);
  // Each try of the test has its own mailbox.
  const { retry, repeatEachIndex } = test.info();
  const address = `noa-${repeatEachIndex}-${retry}@own-mail.example`;
  await loginAs("Noa Noemail");
  await page.goto("/ratings-of-my-songs");
  await expect(page.getByRole("checkbox", { name: label })).toBeDisabled();
  await page.getByRole("link", { name: "Give us one" }).click();
  await expectAccessible(page);
  await page.getByLabel("E-mail address").fill(address);
  await page.getByRole("button", { name: "Send me a confirmation link" }).click();
  await expect(page.getByText(`We have sent a link to ${address}.`)).toBeVisible();
  await expect(page.getByRole("checkbox", { name: label })).toBeDisabled();

  const mail = await mailTo(address, "confirm-email");
  // Read on another device, where nobody is logged in.
  const phone = await anotherBrowser();
  await readMail(phone, mail);
  await phone.getByRole("link", { name: "Confirm my address" }).click();
  await expect(phone.getByText(`would like to get e-mails at ${address}`)).toBeVisible();
  await expectAccessible(phone);
  await page.reload();
  await expect(page.getByRole("checkbox", { name: label })).toBeDisabled();
  await phone.getByRole("button", { name: "Yes, confirm my address" }).click();
  await expect(phone.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();

  await page.reload();
  await expect(page.getByText(`${address} confirmed`)).toBeVisible();
  await expect(page.getByRole("checkbox", { name: label })).toBeEnabled();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Remove my address" }).click();
  await expect(page.getByText("so we cannot send you any e-mails yet")).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await expectAccessible(phone);
});

test("the account asks who is not logged in to do so, and comes back", async ({ page }) => {
  await page.goto("/account");
  await expectAccessible(page);
  await consentAs("Esra Gökdemir", page);
  await expect(page.getByRole("heading", { name: "Your account" })).toBeVisible();
  await expect(page.getByText(addressOf("Esra Gökdemir"))).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("without JavaScript: the choice is saved by its button", async ({ page, loginAs }) => {
    await loginAs("Fergus Lochhead");
    for (const screen of ["/ratings-of-my-songs", "/account"]) {
      await page.goto(screen);
      const choice = page.getByRole("checkbox", { name: label });
      const form = page.locator("form").filter({ has: choice });
      const before = await choice.isChecked();
      await choice.setChecked(!before);
      await form.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("Your choice is saved.")).toBeVisible();
      await expect(choice).toBeChecked({ checked: !before });
    }
  });
});
