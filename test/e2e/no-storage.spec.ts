/** Browsers that keep nothing: there is no storage in them, or naming it throws, and so do channels between tabs. */
import { expect } from "@playwright/test";
import { hear, play, rate, songAt, statusLine } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { shortSongs } from "./support/musician.ts";
import { makeOwnRecordings } from "./support/own-recordings.ts";

const browsers = {
  "has no storage": () => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, { get: () => null });
    }
  },
  "throws where storage is named": () => {
    const refuse = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, { get: refuse });
    }
    window.BroadcastChannel = class {
      constructor() {
        refuse();
      }
    } as unknown as typeof BroadcastChannel;
  },
  "throws where storage is written": () => {
    Storage.prototype.setItem = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  },
};

for (const [what, takeAway] of Object.entries(browsers)) {
  test(`a browser that ${what} shows every screen, plays and rates`, async ({
    page,
    musician,
    complaints,
  }) => {
    // Remix's own script, which puts the page back to where it was scrolled to, says so and goes on.
    if (!what.endsWith("written")) complaints.expect(/of null|insecure/);
    await page.addInitScript(takeAway);
    const listener = await musician({ offered: shortSongs(2), credits: 30 });
    await makeOwnRecordings({ offered: listener.offered.slice(0, 1) }, 5);
    await page.goto("/");
    const song = await songAt(page, 0);
    await hear(page, song);
    await page.getByRole("slider", { name: "Volume" }).first().fill("0.4");
    await page.getByRole("button", { name: "Keys (?)" }).click();
    await page.getByLabel("Use these keys").uncheck();
    await page.getByRole("button", { name: "Close" }).click();
    await rate(page, song, "Great Song");
    await play(page, await songAt(page));
    await expect(statusLine(page)).toHaveText(/Playing|you can rate/);
    for (const name of ["Songs I rated", "Ratings of my songs", "FAQ"]) {
      await page.getByRole("link", { name }).first().click();
      await expect(page.locator("main h1, h1").first()).toBeVisible();
      await expect(page.getByText(/went wrong/i)).toBeHidden();
    }
    await page.goBack();
    await page.reload();
    await expect(page.getByText(/went wrong/i)).toBeHidden();
    await page.goto("/account");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
}
