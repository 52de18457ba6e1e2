import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import {
  heardTo,
  play,
  playAgain,
  playButton,
  playerRuns,
  rate,
  songAt,
  statusLine,
  unlocked,
} from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { longSongs, makeMusician, special } from "./support/musician.ts";

function bar(page: Page) {
  return page.getByRole("region", { name: "Player" });
}

/** Goes to a screen that has no card for the song, so that the bar shows it. */
async function leaveCarousel(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Ratings of my songs" })).toBeVisible();
}

test("elsewhere, the bar shows what plays, links it to Spotify, and counts", async ({
  page,
  musician,
}) => {
  await musician({ offered: longSongs(1) });
  await expect(statusLine(page)).toHaveText("Ready");
  const song = await songAt(page);
  const title = await song.box.locator("h2 bdi").last().textContent();
  const href = await song.box.getByRole("link").first().getAttribute("href");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/v1\/tracks\/\w+$/, async (route) => {
    await held;
    await route.continue();
  });
  await play(page, song);
  await heardTo(page, 1);
  await leaveCarousel(page);
  await expect(bar(page)).toContainText("Loading...");
  release();
  const link = bar(page).getByRole("link", { name: title ?? "" });
  await expect(link).toHaveAttribute("href", href ?? "");
  await expect(bar(page).getByRole("img")).toHaveCount(0);
  await expect(bar(page).locator("img")).toHaveJSProperty("complete", true);
  await expect(page.getByRole("timer")).toHaveText(/^0:\d\d \/ [1-6]:\d\d$/);
  await expect(statusLine(page)).toHaveText("Playing...");
});

test("in the carousel, the song's card is the player, and there is no bar", async ({
  page,
  musician,
}) => {
  await musician({ offered: longSongs(2) });
  const song = await songAt(page);
  const cover = song.box.locator("img");
  await expect(song.box.getByRole("region", { name: "Player" })).toHaveCount(1);
  await play(page, song);
  await expect(song.box.getByRole("timer")).toHaveText(/^0:\d\d \/ [1-6]:\d\d$/);
  await expect(song.box.getByRole("region").getByRole("status")).toHaveText("Playing...");
  await expect(cover).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^Pause/ })).toHaveCount(1);
  // A row's song becomes the large one, and the focus goes with it.
  await playButton(song).click();
  const row = await songAt(page, 1);
  await playButton(row).click();
  await expect(row.box.getByRole("timer")).toBeVisible();
  await expect(playButton(row)).toBeFocused();
  await expect(page.getByRole("timer")).toHaveCount(1);
  expect((await songAt(page)).songId).toBe(row.songId);
});

test("the bar names the song as the page does, whatever its title is at Spotify by now", async ({
  page,
  musician,
}) => {
  await musician({ offered: longSongs(1) });
  const song = await songAt(page);
  const title = (await song.box.locator("h2 bdi").last().textContent()) ?? "";
  await page.route(/\/v1\/tracks\/\w+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), name: "\u3164" } });
  });
  await play(page, song);
  await heardTo(page, 1);
  await leaveCarousel(page);
  await expect(bar(page).getByRole("link", { name: title })).toBeVisible();
});

test("once a song is rated and has ended, the next one is a press away", async ({
  page,
  musician,
}) => {
  await musician();
  await play(page, await songAt(page));
  await expect(bar(page).getByRole("slider", { name: "Volume" })).toBeVisible();
  await expect(statusLine(page)).toBeVisible();
  await unlocked(page);
  await rate(page, await songAt(page), "Great Song");
  await expect(page.getByRole("button", { name: /^Pause/ })).toHaveCount(0);
  await expect(playButton(await songAt(page))).toBeInViewport({ ratio: 1 });
});

