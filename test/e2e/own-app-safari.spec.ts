/** Playing on the listener's own app, as Safari on the desktop does, and as a way out elsewhere. */
import { expect } from "@playwright/test";
import { play, songAt, statusLine } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { longSongs, makeMusician } from "./support/musician.ts";

test.describe("Safari", () => {
  test.use({
    userAgent:
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  });

  test("Safari: songs play on the desktop app, which is asked for", async ({ page, musician }) => {
    const listener = await musician({ offered: longSongs(1) });
    await expect(page.getByText("Safari: Songs play on your Spotify desktop app")).toBeVisible();
    await play(page, await songAt(page));
    const setup = page.getByRole("dialog", { name: "Open your Spotify app" });
    await expect(setup).toContainText("Songs play on your Spotify desktop app");
    await listener.order("openApp");
    await expect(setup.locator(".modal-actions > *")).toHaveText([
      "Open this song in Spotify",
      "Close",
    ]);
    // The app was beside the page, which stayed in sight.
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await expect(setup).toBeHidden();
    await expect(statusLine(page)).toHaveText("Playing...");
  });
});

test("a player that cannot start: the own app is the way out", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/status of 403.*sdk\/connect/);
  const listener = await makeMusician({ offered: longSongs(1) });
  await listener.order("sdk", { fail: "init" });
  await listener.order("openApp");
  await loginAs(listener);
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText(
    "Spotify did not start here. Reconnect, or load this page again.",
  );
  await page.getByRole("button", { name: "Play on my Spotify app instead" }).click();
  await expect(page.getByText("Songs play on your Spotify app", { exact: true })).toBeVisible();
  await expect(statusLine(page)).toHaveText("Playing...");
});

test("an app that tells nothing leads back to the player in the page", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/status of 403.*sdk\/connect/);
  const listener = await makeMusician({ offered: longSongs(1) });
  await listener.order("sdk", { fail: "init" });
  await listener.order("openApp");
  await listener.order("privateSession");
  await loginAs(listener);
  await play(page, await songAt(page));
  await page.getByRole("button", { name: "Play on my Spotify app instead" }).click();
  const setup = page.getByRole("dialog", { name: "Open your Spotify app" });
  await expect(setup).toContainText("A private session hides what you play from Fivefold.");
  await setup.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("button", { name: "Resume Playback" })).toBeVisible();
  await page.getByRole("button", { name: "Play in this page" }).click();
  await expect(statusLine(page)).toHaveText("Playing...");
  await expect(page.getByText("Songs play on your Spotify app", { exact: true })).toBeHidden();
});
