/** Playing on the listener's own app, as iPhones do. */
import { devices, expect, type Page, type Request } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import {
  comeBack,
  hear,
  heardTo,
  play,
  playAgain,
  rate,
  songAt,
  statusLine,
} from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { longSongs } from "./support/musician.ts";
import { expectOneScreen } from "./support/one-screen.ts";
import { expectStill } from "./support/operable.ts";

const { defaultBrowserType: _, ...iphone } = devices["iPhone 15"];
test.use(iphone);

function dialog(page: Page, heading: string) {
  return page.getByRole("dialog", { name: heading });
}

test("iPhone: a song played on the own app and rated", async ({ page, musician }) => {
  const listener = await musician();
  await listener.order("openApp");
  await expect(page.getByText("iOS: Songs play on your Spotify app")).toBeVisible();
  const song = await songAt(page);
  await hear(page, song);
  for (const height of [667, 844]) {
    await page.setViewportSize({ width: 375, height });
    await expectOneScreen(page, song);
  }
  await expectStill(page);
  expect(await page.locator("script[src*=spotify-player], iframe").count()).toBe(0);
  const [order] = await listener.calls("PUT /v1/me/player/play");
  expect(order).toMatchObject({
    query: { device_id: expect.any(String) },
    body: { uris: [expect.stringMatching(/^spotify:track:/)], position_ms: 0 },
  });
  await rate(page, song, "Great Song");
  // It is left to its end.
  await expect(song.box.getByRole("button", { name: "Pause" })).toHaveCount(0);
  expect(await listener.calls("PUT /v1/me/player/pause")).toEqual([]);
});

test("iPhone: a song that was rated plays on until the next one is played", async ({
  page,
  musician,
}) => {
  const listener = await musician({ offered: longSongs(2), heard: 1 });
  await listener.order("openApp");
  const song = await songAt(page);
  await playAgain(page, song);
  const { trackId } = await listener.order("state");
  await rate(page, song, "Great Song");
  await expect(statusLine(page)).toHaveText("Playing...");
  expect(await listener.order("state")).toMatchObject({ playing: true, trackId });
  await play(page, await songAt(page));
  await heardTo(page, 1);
  expect(await listener.order("state")).not.toMatchObject({ trackId });
});

test("iPhone: paused in the page, the song goes on where it stands", async ({ page, playing }) => {
  const { listener } = await playing({ heard: 2, onApp: true });
  await page.getByRole("button", { name: /^Pause/ }).click();
  await expect(statusLine(page)).toHaveText("Paused.");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await listener.order("state")).toMatchObject({ playing: false });
  await page.getByRole("button", { name: /^Resume/ }).click();
  await expect(statusLine(page)).toHaveText("Playing...");
  const [, second] = await listener.calls("PUT /v1/me/player/play");
  expect(second?.body).toBeNull();
});

test("iPhone: without an active device the app is asked for, and coming back is enough", async ({
  page,
  musician,
}) => {
  const listener = await musician({ offered: longSongs(1) });
  const song = await songAt(page);
  await play(page, song);
  const setup = dialog(page, "Open your Spotify app");
  await expect(setup).toBeVisible();
  await expect(setup.getByRole("link", { name: "Open this song in Spotify" })).toHaveAttribute(
    "href",
    (await song.box.getByRole("link").first().getAttribute("href")) ?? "",
  );
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(setup).toBeHidden();
  await expect(song.box.getByRole("button", { name: "PLAY SONG" })).toBeFocused();
  // Nothing went wrong.
  await expect(statusLine(page)).toHaveText(
    "Songs play on your Spotify app. Open this song there, press play, and come back.",
  );
  await expect(page.locator(".error, [class*=--error]")).toHaveCount(0);

  await listener.order("openApp");
  await comeBack(page);
  await expect(statusLine(page)).toHaveText("Playing...");
});

