/** PLAY SONG on a page whose scripts are slow to arrive, or never do. */
import { expect } from "@playwright/test";
import { playerRuns, songAt, unlocked } from "./support/carousel.ts";
import { control, idOf, test } from "./support/fixtures.ts";

test("a song asked for before the player has arrived plays when it has", async ({
  page,
  loginAs,
}) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await loginAs("Zbigniew Jaskier");
  await playerRuns(page);
  await page.route("**/player.client-*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  const { box } = await songAt(page);
  const button = box.getByRole("button", { name: "PLAY SONG" });
  await button.click();
  await expect(button).toHaveAttribute("aria-busy", "true");
  release();
  await unlocked(page);
  await expect(page).toHaveURL("/");
});

test("where the player never arrives, the page works as it does without JavaScript", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/);
  await page.route("**/build/**/*.js", (route) => route.abort());
  await loginAs("Tamsin Hollowell");
  await control("openApp", { musician: idOf("Tamsin Hollowell") });
  const { box } = await songAt(page);
  await box.getByRole("button", { name: "PLAY SONG" }).click();
  await expect(page.getByText(/^You can rate this song in \d seconds?\./)).toBeVisible({
    timeout: 15_000,
  });
  await expect
    .poll(() => control("state", { musician: idOf("Tamsin Hollowell") }))
    .toMatchObject({ playing: true });
});
