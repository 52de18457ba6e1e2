import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { rate, songAt } from "./support/carousel.ts";
import { consentAs, test } from "./support/fixtures.ts";
import { mailsTo, mailTo, openMail, readMail } from "./support/mailbox.ts";
import { makeMusician } from "./support/musician.ts";

const label = "Receive an Email when I get a new Rating";

test("a rating is mailed to the owner, whose mail leads to it and ends such mails", async ({
  page,
  musician,
  loginAs,
  anotherBrowser,
}) => {
  const member = await makeMusician({ own: [{ scores: [2] }] });
  const { address } = member;
  const title = member.own[0]?.track.name ?? "";
  const rater = await musician({ offered: member.own, heard: 1 });
  const song = await songAt(page);
  await expect(song.box).toContainText(title);
  await rate(page, song, "Great Song");

  const mail = await mailTo(address, title);
  expect(mail.subject).toContain(title);
  expect(mail.text).not.toContain(rater.displayName);
  const owner = await anotherBrowser();
  await test.step("the mail leads to the rating, by way of the login", async () => {
    await readMail(owner, mail);
    // The first is what an inbox shows beside the subject, and is not seen here.
    await expect(owner.getByText("Great Song").last()).toBeVisible();
    await expect(owner.getByText("2 of 5 ratings received")).toBeVisible();
    await owner.getByRole("link", { name: "See the ratings of this song" }).click();
    await expect(owner.getByText("Please login to get started.")).toBeVisible();
    await consentAs(member, owner);
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
    // Somebody else's rating after that is mailed, and so would this one have been.
    const next = await makeMusician({ own: [{}] });
    const nextTitle = next.own[0]?.track.name ?? "";
    const other = await anotherBrowser();
    const listener = await makeMusician({ offered: [...member.own, ...next.own], heard: 2 });
    await loginAs(listener, other);
    await rate(other, await songAt(other), "Mediocore");
    await rate(other, await songAt(other), "Great Song");
    await mailTo(next.address, nextTitle);
    expect(await mailsTo(address, title)).toHaveLength(1);
    await owner.reload();
    const panel = owner.getByRole("group").filter({ hasText: title });
    await expect(panel.getByText("Mediocore")).toBeVisible();
  });

  await test.step("again after the address is confirmed, and off by the mail client's own button", async () => {
    await owner.getByRole("button", { name: "Send a confirmation link" }).click();
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

test("a mail that comes back ends the mails, and the pages say what to do", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/status of 422 .*\/account\/email/);
  const { address } = await musician();
  await page.goto("/account");
  await page.getByRole("button", { name: "Confirm this address" }).click();
  await expect(page.getByText(`We have sent a link to ${address}.`)).toBeVisible();
  await openMail(page, await mailTo(address, "confirm-email"));
  await page.getByRole("button", { name: /^Bounce/ }).click();
  await expect(page.getByText("the app answered 200")).toBeVisible();
  await page.goto("/account");
  await expect(page.getByText(`Our e-mail to ${address} came back.`)).toBeVisible();
  await expect(page.getByText(`An e-mail to ${address} came back`)).toBeVisible();
  await expectAccessible(page);
  await page.goto("/ratings-of-my-songs");
  await expect(page.getByText(`An e-mail to ${address} came back`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "use another address" }).click();
  const pasted = `Own Name <\u200bown-${address}>`;
  await page.getByLabel("Another address").fill("nobody, nowhere");
  await page.getByRole("button", { name: "Send me a confirmation link" }).click();
  await expect(page.getByText("This does not look like an e-mail address.")).toBeVisible();
  await page.getByLabel("Another address").fill(pasted);
  await page.getByRole("button", { name: "Send me a confirmation link" }).click();
  await expect(page.getByText(`We have sent a link to own-${address}.`)).toBeVisible();
});

test("the choice is saved at once, and goes back where it cannot be", async ({
  page,
  musician,
  complaints,
}) => {
  const { address } = await musician();
  await page.goto("/ratings-of-my-songs");
  const choice = page.getByRole("checkbox", { name: label });
  await expect(choice).toBeChecked();
  await expect(page.getByText(address)).toBeVisible();
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  await choice.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.reload();
  await expect(choice).not.toBeChecked();
  await expectAccessible(page);

  complaints.expect(/ERR_FAILED/);
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
  musician,
  anotherBrowser,
  complaints,
}) => {
  complaints.expect(/status of 403/);
  const { id } = await musician({ address: null });
  const address = `${id}@own-mail.example`;
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
  const member = await makeMusician({ known: false });
  await page.goto("/account");
  await expectAccessible(page);
  await consentAs(member, page);
  await expect(page.getByRole("heading", { name: "Your account" })).toBeVisible();
  await expect(page.getByText(member.address)).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("without JavaScript: the choice is saved by its button", async ({ page, musician }) => {
    await musician();
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
