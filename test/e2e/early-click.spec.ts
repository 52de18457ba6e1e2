/** A page that is clicked, touched and typed on while it begins comes alive all the same. */
import { expect, type Page } from "@playwright/test";
import { test } from "./support/fixtures.ts";

/** Sends an event of some kind to each page in every task, a good while beyond its load. */
async function pester(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kinds = ["mousedown", "mouseup", "click", "pointerdown", "touchstart", "focusin"];
    const events = kinds.map((kind) => new Event(kind, { bubbles: true }));
    events.push(new KeyboardEvent("keydown", { key: "Tab", bubbles: true }));
    const channel = new MessageChannel();
    let sent = 0;
    let left = 500;
    channel.port1.onmessage = () => {
      const targets = [document, ...document.querySelectorAll("h1, p, label, body")];
      const target = targets[sent % targets.length];
      const event = events[sent % events.length];
      if (event) target?.dispatchEvent(event);
      sent += 1;
      if (document.readyState === "complete") left -= 1;
      // A pause now and then, in which scripts arrive.
      if (left === 0) document.documentElement.dataset.calm = "";
      else if (sent % 20 === 0) setTimeout(() => channel.port2.postMessage(null));
      else channel.port2.postMessage(null);
    };
    channel.port2.postMessage(null);
  });
}

const pages = [
  { path: "/", to: "Ratings of my songs" },
  { path: "/ratings-of-my-songs", to: "Carousel" },
  { path: "/account", to: "Carousel" },
];

for (const { path, to } of pages) {
  test(`${path} stays one document`, async ({ page, musician }) => {
    await musician();
    await pester(page);
    await page.goto(path);
    const calm = page.locator("html[data-calm]");
    await expect(calm).toHaveCount(1);
    // Only a script of the page answers this.
    await expect(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event("openSubscription")));
      await expect(page.getByRole("dialog")).toBeVisible({ timeout: 500 });
    }).toPass();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: to, exact: true }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      to === "Carousel" ? "PLAY and RATE" : to,
    );
    await expect(calm).toHaveCount(1);
  });
}
