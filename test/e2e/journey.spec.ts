import { expect } from "@playwright/test";
import { musicianById, trackById } from "../sandbox/catalogue.ts";
import { expectAccessible } from "./support/accessible.ts";
import {
  choose,
  hear,
  playerRuns,
  rate,
  songAt,
  songsToRate,
  unlockMessage,
} from "./support/carousel.ts";
import { consentAs, control, test } from "./support/fixtures.ts";

const ownSong = trackById.get(musicianById.get("demo-new")?.trackIds[0] ?? "")?.name ?? "";

test("a new musician rates six songs, adds one, and reads what another thinks of it", async ({
  page,
  loginAs,
  anotherBrowser,
}) => {
  test.setTimeout(120_000);
  // Has rated all there is: will be led to the new song and to no other.
  const rater = await anotherBrowser();
  await loginAs("Ezra Exhausted", rater);
  await expect(rater.getByRole("heading", { name: "No More Songs to Rate" })).toBeVisible();
  await expect(rater.getByRole("link", { name: "Upload Your Song" })).toBeVisible();
  await expectAccessible(rater);

  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Promote your music for free");
  await consentAs("Nova New", page);
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(page.getByText("No ratings yet. Add a song to get started!")).toBeVisible();
  await page.getByRole("link", { name: "Carousel" }).click();

  await test.step("the first song, closely watched", async () => {
    await expect(songsToRate(page, 6)).toBeVisible();
    const song = await songAt(page);
    await playerRuns(page);
    await song.box.getByRole("button", { name: "PLAY SONG" }).click();
    const timer = page.getByRole("timer");
    await expect(timer).toHaveText(/^0:0[0-4] \/ 0:0[4-6]$/);
    const earlier = await timer.textContent();
    await expect(timer).not.toHaveText(earlier ?? "");
    await expect(page.getByText("Playing...").first()).toBeVisible();
    const state = await control("state", { musician: "demo-new" });
    expect(state).toMatchObject({ playing: true });
    expect(state.devices).toContainEqual(
      expect.objectContaining({ id: state.activeDeviceId, kind: "sdk", name: "Fivefold" }),
    );
    await expect(page.getByText(unlockMessage)).toBeVisible();
    await rate(page, song, "Great Song");
    await expect(song.box.getByRole("button", { name: "PLAY SONG" })).toBeHidden();
  });
  for (let left = 5; left > 0; left -= 1) {
    await expect(songsToRate(page, left)).toBeVisible();
    const song = await songAt(page);
    await hear(page, song);
    await rate(page, song, "Mediocore");
  }

  await test.step("adds a song", async () => {
    await page.getByRole("link", { name: "Upload Your Song" }).click();
    await expect(page.getByText("Great job! You've rated 6 songs")).toBeVisible();
    const term = page.getByPlaceholder("Enter A Song or Artist");
    const search = page.getByRole("button", { name: "SEARCH" });
    // Their own songs stand there before a word is typed.
    const found = page.getByRole("listitem").filter({ hasText: ownSong });
    await expect(found).toBeVisible();
    await term.fill("zzyzx quux");
    await search.click();
    await expect(page.getByText("No songs found for “zzyzx quux”.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Submit this song!" })).toHaveCount(0);
    await term.fill(`Nova New ${ownSong}`);
    await search.click();
    await choose(found, ownSong);
    await expect(page.getByText("It spends the 6 ratings you gave.")).toBeVisible();
    await page.getByRole("button", { name: "Submit this song!" }).click();
    await expect(page.getByText(`Success! Your song: "${ownSong}" is added!`)).toBeVisible();
    // Goes back by itself.
    await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
    await expect(page).toHaveURL(/\/\?added=/);
    await expect(page.getByRole("button", { name: "Take it back" })).toBeVisible();
    await expect(songsToRate(page, 6)).toBeVisible();
  });

  await rater.reload();
  const newSong = await songAt(rater);
  await expect(rater.getByRole("article")).toHaveCount(1);
  await expect(newSong.box).toContainText(`Nova New - ${ownSong}`);
  await hear(rater, newSong);
  await rate(rater, newSong, "Added to my playlist!");
  await expect(rater.getByRole("heading", { name: "No More Songs to Rate" })).toBeVisible();

  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  const panel = page.getByRole("group").filter({ hasText: ownSong });
  await expect(panel.getByRole("heading")).toContainText(`"${ownSong}" - Entitled for 5 Ratings`);
  // The only song stands open.
  await expect(panel.getByText("It already received 1 rating:")).toBeVisible();
  await expect(panel.getByText("Added to my playlist!")).toBeVisible();
  await expect(page.getByText("Ezra")).toHaveCount(0);
});
