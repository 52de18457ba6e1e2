/** Free to premium and back, at the stand-in's checkout and portal. */
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { openPart } from "./support/account.ts";
import { playerRuns } from "./support/carousel.ts";
import { order } from "./support/control.ts";
import { test } from "./support/fixtures.ts";
import { longSongs, type Musician } from "./support/musician.ts";

const badge = (page: Page) => page.getByRole("banner").locator("small");
const upgrade = (page: Page) => page.getByRole("link", { name: "Upgrade to Premium" }).first();

/** Ends the period a musician has paid for, and waits until the product has been told. */
async function endPeriod(subscriber: Musician): Promise<void> {
  const { customers } = await subscriber.order("stripeState");
  const [{ id = "" } = {}] = customers as { id: string }[];
  await order("stripePeriod", { customer: id });
  await order("stripeSettle", {});
}

test("a free user upgrades at a locked panel, cancels, and is free again when the period ends", async ({
  page,
  musician,
}) => {
  const own = [{ scores: [1, 2, 3, 4, 3] }, { scores: [3] }];
  const subscriber = await musician({ own, offered: longSongs(5) });
  await expect(badge(page)).toHaveText("Free");
  await expect(page.getByRole("article")).toHaveCount(5);
  await expect(page.getByRole("complementary", { name: "Fivefold Premium" })).toContainText(
    "you could rate after only 34 seconds instead of 55, and upload after only 4 songs instead of 6, for $2.99/month",
  );
  await page.goto("/ratings-of-my-songs");
  const full = page.getByRole("group").filter({ hasText: "It already received 5 ratings:" });
  await full.first().locator("summary").click();
  await expect(full.first().locator("time")).toHaveCount(2);
  await expect(full.first()).toContainText("You have 3 more ratings");
  await expect(full.first()).toContainText("Only premium users can see all ratings");
  // The others do not leave the server, whose clock is one moment more.
  const shown = (await page.locator("time").count()) + 1;
  const answer = await (await page.request.get("/ratings-of-my-songs")).text();
  expect(new Set(answer.match(/\b1[6-9]\d{11}\b/g)).size).toBe(shown);
  await full.first().getByRole("link", { name: "Upgrade to Premium" }).click();
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  // Back at the very panel, which is open.
  await expect(page).toHaveURL(/\/ratings-of-my-songs\?song=[\w-]+&unlocked/);
  await expect(full.first().locator("time")).toHaveCount(5);
  await expect(full.first().locator("time").last()).toBeVisible();
  await expect(badge(page)).toHaveText("Premium");
  await expect(
    page.getByText(/^Active Fivefold Premium, renews on \d+ \w+, USD 2\.99 for a month$/),
  ).toBeVisible();
  await page.goto("/?menu=addownsong");
  await page.goto("/");
  await expect(upgrade(page)).toBeHidden();
  await page.getByRole("button", { name: "Manage Subscription" }).click();
  await page.getByRole("button", { name: "Cancel plan" }).click();
  await page.getByRole("link", { name: "Back to Fivefold" }).click();
  const note = page.getByText(/^Subscription will be cancelled on \d+ \w+ \d{4}$/);
  await expect(note).toBeVisible();
  await expect(badge(page)).toHaveText("Premium");

  await endPeriod(subscriber);
  await page.reload();
  await expect(badge(page)).toHaveText("Free");
  await expect(upgrade(page)).toBeVisible();
});

test("the dialog: opened by its event, closed by button, Escape and a click outside", async ({
  page,
  musician,
}) => {
  await musician({ offered: longSongs(5) });
  const dialog = page.getByRole("dialog", { name: "Fivefold Premium" });
  const open = async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("openSubscription")));
    await expect(dialog).toBeVisible();
  };
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("openSubscription")));
    await expect(dialog).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  await open();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await open();
  await page.mouse.click(5, 5);
  await expect(dialog).toBeHidden();

  // By keyboard: the focus stays inside, and returns to where it was.
  await upgrade(page).focus();
  await page.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  for (let stops = 0; stops < 5; stops += 1) {
    await page.keyboard.press("Tab");
    const inside = await page.evaluate(
      () => document.activeElement === document.body || !!document.activeElement?.closest("dialog"),
    );
    expect(inside).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(upgrade(page)).toBeFocused();

  // On every page of a member, and gone with the page that it was opened on.
  await page.getByRole("link", { name: /your account/ }).click();
  await expect(page.getByRole("heading", { name: "Your account" })).toBeVisible();
  await openPart(page, "Subscription");
  await open();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
  await expect(dialog).toBeHidden();
});

test("a checkout that cannot begin says so, and the button is idle again", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/status of 503/);
  complaints.expectOfServer(/checkout_failed.*Ordered failure/);
  const buyer = await musician({ offered: longSongs(5) });
  await buyer.order("fail", { route: "POST /v1/checkout/sessions", times: -1 });
  await playerRuns(page);
  await upgrade(page).click();
  const button = page.getByRole("button", { name: "Subscribe" });
  await button.click();
  await expect(page.getByRole("alert")).toHaveText(
    "Failed to start subscription. Please try again.",
  );
  await expect(button).toBeEnabled();
  await expect(button).not.toHaveAttribute("aria-disabled");
});

test("accessible: the page of the offer, and what comes after the checkout", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/status of 400/);
  complaints.expect(/status of 404/);
  await musician({ offered: longSongs(5) });
  await page.goto("/subscribe");
  await expectAccessible(page);
  for (const address of [
    "/subscription-success",
    "/subscription-success?session_id=cs_test_none",
  ]) {
    await page.goto(address);
    await expect(page.getByRole("link", { name: "Go to Homepage" })).toBeVisible();
    await expectAccessible(page);
  }
});