test("iPhone: a private session is named, with its end, after which the song goes on", async ({
  page,
  playing,
}) => {
  const { listener } = await playing({ heard: 2, onApp: true });
  await listener.order("privateSession");
  const setup = dialog(page, "Open your Spotify app");
  await expect(setup).toContainText("A private session hides what you play from Fivefold.");
  await expect(setup).toContainText("on a computer, where songs play in the page");
  await expectAccessible(page);
  await listener.order("privateSession", { on: false });
  await comeBack(page);
  await expect(setup).toBeHidden();
  await expect(statusLine(page)).toHaveText("Playing...");
  const [, ...later] = await listener.calls("PUT /v1/me/player/play");
  for (const { body } of later) expect(body).not.toMatchObject({ position_ms: 0 });
});

test("iPhone: an empty answer of Spotify's, an advertisement and an unknown position cost nothing", async ({
  page,
  musician,
}) => {
  const listener = await musician();
  await listener.order("openApp");
  const song = await songAt(page);
  await play(page, song);
  await heardTo(page, 1);
  const route = "GET /v1/me/player/currently-playing";
  const ad = { is_playing: true, progress_ms: 1, item: null, currently_playing_type: "ad" };
  await listener.order("fail", { route, status: 200, body: ad });
  await listener.order("fail", { route: "GET /v1/me/player", status: 204 });
  await rate(page, song, "Great Song");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("iPhone: paused, a dialog; resumed, the timer goes on", async ({ page, playing }) => {
  const { listener } = await playing({ heard: 2, onApp: true });
  await listener.order("pause");
  await comeBack(page);
  const paused = dialog(page, "Playback Paused");
  await expect(paused).toContainText("Resume playback to continue the timer.");
  await expectAccessible(page);
  const [heard = ""] = (await page.getByRole("timer").textContent())?.split(" ") ?? [];
  await page.evaluate(() => {
    const times: string[] = [];
    Object.assign(window, { times });
    const timer = document.querySelector("[role=timer]");
    new MutationObserver(() => times.push(timer?.textContent ?? "")).observe(document, {
      characterData: true,
      subtree: true,
    });
  });
  await paused.getByRole("button", { name: "Resume Playback" }).click();
  await expect(paused).toBeHidden();
  await expect(page.getByRole("timer")).not.toContainText(heard);
  const times = await page.evaluate(() => (window as unknown as { times: string[] }).times);
  // Never back to the start.
  expect(times.filter((time) => time < heard)).toEqual([]);
  const [, second] = await listener.calls("PUT /v1/me/player/play");
  expect(second?.body).toMatchObject({ position_ms: expect.any(Number) });
  expect(second?.body).not.toMatchObject({ position_ms: 0 });
});

test("iPhone: a page loaded anew takes up what was heard", async ({ page, playing }) => {
  const { listener } = await playing({ onApp: true });
  await listener.order("pause");
  await page.reload();
  const paused = dialog(page, "Playback Paused");
  await expect(paused).toBeVisible();
  await heardTo(page, 1);
  await paused.getByRole("button", { name: "Resume Playback" }).click();
  await expect(statusLine(page)).toHaveText("Playing...");
  const [, second] = await listener.calls("PUT /v1/me/player/play");
  expect(second?.body).not.toMatchObject({ position_ms: 0 });
});

test("iPhone: back in the tab, what plays is asked at once", async ({ page, musician }) => {
  await page.clock.install();
  const listener = await musician({ offered: longSongs(1) });
  await listener.order("openApp");
  let asked = 0;
  let answered = 0;
  const asks = (request: Request) => request.url().includes("/me/player/currently-playing");
  page.on("request", (request) => {
    if (asks(request)) asked += 1;
  });
  page.on("requestfinished", (request) => {
    if (asks(request)) answered += 1;
  });
  await play(page, await songAt(page));
  await heardTo(page, 1);
  await page.clock.pauseAt(Date.now() + 10_000);
  // What was under way when the time stood still is let through first.
  await page.clock.runFor(100);
  await expect.poll(() => asked - answered).toBe(0);
  const before = asked;
  await comeBack(page);
  // What a second brings does not come: nothing else asks.
  await page.clock.runFor(60);
  await expect.poll(() => asked).toBe(before + 1);
});
