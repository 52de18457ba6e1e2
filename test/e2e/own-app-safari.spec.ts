/** Playing on the listener's own app, as Safari on the desktop does, and as a way out elsewhere. */
import { expect } from "@playwright/test";
import { play, songAt, statusLine, unlocked } from "./support/carousel.ts";
import { control, idOf, test } from "./support/fixtures.ts";

test.describe("Safari", () => {
  test.use({
    userAgent:
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  });

  test("Safari: songs play on the desktop app, which is asked for", async ({ page, loginAs }) => {
    await loginAs("Keziah Umberland");
    await expect(page.getByText("Safari: Songs play on your Spotify desktop app")).toBeVisible();
    await play(page, await songAt(page));
    const setup = page.getByRole("dialog", { name: "Open your Spotify app" });
    await expect(setup).toContainText("Songs play on your Spotify desktop app");
    await control("openApp", { musician: idOf("Keziah Umberland") });
    await setup.getByRole("button", { name: "Resume Playback" }).click();
    await unlocked(page);
  });
});

test("a player that cannot start: the own app is the way out", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/status of 403.*sdk\/connect/);
  await control("sdk", { fail: "init", musician: idOf("Mirek Podlesny") });
  await loginAs("Mirek Podlesny");
  await control("openApp", { musician: idOf("Mirek Podlesny") });
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText(
    "Error initializing Spotify player. Please refresh the page.",
  );
  await page.getByRole("button", { name: "Play on my Spotify app instead" }).click();
  await expect(page.getByText("Songs play on your Spotify app", { exact: true })).toBeVisible();
  await unlocked(page);
});

test("a script that is blocked: the own app is the way out", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED.*spotify-player\.js/);
  await page.route("**/spotify-player.js", (route) => route.abort());
  await loginAs("Ottoline Farthingale");
  await control("openApp", { musician: idOf("Ottoline Farthingale") });
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText(
    "Failed to load Spotify player. Please refresh the page.",
  );
  await page.getByRole("button", { name: "Play on my Spotify app instead" }).click();
  await unlocked(page);
});
