/** A rated song goes into a playlist, with the permission given while a song plays. */
import { expect } from "@playwright/test";
import { comeBack, play, playerRuns, rate, songAt, statusLine } from "./support/carousel.ts";
import { agreeAs, test } from "./support/fixtures.ts";
import type { Musician } from "./support/musician.ts";
import { longSongs } from "./support/musician.ts";

/** How many songs are in each playlist of the musician's that is called "Fivefold finds". */
async function finds(musician: Musician): Promise<unknown[]> {
  const { playlists } = await musician.order("playlists");
  return (playlists as { name: string; trackIds: string[] }[])
    .filter(({ name }) => name === "Fivefold finds")
    .map(({ trackIds }) => trackIds.length);
}

test("after the fourth rating: the permission in a new tab, and the next song plays on", async ({
  page,
  musician,
  context,
}) => {
  const listener = await musician({ offered: longSongs(2), heard: 1 });
  const song = await songAt(page);
  await playerRuns(page);
  await rate(page, song, "Added to my playlist!");
  await page.getByText("Change", { exact: true }).click();
  await expect(page.getByRole("link", { name: "Put it into a playlist" }).first()).toBeVisible();
  await play(page, await songAt(page));
  await song.box.getByRole("link", { name: "Put it into a playlist" }).click();
  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "Give permission at Spotify" }).click();
  const consent = await opened;
  await agreeAs(listener, consent);
  await expect(consent.getByText("Close this tab")).toBeVisible();
  await consent.close();
  await comeBack(page);
  await page.getByRole("button", { name: "Add to Fivefold finds" }).click();
  await expect(page.getByText("Added to Fivefold finds")).toBeVisible();
  expect(await finds(listener)).toEqual([1]);
  await page.getByRole("link", { name: "Choose another playlist" }).click();
  await expect(page.getByText("This song is in it")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add to Fivefold finds" })).toHaveCount(0);
  // The other song has played on meanwhile.
  await expect(statusLine(page)).toHaveText("Playing...");
  expect(await listener.calls("PUT /v1/me/player/play")).toHaveLength(1);
  expect(await listener.order("state")).toMatchObject({ playing: true });
});

test("with the permission the playlists stand there at once, and the row says where the song is", async ({
  page,
  musician,
}) => {
  const listener = await musician({ offered: longSongs(3), heard: 2 });
  await playerRuns(page);
  await rate(page, await songAt(page), "Added to my playlist!");
  await page.getByText("Change", { exact: true }).click();
  await page.getByRole("link", { name: "Put it into a playlist" }).first().click();
  await page.getByRole("button", { name: "Give permission at Spotify" }).click();
  await agreeAs(listener, page);
  await page.getByRole("button", { name: "Add to Fivefold finds" }).click();
  await expect(page.getByText("Added to Fivefold finds")).toBeVisible();

  await page.goto("/");
  await playerRuns(page);
  const song = await songAt(page);
  await rate(page, song, "Added to my playlist!");
  await song.box.getByText("Change", { exact: true }).click();
  const playlists = page.getByRole("region", { name: "Your playlists" });
  await playlists.getByRole("button", { name: "Fivefold finds" }).dblclick();
  await expect(playlists.getByText("It is in Fivefold finds")).toBeVisible();
  expect(await finds(listener)).toEqual([2]);
  await page.goto("/");
  await expect(page.getByText("In Fivefold finds")).toHaveCount(2);
  await expect(page.getByRole("link", { name: "Put it into a playlist" })).toHaveCount(0);
});
