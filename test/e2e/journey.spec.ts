import { expect } from "@playwright/test";
import { choose, hear, playerRuns, rate, songAt, songsToRate } from "./support/carousel.ts";
import { consentAs, test } from "./support/fixtures.ts";
import { onDatabase } from "./support/local-database.ts";
import { makeMusician, offer } from "./support/musician.ts";

test("a musician rates the last of six songs, adds one, and reads what another thinks of it", async ({
  page,
  loginAs,
  anotherBrowser,
}) => {
  const musician = await makeMusician({ credits: 4, heard: 1, songs: 1 });
  const title = musician.songs[0]?.name ?? "";
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(
    "Promote your music for free",
  );
  await consentAs(musician, page);
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(page.getByText("No ratings yet. Add a song to get started!")).toBeVisible();
  await page.getByRole("link", { name: "Carousel" }).click();

  await expect(songsToRate(page, 2)).toBeVisible();
  await playerRuns(page);
  await rate(page, await songAt(page), "Mediocore");
  await expect(songsToRate(page, 1)).toBeVisible();

  await test.step("a song, closely watched", async () => {
    const song = await songAt(page);
    await song.box.getByRole("button", { name: "PLAY SONG" }).click();
    const timer = page.getByRole("timer");
    await expect(timer).toHaveText(/^0:0[0-4] \/ 0:0[4-6]$/);
    const earlier = await timer.textContent();
    await expect(timer).not.toHaveText(earlier ?? "");
    const state = await musician.order("state");
    expect(state.devices).toContainEqual(
      expect.objectContaining({ id: state.activeDeviceId, kind: "sdk", name: "Fivefold" }),
    );
    await rate(page, song, "Great Song");
    await expect(song.box.getByRole("button", { name: "PLAY SONG" })).toBeHidden();
  });

  await test.step("adds a song", async () => {
    await page.getByRole("link", { name: "Upload Your Song" }).click();
    await expect(page.getByText("Great job! You've rated 6 songs")).toBeVisible();
    // Their own songs stand there before a word is typed.
    const found = page.getByRole("listitem").filter({ hasText: title });
    await choose(found, title);
    await expect(page.getByText("This uses your 6 ratings.")).toBeVisible();
    await page.getByRole("button", { name: "Submit your song" }).click();
    await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
    // Goes back by itself.
    await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
    await expect(page).toHaveURL("/");
    await expect(songsToRate(page, 6)).toBeVisible();
  });

  const sql = "SELECT id FROM songs WHERE owner_id = ?";
  const [[songId = ""] = []] = (await onDatabase(sql, [musician.userId])) as string[][];
  const listener = await makeMusician({ offered: [] });
  await offer(listener, [songId]);
  const rater = await anotherBrowser();
  await loginAs(listener, rater);
  const newSong = await songAt(rater);
  await expect(rater.getByRole("article")).toHaveCount(1);
  await expect(newSong.box).toContainText(title);
  await hear(rater, newSong);
  await rate(rater, newSong, "Added to my playlist!");

  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  const panel = page.getByRole("group").filter({ hasText: title });
  await expect(panel.getByRole("heading")).toContainText(`"${title}" - Entitled for 5 Ratings`);
  // The only song stands open.
  await expect(panel.getByText("It already received 1 rating:")).toBeVisible();
  await expect(panel.getByText("Added to my playlist!")).toBeVisible();
  await expect(page.getByText(listener.displayName)).toHaveCount(0);
});
