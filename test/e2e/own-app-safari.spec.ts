/** Playing on the listener's own app, as Safari on the desktop does, and as a way out elsewhere. */
import { expect } from "@playwright/test";
import { comeBack, hear, heardTo, play, songAt, statusLine, unlocked } from "./support/carousel.ts";
import { control, idOf, test } from "./support/fixtures.ts";

test.describe("Safari", () => {
  test.use({
    userAgent:
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  });

  test("Safari: songs play on the desktop app", async ({ page, loginAs }) => {
    await loginAs("Keziah Umberland");
    await control("openApp", { musician: idOf("Keziah Umberland") });
    await expect(page.getByText("Safari: Songs play on your Spotify desktop app")).toBeVisible();
    await hear(page, await songAt(page));
  });

  test("Safari: no device and a pause have their dialogs", async ({ page, loginAs }) => {
    const musician = { musician: idOf("Leocadia Fuentemar") };
    await loginAs("Leocadia Fuentemar");
    await play(page, await songAt(page));
    const setup = page.getByRole("dialog", { name: "Open your Spotify app" });
    await expect(setup).toContainText("Songs play on your Spotify desktop app");
    await control("openApp", musician);
    await setup.getByRole("button", { name: "Resume Playback" }).click();
    await heardTo(page, 1);
    await control("pause", musician);
    await comeBack(page);
    const paused = page.getByRole("dialog", { name: "Playback Paused" });
    await paused.getByRole("button", { name: "Resume Playback" }).click();
    await unlocked(page);
  });

  test("Safari: the wrong song has its dialog", async ({ page, loginAs }) => {
    const musician = { musician: idOf("Indira Pallavan") };
    await loginAs("Indira Pallavan");
    await control("openApp", musician);
    await play(page, await songAt(page));
    await heardTo(page, 1);
    await control("playOther", musician);
    await comeBack(page);
    const wrong = page.getByRole("dialog", { name: "Wrong Song Playing" });
    await wrong.getByRole("button", { name: "Resume Playback" }).click();
    await expect(statusLine(page)).toHaveText("Playing...");
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
