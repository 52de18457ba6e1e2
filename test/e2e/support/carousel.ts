import { expect, type Locator, type Page } from "@playwright/test";

/** What the page says once a song was heard for its time. */
export const unlockMessage =
  "Great, now you can rate this song in its box below! Then click 'Play Song' for the next song.";

export interface Song {
  songId: string;
  /** Its box in the carousel, wherever that moves to. */
  box: Locator;
}

/** The song to rate that stands at the place given in the carousel: the large one, or else the next one, is first. */
export async function songAt(page: Page, place = 0): Promise<Song> {
  const toRate = page.getByRole("article").and(page.locator(":not(.done)"));
  const boxId = await toRate.nth(place).getAttribute("id");
  if (!boxId) throw new Error(`no song at place ${place}`);
  return { songId: boxId.replace(/^song-/, ""), box: page.locator(`[id="${boxId}"]`) };
}

/** Waits until the player runs in the page: from then on PLAY SONG plays here. */
export async function playerRuns(page: Page): Promise<void> {
  await page.getByRole("region", { name: "Player" }).waitFor({ state: "attached" });
}

/** Presses a song's PLAY SONG, once the player runs. */
export async function play(page: Page, { box }: Pick<Song, "box">): Promise<void> {
  await playerRuns(page);
  await box.getByRole("button", { name: "PLAY SONG" }).click();
}

/** Starts a song that was heard already, and waits until it plays: once rated, it would not start. */
export async function playAgain(page: Page, song: Pick<Song, "box">): Promise<void> {
  await playerRuns(page);
  await playButton(song).click();
  await expect(statusLine(page)).toHaveText("Playing...");
}

/** Plays a song and waits until it may be rated. */
export async function hear(page: Page, song: Song): Promise<void> {
  await play(page, song);
  await unlocked(page);
}

/** Waits until the song that plays may be rated. */
export async function unlocked(page: Page): Promise<void> {
  await expect(page.getByText(unlockMessage)).toBeVisible();
}

/** Waits until so many seconds of the song were heard. */
export async function heardTo(page: Page, seconds: number): Promise<void> {
  await expect(page.getByRole("timer")).toHaveText(new RegExp(`^0:(0[${seconds}-9]|[1-5]\\d)`));
}

/** As when the reader comes back to the tab: the player asks at once what plays. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

/** The player's status line, in its song's card or in the bar. */
export function statusLine(page: Page): Locator {
  return page.getByRole("region", { name: "Player" }).getByRole("status");
}

/** Rates a song that was heard, by choosing alone, and waits for the word that it counted. */
export async function rate(page: Page, { box }: Song, label: string): Promise<void> {
  await box.getByRole("radio", { name: label }).click();
  await saysRated(page, label);
}

/** Waits for the word that a rating counted. */
export async function saysRated(page: Page, label: string): Promise<void> {
  await expect(page.getByText(`Song successfully rated with: ${label}`).first()).toBeVisible();
}

/** A song's PLAY SONG, whatever it says at the moment. */
export function playButton({ box }: Pick<Song, "box">): Locator {
  return box.locator(".play button");
}

/** How many rated songs the musician has to spend, as the add-song screen tells those who may add. */
export async function ratedSongs(page: Page): Promise<number> {
  await page.goto("/?menu=addownsong");
  const heading = await page.getByRole("heading", { name: "Great job!" }).textContent();
  return Number(/(\d+) songs?$/.exec(heading ?? "")?.[1]);
}

/** What the line above the songs says is still to be rated. */
export function songsToRate(page: Page, count: number): Locator {
  return page.getByText(`${count} more, then yours.`);
}

/** Searches for a song, chooses the musician's own of that name, and submits it. */
export async function submit(page: Page, title: string, press = "click" as "click" | "dblclick") {
  await page.goto("/?menu=addownsong");
  const artist = await page.getByRole("banner").locator("bdi").textContent();
  await page.getByRole("searchbox", { name: "Song or artist" }).fill(`${artist} ${title}`);
  await page.getByRole("button", { name: "SEARCH" }).click();
  await page.waitForURL(/[?&]q=/);
  await choose(foundSong(page, title), title);
  await page.getByRole("button", { name: "Submit your song" })[press]();
}

/** A song among those found. An album may have the name of another song on it. */
export function foundSong(page: Page, title: string): Locator {
  const named = page.locator(".song-title").filter({ hasText: title });
  return page.getByRole("listitem").filter({ has: named }).first();
}

/** Chooses a song that was found, and waits for the question whether to submit it. */
export async function choose(found: Locator, title: string): Promise<void> {
  await found.getByRole("link", { name: "Submit this song!" }).click();
  const question = found.page().getByRole("heading", { level: 1, name: /^Submit “/ });
  await expect(question).toContainText(title);
}
