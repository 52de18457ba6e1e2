/** PLAY SONG on a page whose scripts are slow to arrive, or never do. */
import { expect } from "@playwright/test";
import { playerRuns, songAt, statusLine } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { longSongs } from "./support/musician.ts";

const offered = longSongs(1);

test("a song asked for before the player has arrived plays when it has", async ({
  page,
  musician,
}) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.clock.install();
  await musician({ offered });
  await playerRuns(page);
  await page.route("**/player.client-*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  // The form waits for the player for some seconds only.
  await page.clock.pauseAt(Date.now() + 10_000);
  const { box } = await songAt(page);
  const button = box.getByRole("button", { name: "PLAY SONG" });
  await button.click();
  await expect(button).toHaveAttribute("aria-busy", "true");
  release();
  await playerRuns(page);
  await page.clock.resume();
  await expect(statusLine(page)).toHaveText("Playing...");
  await expect(page).toHaveURL("/");
});

test("where the player never arrives, the page works as it does without JavaScript", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/);
  await page.route("**/build/**/*.js", (route) => route.abort());
  await page.clock.install();
  const listener = await musician({ offered });
  await listener.order("openApp");
  const { box } = await songAt(page);
  await box.getByRole("button", { name: "PLAY SONG" }).click();
  await page.clock.fastForward("00:05");
  await expect(page.getByText(/^You can rate this song in \d+ seconds\./)).toBeVisible();
  await expect.poll(() => listener.order("state")).toMatchObject({ playing: true });
  // So do the ratings.
  const button = box.getByRole("button", { name: "Rate this song", includeHidden: true });
  await expect(button).toBeHidden();
  await page.clock.fastForward("00:10");
  await expect(button).toBeVisible();
});
