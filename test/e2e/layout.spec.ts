/**
 * Every screen at every width, with content that is awkward: titles of a line and of five, from
 * right to left, emoji, a word that does not break, no cover, fifty songs, long names.
 */
import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { unsubscribeToken } from "../../app/domain/contact/unsubscribe.server.ts";
import { audience, prolific } from "../sandbox/catalogue.ts";
import { expectAccessible } from "./support/accessible.ts";
import { heardTo, play, playerRuns, rate, songAt, submit, unlocked } from "./support/carousel.ts";
import { expectDisplayRules } from "./support/display-rules.ts";
import { test } from "./support/fixtures.ts";
import { expectLaidOut } from "./support/laid-out.ts";
import { mailTo, readMail } from "./support/mailbox.ts";
import {
  expectFocusWalk,
  expectForcedColours,
  expectStill,
  expectStructure,
} from "./support/operable.ts";

const [listener, unbroken, emoji] = audience.map(({ displayName }) => displayName);
if (!listener || !unbroken || !emoji) throw new Error("too few musicians");

/** All that holds on every screen. */
async function expectSound(page: Page): Promise<void> {
  await expectStructure(page);
  await expectLaidOut(page);
  await expectFocusWalk(page);
  await expectForcedColours(page);
  await expectStill(page);
}

/** What the app signs its links with in development. */
function developmentSecret(): string {
  const file = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");
  return /^SESSION_SECRET = "(.+)"/m.exec(file)?.[1] ?? "";
}

async function openAll(page: Page): Promise<void> {
  await page.locator("main details").evaluateAll((all: HTMLDetailsElement[]) => {
    for (const details of all) details.open = true;
  });
}

const publicPages = [
  "/",
  "/?ended",
  "/faq",
  "/imprint",
  "/ratings-of-my-songs",
  "/account",
  "/subscription-success",
  "/no/such/page",
];
for (const address of publicPages) {
  test(`layout: ${address} for visitors`, async ({ page, complaints }) => {
    complaints.expect(/status of 40[04]/);
    await page.goto(address);
    await openAll(page);
    await expectSound(page);
    await expectAccessible(page);
  });
}

test("layout: the menu, opened on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto("/faq");
  await page.getByRole("button", { name: "Menu" }).press("Enter");
  const menu = page.getByRole("navigation", { name: "Main" });
  await page.keyboard.press("Tab");
  await expect(menu.getByRole("link").first()).toBeFocused();
  for (const link of await menu.getByRole("link").all()) {
    await expect(link).toBeInViewport({ ratio: 1 });
  }
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
});

test("layout: carousel at rest, with a song playing, to rate, rated, and a way out of one", async ({
  page,
  loginAs,
}) => {
  test.setTimeout(120_000);
  await loginAs(listener);
  await playerRuns(page);
  await page.reload();
  await playerRuns(page);
  await openAll(page);
  await expectSound(page);
  await expectDisplayRules(page);

  const song = await songAt(page);
  await play(page, song);
  await heardTo(page, 1);
  await page.getByRole("region", { name: "Player" }).getByRole("link").waitFor();
  await expectLaidOut(page);
  await unlocked(page);
  await openAll(page);
  await expectLaidOut(page);
  await expectFocusWalk(page);
  await expectForcedColours(page);
  await expectDisplayRules(page);

  await rate(page, song, "Great Song");
  await expect(page.getByRole("status").filter({ hasText: "successfully rated" })).toBeVisible();
  await openAll(page);
  await expectLaidOut(page);
  await expectDisplayRules(page);

  await page.getByRole("link", { name: "I can't rate this" }).first().click();
  await expect(page.getByRole("heading", { name: "I can't rate this" })).toBeVisible();
  await page.reload();
  await expectSound(page);
  await expectDisplayRules(page);
  await expectAccessible(page);
});

