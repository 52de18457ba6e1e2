/** Logging in by a mailed code, on a phone, with scripts and without. */
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { test } from "./support/fixtures.ts";
import { expectLaidOut } from "./support/laid-out.ts";
import { type ArrivedMail, mailsTo, mailTo, readMail } from "./support/mailbox.ts";

const naming = "is your code";
const withoutScripts = "without scripts";

/** An address that no other test uses. */
function freeAddress(): string {
  return `${crypto.randomUUID()}@mail.example`;
}

/** Asks for a code on the page of the address. @returns the mail. */
async function askForCode(page: Page, address: string): Promise<ArrivedMail> {
  const before = (await codesTo(address)).length;
  await page.goto("/login/email?next=/account");
  await examine(page, "Come in.");
  await page.getByLabel("E-mail address").fill(address);
  await page.getByRole("button", { name: "Send me the code" }).click();
  await expect(page.getByRole("heading", { name: "Look into your mail." })).toBeVisible();
  await expect(page.getByText(`Six digits are on their way to ${address}`)).toBeVisible();
  return codeAfter(address, before);
}

function codesTo(address: string): Promise<ArrivedMail[]> {
  return mailsTo(address, "Your code is");
}

/** Waits for one more than these. */
async function codeAfter(address: string, before: number): Promise<ArrivedMail> {
  await expect.poll(async () => (await codesTo(address)).length).toBe(before + 1);
  return mailTo(address, "Your code is");
}

function codeIn({ subject }: ArrivedMail): string {
  expect(subject).toContain(naming);
  return subject.slice(0, 6);
}

/** Looks at a page, once it is there. Axe needs scripts. */
async function examine(page: Page, heading: string): Promise<void> {
  await expect(page.getByRole("heading", { name: heading })).toBeVisible();
  if (test.info().titlePath.includes(withoutScripts)) return;
  await expectAccessible(page);
  await expectLaidOut(page);
}

async function enter(page: Page, typed: string): Promise<void> {
  const field = page.getByLabel("Code of six digits");
  await field.focus();
  // As pasting does, in one piece.
  await page.keyboard.insertText(typed);
  await page.getByRole("button", { name: "Come in" }).click();
}

async function giveName(page: Page, name: string): Promise<void> {
  await expect(page.getByRole("heading", { name: "What are you called?" })).toBeVisible();
  await page.getByLabel("Artist's name").fill(name);
  await page.getByRole("button", { name: "Make my account" }).click();
}

async function expectIn(page: Page, name: string): Promise<void> {
  await expect(page).toHaveURL("/account");
  await expect(page.locator(".viewer-name").filter({ hasText: name })).toHaveCount(1);
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : withoutScripts, () => {
    test.use({
      javaScriptEnabled,
      viewport: { width: 360, height: 640 },
      // One place may ask for thirty codes an hour.
      extraHTTPHeaders: { "CF-Connecting-IP": `203.0.113.${javaScriptEnabled ? 1 : 2}` },
    });

    test("the code typed: wrong, then right; a name is asked for once", async ({
      page,
      anotherBrowser,
    }) => {
      const address = freeAddress();
      const code = codeIn(await askForCode(page, address));
      await examine(page, "Look into your mail.");
      const wrong = code === "000000" ? "000001" : "000000";
      await enter(page, wrong);
      await expect(page.getByText("This code is not right. You have 4 tries left.")).toBeVisible();
      await examine(page, "Look into your mail.");
      await page.getByLabel("Code of six digits").pressSequentially(code);
      await page.keyboard.press("Enter");
      await examine(page, "What are you called?");
      await giveName(page, "The Lanterns");
      await expectIn(page, "The Lanterns");

      const other = await anotherBrowser();
      const next = await askForCode(other, address);
      const pasted = codeIn(next);
      await enter(other, `${pasted.slice(0, 3)} ${pasted.slice(3)}`);
      await expectIn(other, "The Lanterns");
    });

    test("the link, in another browser", async ({ page, anotherBrowser }) => {
      const address = freeAddress();
      const mail = await askForCode(page, address);
      const other = await anotherBrowser();
      await readMail(other, mail);
      await other.getByRole("link", { name: "Log in to Fivefold", exact: true }).click();
      await expect(other.getByText(`as the reader of ${address}`)).toBeVisible();
      await examine(other, "Log in to Fivefold?");
      await other.getByRole("button", { name: "Log in" }).click();
      await giveName(other, "Mara");
      await expectIn(other, "Mara");
      // The browser that has asked is not logged in by that.
      await page.reload();
      await expect(page.getByText("was opened elsewhere")).toBeVisible();
      await expect(page.getByRole("button", { name: "Send another" })).toBeVisible();
      await page.goto("/account");
      await expect(page.locator(".viewer-name")).toHaveCount(0);
    });

    test("five times wrong, what is no address, and too many codes are told kindly", async ({
      page,
      complaints,
    }) => {
      complaints.expect(/status of 4(22|29)/);
      await page.goto("/login/email");
      await page.getByLabel("E-mail address").fill("ada@");
      await page.getByRole("button", { name: "Send me the code" }).click();
      await expect(page.getByText("This does not look like an e-mail address.")).toBeVisible();
      await examine(page, "Come in.");
      const address = freeAddress();
      const code = codeIn(await askForCode(page, address));
      const wrong = code === "111111" ? "222222" : "111111";
      for (let n = 0; n < 5; n += 1) await enter(page, wrong);
      await expect(page.getByText("5 wrong codes were typed")).toBeVisible();
      for (let n = 0; n < 4; n += 1) {
        await page.getByRole("button", { name: "Send another" }).click();
        if (n < 3) await expect(page.getByLabel("Code of six digits")).toBeVisible();
      }
      await expect(page.getByText("Ask again in 1 hour.")).toBeVisible();
      await expect(page.getByLabel("E-mail address")).toHaveValue(address);
    });
  });
}
