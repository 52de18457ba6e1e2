import { expect } from "@playwright/test";
import { albums, artists } from "../sandbox/catalogue.ts";
import { expectAccessible } from "./support/accessible.ts";
import { hear, ownSongStillOwed, playerRuns, songAt, submit } from "./support/carousel.ts";
import { control, idOf, test } from "./support/fixtures.ts";

test("accessible: carousel at rest, with a song playing, with a song to rate", async ({
  page,
  loginAs,
}) => {
  test.setTimeout(90_000);
  await loginAs("Beatriz Almourol");
  await playerRuns(page);
  for (const summary of await page.locator("summary").all()) await summary.click();
  await expectAccessible(page);
  await hear(page, await songAt(page));
  await expectAccessible(page);
});

test("accessible: carousel after a failure", async ({ page, loginAs }) => {
  await control("sdk", { fail: "playback", musician: idOf("Jaroslav Hruba") });
  await loginAs("Jaroslav Hruba");
  await playerRuns(page);
  await page.getByRole("button", { name: "PLAY SONG" }).first().click();
  await expect(page.getByRole("button", { name: "Restart song" })).toBeVisible();
  await expectAccessible(page);
});

test("accessible: add song, before a search, with results, with none, an album, an artist", async ({
  page,
  loginAs,
}) => {
  test.setTimeout(90_000);
  await loginAs("Kwame Ansah-Reid");
  const { id } = artists.find(({ name }) => name === "Kwame Ansah-Reid") ?? {};
  const album = albums.find(({ artistIds }) => artistIds[0] === id);
  const places = [`&album=${album?.id}`, `&artist=${id}`];
  for (const query of ["", "&q=Kwame", "&q=zzyzx", ...places]) {
    await page.goto(`/?menu=addownsong${query}`);
    await expectAccessible(page);
  }
});

test("accessible: add song, not yet", async ({ page, loginAs }) => {
  await loginAs("Pat Pastdue");
  await page.goto("/?menu=addownsong");
  await expect(page.getByRole("heading", { name: "Not yet" })).toBeVisible();
  await expectAccessible(page);
});

test("accessible: confirmation of a song added", async ({ page, loginAs }) => {
  await loginAs("Delphine Mauriac-Roux");
  const song = await ownSongStillOwed(page);
  // The carousel, to which it goes by itself, stays away.
  await page.route(/\.data/, () => undefined);
  await submit(page, song.title);
  await expect(page.getByRole("heading", { name: "Success! Your song:" })).toBeVisible();
  await expectAccessible(page);
});

test("accessible: confirmation where nothing is left to rate", async ({ page, loginAs }) => {
  await loginAs("Ezra Exhausted");
  const song = await ownSongStillOwed(page);
  await submit(page, song.title);
  await expect(page.getByRole("heading", { name: "Song Added Successfully!" })).toBeVisible();
  await expect(page.getByText("Please come back later for more songs to rate.")).toBeVisible();
  await expectAccessible(page);
});
