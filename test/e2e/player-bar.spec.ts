import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import {
  heardTo,
  play,
  playAgain,
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

test("the bar shows what plays, links it to Spotify, and counts", async ({ page, musician }) => {
  await musician({ offered: longSongs(1) });
  await expect(statusLine(page)).toHaveText("Ready");
  const song = await songAt(page);
  const title = await song.box.locator("h2 bdi").last().textContent();
  const href = await song.box.getByRole("link").first().getAttribute("href");
  await page.route(/\/v1\/tracks\/\w+$/, async (route) => {
    await expect(bar(page)).toContainText("Loading...");
    await route.continue();
  });
  await play(page, song);
  const link = bar(page).getByRole("link", { name: title ?? "" });
  await expect(link).toHaveAttribute("href", href ?? "");
  await expect(bar(page).getByRole("img")).toHaveCount(0);
  await expect(bar(page).locator("img")).toHaveJSProperty("complete", true);
  await expect(page.getByRole("timer")).toHaveText(/^0:\d\d \/ [1-6]:\d\d$/);
  await expect(statusLine(page)).toHaveText("Playing...");
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
  await expect(bar(page).getByRole("link", { name: title })).toBeVisible();
});

test("until something is played, the player shows nothing but a fault", async ({
  page,
  musician,
}) => {
  await musician();
  await expect(bar(page)).toContainText("Ready");
  expect((await bar(page).boundingBox())?.height).toBeLessThan(2);
  await play(page, await songAt(page));
  await expect(bar(page).getByRole("slider", { name: "Volume" })).toBeVisible();
  await expect(statusLine(page)).toBeVisible();
  await unlocked(page);
  await rate(page, await songAt(page), "Great Song");
  // The song has ended, and the next one is a press away.
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Play the next song" })).toBeInViewport({
    ratio: 1,
  });
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
    (text, at) => text !== said[at - 1] && !/^(Ready|Initializing)/.test(text),
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
  await expectAccessible(page);
});

test("a song without a cover plays with a drawn one", async ({ page, musician }) => {
  await musician({ offered: [special.withoutCover] });
  await play(page, await songAt(page));
  await heardTo(page, 1);
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
  await expect(page.getByText(/Rate in/)).toHaveCount(0);
  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
    [768, 600],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const name of ["Initialize player", "Try again", "Play on my Spotify app instead"]) {
      await expect(bar(page).getByRole("button", { name })).toBeInViewport({ ratio: 1 });
    }
    const low = await bar(page).boundingBox();
    expect(low?.height).toBeLessThan(height / 3);
    expect((await statusLine(page).boundingBox())?.width).toBeGreaterThan(200);
  }
});
