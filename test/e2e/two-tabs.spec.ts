/** What is rated elsewhere, a tab that is open learns. */
import { expect, type Page } from "@playwright/test";
import {
  comeBack,
  heardTo,
  play,
  playButton,
  playerRuns,
  rate,
  type Song,
  saysRated,
  songAt,
  songsToRate,
  statusLine,
  unlocked,
} from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { shortSongs } from "./support/musician.ts";

const inTab = (tab: Page, { songId }: Song): Song => ({
  songId,
  box: tab.locator(`[id="song-${songId}"]`),
});

/** The tab knows the rating, which can still be changed there, and offers another song; nothing has gone wrong. */
async function expectMovedOn(page: Page, song: Song): Promise<void> {
  await saysRated(page, "Great Song");
  await expect(song.box.locator(".play button")).toHaveCount(0);
  await expect(songsToRate(page, 5)).toBeVisible();
  for (const text of ["Try again", "Reconnect", "You have already rated this song."]) {
    await expect(page.getByText(text)).toHaveCount(0);
  }
  const next = await songAt(page);
  expect(next.songId).not.toBe(song.songId);
  await play(page, next);
  await expect(statusLine(page)).toHaveText("Playing...");
}

test("a song that another tab has taken over and rated is over in the first one too", async ({
  page,
  anotherTab,
  musician,
}) => {
  await musician({ offered: shortSongs(3) });
  const song = await songAt(page);
  await play(page, song);
  await heardTo(page, 1);
  const other = await anotherTab();
  await playButton(inTab(other, song)).click();
  await unlocked(other);
  // It ends there, and can be rated here too.
  await expect(song.box.getByRole("radio").first()).toBeEnabled();
  await expect(page.getByText("The song stopped.")).toHaveCount(0);
  await rate(other, inTab(other, song), "Great Song");
  await expectMovedOn(page, song);
});

test("a rating from another tab is seen also where it comes while data loads", async ({
  page,
  anotherTab,
  musician,
}) => {
  await musician({ offered: shortSongs(3), heard: 1 });
  await playerRuns(page);
  const song = await songAt(page);
  const other = await anotherTab();
  const old = Promise.withResolvers<void>();
  const rated = Promise.withResolvers<void>();
  await page.route(/_data=/, async (route) => {
    const response = await route.fetch();
    old.resolve();
    await rated.promise;
    await route.fulfill({ response });
  });
  await comeBack(page);
  await old.promise;
  await rate(other, inTab(other, song), "Great Song");
  rated.resolve();
  await expect(songsToRate(page, 5)).toBeVisible();
});

test("PLAY SONG for a song that was rated on another device leads to the next one", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/status of 409/);
  await musician({ offered: shortSongs(3), heard: 1 });
  await playerRuns(page);
  const song = await songAt(page);
  await page.request.post(`/songs/${song.songId}/rating`, { form: { score: "3" } });
  await playButton(song).click();
  await expectMovedOn(page, song);
});

test("a rating can be changed and explained after a reload and a return, until the next song is begun", async ({
  page,
  anotherTab,
  musician,
}) => {
  await musician({ offered: shortSongs(3), heard: 1 });
  await playerRuns(page);
  const song = await songAt(page);
  await rate(page, song, "Great Song");
  const change = page.getByText("Change", { exact: true });
  const reasons = page.getByRole("group", { name: "What stayed with you?" });
  await page.reload();
  await expect(change).toBeVisible();
  await expect(reasons).toBeVisible();
  await page.goto("/faq");
  await page.goto("/");
  await expect(reasons).toBeVisible();
  await change.click();
  await page.getByRole("button", { name: "Not for me" }).click();
  await saysRated(page, "Not for me");
  // Whoever wants to see the next song before it plays asks for the carousel.
  await page.getByRole("link", { name: "Carousel", exact: true }).click();
  await expect(reasons).toHaveCount(0);
  await page.reload();
  await expect(reasons).toBeVisible();

  await playerRuns(page);
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText("Playing...");
  await expect(reasons).toHaveCount(0);
  const next = await anotherTab();
  await playerRuns(next);
  await expect(next.getByText("Song successfully rated")).toHaveCount(0);
});
