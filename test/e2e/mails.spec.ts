import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { rate, songAt } from "./support/carousel.ts";
import { consentAs, test } from "./support/fixtures.ts";
import { mailTo, readMail } from "./support/mailbox.ts";
import { makeMusician } from "./support/musician.ts";

const label = "Receive an Email when I get a new Rating";

test("a rating is mailed to the owner, whose mail leads to it and ends such mails", async ({
  page,
  musician,
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
  await expect(page.getByText("Your choice was not saved. Try again.")).toBeVisible();
  await expect(choice).not.toBeChecked();
  await expectAccessible(page);
  await page.unroute("**/email-preference");
  await choice.click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(choice).toBeChecked();
});
