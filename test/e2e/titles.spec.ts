/** The title of a song is seen wherever the song stands, however long the names of its artists are. */
import { expect, type Page } from "@playwright/test";
import { artists, tracks } from "../sandbox/catalogue.ts";
import { AWKWARD_TITLES } from "../sandbox/catalogue-words.ts";
import { heardTo, play, songAt } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { longSongs } from "./support/musician.ts";

/** A short title, one of many words, one of a single word, and one from right to left, by six artists each. */
const songs = [
  ...longSongs(1),
  ...AWKWARD_TITLES.slice(0, 3).flatMap((title) => tracks.find(({ name }) => name === title) ?? []),
].map((track) => ({ ...track, artistIds: artists.slice(0, 6).map(({ id }) => id) }));

/**
 * Each element with a title shows its first letters, on a small phone and larger ones, at the browser's
 * sizes of text from usual to double.
 */
async function expectTitles(page: Page, selector: string, count: number): Promise<void> {
  await expect(page.locator(selector)).toHaveCount(count);
  const settings = await page.context().newCDPSession(page);
  for (const width of [320, 375, 390]) {
    for (const standard of [16, 24, 32]) {
      await page.setViewportSize({ width, height: 844 });
      await settings.send("Page.setFontSizes", { fontSizes: { standard } });
      const lost = () => page.locator(selector).evaluateAll(lostTitles);
      await expect.poll(lost, `${width} px, text of ${standard} px`).toEqual([]);
    }
  }
}

/** Runs in the page, and so stands alone. */
function lostTitles(titles: Element[]): (string | null)[] {
  const isLost = (title: Element) => {
    const text = document.createTreeWalker(title, NodeFilter.SHOW_TEXT).nextNode();
    const range = document.createRange();
    if (!text) return true;
    range.setStart(text, 0);
    range.setEnd(text, 5);
    const [letters] = range.getClientRects();
    if (!letters?.width) return true;
    for (let at: Element | null = title; at; at = at.parentElement) {
      const frame = at.getBoundingClientRect();
      const isWithin =
        letters.left >= frame.left - 1 &&
        letters.right <= frame.right + 1 &&
        letters.top >= frame.top - 5 &&
        letters.bottom <= frame.bottom + 5;
      if (getComputedStyle(at).overflowX !== "visible" && !isWithin) return true;
    }
    return letters.left < 0 || letters.right > window.innerWidth;
  };
  return titles.filter(isLost).map(({ textContent }) => textContent);
}

for (const [place, song] of songs.entries()) {
  test(`title: ${song.name.slice(0, 20)} in its box, and in the bar`, async ({
    page,
    musician,
  }) => {
    const offered = [song, ...songs.toSpliced(place, 1)];
    await musician({ offered });
    await play(page, await songAt(page));
    await heardTo(page, 1);
    await page.getByRole("link", { name: "Ratings of my songs" }).click();
    await expectTitles(page, ".player__title a", 1);
    await page.goBack();
    await expectTitles(page, "article.large .song-title > bdi", 1);
    await expectTitles(page, "article.slim .song-title > bdi", 3);
  });
}

test("title: in the list of rated songs", async ({ page, musician }) => {
  await musician({ offered: songs, rated: songs.map(() => 3) });
  await page.goto("/rated");
  await expectTitles(page, "li .song-title > bdi:last-of-type", songs.length);
});

test("title: in the list and on the page of one's own songs", async ({ page, musician }) => {
  const owner = await musician({ own: songs.map((track) => ({ track })) });
  await page.goto("/ratings-of-my-songs");
  await expectTitles(page, "summary bdi", songs.length);
  await page.goto(`/ratings-of-my-songs/${owner.own[1]?.id}`);
  await expectTitles(page, "main .song-title > bdi:last-of-type", 1);
});
