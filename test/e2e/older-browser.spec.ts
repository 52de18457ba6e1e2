/** A browser that knows nothing newer than 2021 does all that the scripts offer, or does without. */
import { devices, expect } from "@playwright/test";
import { comeBack, hear, heardTo, play, rate, songAt, statusLine } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { goThroughLoop, loopMusician } from "./support/loop.ts";
import { longSongs, makeMusician, shortSongs } from "./support/musician.ts";
import { useOlderBrowser } from "./support/older-browser.ts";

test("the whole loop in a browser of 2021", async ({ page, loginAs }) => {
  await useOlderBrowser(page);
  const musician = await makeMusician(loopMusician);
  await loginAs(musician);
  await goThroughLoop(page, musician);
});

const { defaultBrowserType: _, ...iphone } = devices["iPhone 11"];

test.describe("on a phone", () => {
  test.use(iphone);

  test("the own app, at first away, then interrupted and heard, in a browser of 2021", async ({
    page,
    musician,
  }) => {
    await useOlderBrowser(page);
    const listener = await musician({ offered: [...longSongs(1), ...shortSongs(1)] });
    const song = await songAt(page);
    await play(page, song);
    await expect(page.getByText("Open your Spotify app")).toBeVisible();
    await listener.order("openApp");
    await comeBack(page);
    await expect(statusLine(page)).toHaveText("Playing...");
    await heardTo(page, 2);
    await listener.order("pause");
    await comeBack(page);
    await expect(page.getByText("Playback Paused", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Resume Playback" }).first().click();
    await expect(statusLine(page)).toHaveText("Playing...");
    await page.getByRole("button", { name: /^Pause/ }).click();
    const short = await songAt(page, 1);
    await hear(page, short);
    await rate(page, short, "Great Song");
  });
});
