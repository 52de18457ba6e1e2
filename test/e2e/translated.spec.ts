/** A page that the browser translates goes on working, and says what is so. */
import { devices, expect } from "@playwright/test";
import {
  comeBack,
  hear,
  heardTo,
  play,
  playerRuns,
  rate,
  saysRated,
  songAt,
  statusLine,
} from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { goThroughLoop, loopMusician } from "./support/loop.ts";
import { longSongs, makeMusician, shortSongs } from "./support/musician.ts";
import { isTranslated, translate, translateEarly } from "./support/translator.ts";

test("the whole loop in a translated page", async ({ page, loginAs }) => {
  const musician = await makeMusician(loopMusician);
  await loginAs(musician);
  await playerRuns(page);
  await translate(page);
  await goThroughLoop(page, musician);
  // It is one document to the end.
  expect(await isTranslated(page)).toBe(true);
});

test("dialogs and keys in a translated page", async ({ page, musician }) => {
  await musician({ offered: [...shortSongs(2), ...longSongs(1)], heard: 2 });
  await playerRuns(page);
  await translate(page);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  await help.getByText("Use these keys").click();
  await expect(help.getByRole("checkbox")).not.toBeChecked();
  await help.getByText("Use these keys").click();
  await help.getByText("Close").click();
  await page.keyboard.press("3");
  await saysRated(page, "Great Song");
  await page.getByText("Upgrade to Premium").first().click();
  const offer = page.getByRole("dialog", { name: "Fivefold Premium" });
  await expect(offer).toContainText("55 seconds");
  await offer.getByText("Close").click();
  await expect(offer).toHaveCount(0);
});

test("a page that was translated before its scripts came is drawn anew, and works", async ({
  page,
  musician,
  complaints,
}) => {
  // What came is not what React expects.
  complaints.expect(/error #418/);
  complaints.expect(/error #423/);
  await translateEarly(page);
  await musician();
  await expect.poll(() => isTranslated(page)).toBe(true);
  const song = await songAt(page);
  await hear(page, song);
  await rate(page, song, "Great Song");
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(page.getByText("No ratings yet.")).toBeVisible();
});

const { defaultBrowserType: _, ...iphone } = devices["iPhone 15"];

test.describe("on a phone", () => {
  test.use(iphone);

  test("the own app, paused and resumed, in a translated page", async ({ page, musician }) => {
    const listener = await musician({ offered: longSongs(1) });
    await playerRuns(page);
    await translate(page);
    await play(page, await songAt(page));
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Open your Spotify app");
    await listener.order("openApp");
    await comeBack(page);
    await expect(statusLine(page)).toHaveText("Playing...");
    await heardTo(page, 2);
    await listener.order("pause");
    await comeBack(page);
    await expect(dialog).toContainText("Playback Paused");
    await dialog.getByRole("button", { name: "Resume Playback" }).click();
    await expect(statusLine(page)).toHaveText("Playing...");
    await listener.order("playOther");
    await comeBack(page);
    await expect(dialog).toContainText("Wrong Song Playing");
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Your account", exact: true }).click();
    await expect(page.getByRole("link", { name: "Back to the song" })).toBeVisible();
  });
});