test("layout: no more songs", async ({ page, loginAs }) => {
  test.setTimeout(120_000);
  await loginAs("Ezra Exhausted");
  // Another test may have a song for Ezra at the moment.
  await expect(async () => {
    await page.reload();
    const none = page.getByRole("heading", { name: "No More Songs to Rate" });
    await expect(none).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
  await expectSound(page);
  await expectAccessible(page);
});

test("layout: ratings of fifty songs, and of one of them", async ({ page, loginAs }) => {
  test.setTimeout(120_000);
  await loginAs(prolific.displayName);
  await page.goto("/ratings-of-my-songs");
  await expect(page.getByRole("group")).toHaveCount(20);
  await expectStructure(page);
  await openAll(page);
  await expectLaidOut(page);
  await expectForcedColours(page);
  await expectStill(page);
  await expectDisplayRules(page);
  const shown = page.getByRole("group").first();
  const first = (await shown.textContent()) ?? "";
  await page.getByRole("link", { name: "Show more" }).click();
  await expect(shown).not.toHaveText(first);
  await page.getByRole("link", { name: "Show more" }).click();
  // The last page. How many are on it is not certain: a song that is rated meanwhile moves to the first.
  await expect(page.getByRole("link", { name: "Show more" })).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole("group")).toHaveCount(20);
  await expectLaidOut(page);
  await openAll(page);
  await expectAccessible(page);
  const about = page.getByRole("link", { name: /about "/ });
  await about.first().click();
  await expect(page.getByText("Submission 1, ")).toBeVisible();
  await page.reload();
  await expectSound(page);
  await expectDisplayRules(page);
  await page.goto("/?menu=addownsong");
  await expect(page.getByRole("heading", { name: "Not yet" })).toBeVisible();
  await expectSound(page);
});

test("layout: the dialog of the offer", async ({ page, loginAs }) => {
  await loginAs(unbroken);
  const dialog = page.getByRole("dialog", { name: "Fivefold Premium" });
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("openSubscription")));
    await expect(dialog).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectLaidOut(page);
  await expectForcedColours(page);
});

test("layout: adding a song, its confirmation, and its mail's way out", async ({
  page,
  loginAs,
  complaints,
}) => {
  test.setTimeout(90_000);
  complaints.expect(/^Blocked script execution/);
  await loginAs(listener);
  await page.goto(`/?menu=addownsong&q=${encodeURIComponent("Maximiliane")}`);
  await expect(page.getByRole("listitem").filter({ hasText: "Maximiliane" })).not.toHaveCount(0);
  await expectSound(page);
  await expectDisplayRules(page);
  await page.goto(`/?menu=addownsong&q=${"zyzzx".repeat(40)}`);
  await expectSound(page);

  // The carousel, to which it goes by itself, stays away.
  await page.route(/\.data/, () => undefined);
  const title = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  await submit(page, title);
  await expect(page.getByRole("heading", { name: "Success! Your song:" })).toBeVisible();
  await expectSound(page);
  await expectDisplayRules(page);

  // The link in the mail about the song, which waits until the song cannot be taken back any more.
  const about = { topic: "rating", address: "maryam@musicians.example" } as const;
  await page.goto(`/unsubscribe?token=${await unsubscribeToken(developmentSecret(), about)}`);
  await expect(page.getByRole("heading", { name: "Unsubscribe" })).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page.getByRole("heading", { name: "You are unsubscribed" })).toBeVisible();
  await page.reload();
  await expectSound(page);
  await expectAccessible(page);
});

test("layout: account, and an address to confirm", async ({ page, loginAs, complaints }) => {
  test.setTimeout(90_000);
  complaints.expect(/403/);
  const address = `${"a-very-long-mailbox-name".repeat(2)}@${"mail".repeat(15)}.example`;
  await loginAs(unbroken);
  await page.goto("/account");
  await page.getByLabel("Another address").fill(address);
  await page.getByRole("button", { name: "Send me a confirmation link" }).click();
  await expect(page.getByText(`We have sent a link to ${address}.`)).toBeVisible();
  await page.reload();
  await expectSound(page);

  await readMail(page, await mailTo(address, "confirm-email"));
  await page.getByRole("link", { name: "Confirm my address" }).click();
  await expect(page.getByText(`would like to get e-mails at ${address}`)).toBeVisible();
  await page.reload();
  await expectSound(page);
  await page.getByRole("button", { name: "Yes, confirm my address" }).click();
  await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
  await page.reload();
  await expectSound(page);
  await expectAccessible(page);
  await page.goto("/account");
  await expectSound(page);
  await page.goto("/confirm-email?token=none");
  await expectSound(page);
});

test("layout: premium, before and after", async ({ page, loginAs }) => {
  test.setTimeout(90_000);
  await loginAs(emoji);
  await page.goto("/subscribe");
  await expectSound(page);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Thank you for subscribing!" })).toBeVisible();
  await page.reload();
  await expectSound(page);
  await expectAccessible(page);
  await page.goto("/subscribe");
  await expect(page.getByRole("button", { name: "Manage Subscription" })).toBeVisible();
  await expectSound(page);
});
