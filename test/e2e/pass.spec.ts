/** "I can't rate this", while the song plays. */
import { devices, expect } from "@playwright/test";
import { play, playButton, songAt } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { longSongs } from "./support/musician.ts";

const { viewport, isMobile, hasTouch } = devices["Pixel 7"];

test.describe("on a phone", () => {
  test.use({ viewport, isMobile, hasTouch });

  test("a song that plays is passed on: it stops, and the next one can be played", async ({
    page,
    musician,
  }) => {
    const listener = await musician({ offered: longSongs(5) });
    const song = await songAt(page);
    await play(page, song);
    await expect(playButton(song)).toHaveText(/^Pause/);
    await song.box.getByRole("link", { name: "I can't rate this" }).click();
    await expect(page.getByText("leaves your list for good")).toBeVisible();
    expect(await listener.order("state")).toMatchObject({ playing: true });
    await page.getByRole("radio", { name: "I know the artist" }).check();
    await page.getByRole("button", { name: "Take it off my list" }).click();
    await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
    await expect(page.getByText("The song is off your list.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Report it" })).toBeVisible();
    await expect(song.box).toHaveCount(0);
    await expect(page.getByRole("article")).toHaveCount(5);
    await expect.poll(() => listener.order("state")).toMatchObject({ playing: false });
    const next = await songAt(page);
    await play(page, next);
    await expect(playButton(next)).toHaveText(/^Pause/);
    await page.goBack();
    await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
  });
});