test("assistive technology hears each message once, and no seconds", async ({ page, musician }) => {
  await musician();
  await playerRuns(page);
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const bar = document.querySelector("[aria-label=Player]") as Element;
    const status = bar.querySelector("[role=status]");
    new MutationObserver(() => said.push(status?.textContent ?? "")).observe(bar, {
      characterData: true,
      childList: true,
      subtree: true,
    });
  });
  await play(page, await songAt(page));
  await unlocked(page);
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
  // How ready the player is, is said first, and what that means to a press that comes before it.
  const messages = said.filter(
    (text, at) => text !== said[at - 1] && !/^(Ready|Spotify is getting ready)/.test(text),
  );
  expect(messages).toEqual([
    "Loading and starting playback...",
    "Playing...",
    "Great, now you can rate this song in its box below! Then click 'Play Song' for the next song.",
  ]);
  const live = bar(page).locator("[aria-live]:not([aria-live=off]), [role=alert], [role=log]");
  await expect(live).toHaveCount(0);
});

test("the system's media display knows the song while it plays", async ({ page, musician }) => {
  const listener = await musician({ offered: longSongs(1) });
  const title = () => page.evaluate(() => navigator.mediaSession.metadata?.title ?? null);
  const song = await songAt(page);
  const name = await song.box.locator("h2 bdi").last().textContent();
  await play(page, song);
  await heardTo(page, 2);
  expect(await title()).toBe(name);
  await listener.order("pause");
  await expect(page.getByRole("button", { name: "Restart song" })).toBeVisible();
  expect(await title()).toBeNull();
});

test("the document's title names the song while it plays, whatever screen is shown", async ({
  page,
  musician,
}) => {
  await musician({ offered: longSongs(1) });
  const song = await songAt(page);
  const name = await song.box.locator("h2 bdi").last().textContent();
  await expect(page).toHaveTitle("Play and rate - Fivefold");
  await play(page, song);
  await expect(page).toHaveTitle(`Dana Free - ${name} - Fivefold`);
  await page.getByRole("link", { name: "FAQ" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("FAQ");
  await expect(page).toHaveTitle(`Dana Free - ${name} - Fivefold`);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(page).toHaveTitle(/^FAQ.* - Fivefold$/);
});

test("a long title keeps the bar in its bounds", async ({ page, musician }) => {
  await musician({ offered: [special.longTitle] });
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText("Playing...");
  await leaveCarousel(page);
  await expectAccessible(page);
});

test("a song without a cover plays with a drawn one", async ({ page, musician }) => {
  await musician({ offered: [special.withoutCover] });
  await play(page, await songAt(page));
  await heardTo(page, 1);
  await leaveCarousel(page);
  await expect(bar(page).locator("img")).toHaveAttribute("src", "/cover-fallback.svg");
});

test("leaving the document ends the sound and the device with it", async ({ page, musician }) => {
  const listener = await musician({ offered: longSongs(1), heard: 1 });
  await playAgain(page, await songAt(page));
  await page.goto("/ratings-of-my-songs");
  await expect.poll(() => listener.order("state")).toMatchObject({ playing: false, devices: [] });
  await page.goBack();
  await playAgain(page, await songAt(page));
  await page.getByRole("button", { name: "Logout" }).click();
  await expect.poll(() => listener.order("state")).toMatchObject({ devices: [] });
});

test("with all there is to press, the bar takes a third of the window at most", async ({
  page,
  loginAs,
}) => {
  const listener = await makeMusician();
  await listener.order("sdk", { fail: "hold" });
  await page.clock.install();
  await page.setViewportSize({ width: 1280, height: 720 });
  await loginAs(listener);
  await play(page, await songAt(page));
  await page.clock.fastForward("00:09");
  await bar(page).getByRole("button", { name: "Play on my Spotify app instead" }).waitFor();
  // Nothing has been heard that could be counted down.
  await expect(page.getByText(/rate in \d/i)).toHaveCount(0);
  await leaveCarousel(page);
  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
    [768, 600],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const name of ["Reconnect", "Try again", "Play on my Spotify app instead"]) {
      await expect(bar(page).getByRole("button", { name })).toBeInViewport({ ratio: 1 });
    }
    const low = await bar(page).boundingBox();
    expect(low?.height).toBeLessThan(height / 3);
    expect((await statusLine(page).boundingBox())?.width).toBeGreaterThan(200);
  }
});
