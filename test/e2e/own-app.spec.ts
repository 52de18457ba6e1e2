/** Playing on the listener's own app, as iPhones do. */
import { devices, expect, type Page, type Request } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import {
  comeBack,
  hear,
  heardTo,
  play,
  rate,
  songAt,
  statusLine,
  unlocked,
} from "./support/carousel.ts";
import { apiCalls, control, idOf, test } from "./support/fixtures.ts";
import { expectOneScreen } from "./support/one-screen.ts";
import { expectStill } from "./support/operable.ts";

const { defaultBrowserType: _, ...iphone } = devices["iPhone 15"];
test.use(iphone);

function dialog(page: Page, heading: string) {
  return page.getByRole("dialog", { name: heading });
}

test("iPhone: a song played on the own app and rated", async ({ page, loginAs }) => {
  await loginAs("Aurelio Montefosco");
  await control("openApp", { musician: idOf("Aurelio Montefosco") });
  await expect(page.getByText("iOS: Songs play on your Spotify app")).toBeVisible();
  const song = await songAt(page);
  await hear(page, song);
  for (const height of [667, 844]) {
    await page.setViewportSize({ width: 375, height });
    await expectOneScreen(page, song);
  }
  await expectStill(page);
  expect(await page.locator("script[src*=spotify-player], iframe").count()).toBe(0);
  const [order] = await apiCalls("Aurelio Montefosco", "PUT /v1/me/player/play");
  expect(order).toMatchObject({
    query: { device_id: expect.any(String) },
    body: { uris: [expect.stringMatching(/^spotify:track:/)], position_ms: 0 },
  });
  await rate(page, song, "Great Song");
  // What was rated need not go on.
  await expect
    .poll(() => control("state", { musician: idOf("Aurelio Montefosco") }))
    .toMatchObject({ playing: false });
});

test("iPhone: without an active device the app is asked for, and coming back is enough", async ({
  page,
  loginAs,
}) => {
  test.setTimeout(90_000);
  await loginAs("Casimir Zaręba");
  const song = await songAt(page);
  await play(page, song);
  const setup = dialog(page, "Open your Spotify app");
  await expect(setup).toBeVisible();
  await expect(setup.getByRole("link", { name: "Open Spotify" })).toHaveAttribute(
    "href",
    /\/track\//,
  );
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(setup).toBeHidden();
  await expect(song.box.getByRole("button", { name: "PLAY SONG" })).toBeFocused();
  await expect(statusLine(page)).toHaveText("Error: Spotify is not active on any of your devices.");

  await control("openApp", { musician: idOf("Casimir Zaręba") });
  await comeBack(page);
  await unlocked(page);
});

test("iPhone: paused, a dialog; resumed, the timer goes on", async ({ page, loginAs }) => {
  test.setTimeout(90_000);
  await loginAs("Dagny Solheim-Vik");
  await control("openApp", { musician: idOf("Dagny Solheim-Vik") });
  await play(page, await songAt(page));
  await heardTo(page, 2);
  await control("pause", { musician: idOf("Dagny Solheim-Vik") });
  await comeBack(page);
  const paused = dialog(page, "Playback Paused");
  await expect(paused).toContainText("Resume playback to continue the timer.");
  await expectAccessible(page);
  const [heard] = (await page.getByRole("timer").textContent())?.split(" ") ?? [];
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
  await unlocked(page);
  const times = await page.evaluate(() => (window as unknown as { times: string[] }).times);
  // Never back to the start.
  expect(times.filter((time) => time < String(heard))).toEqual([]);
  const [, second] = await apiCalls("Dagny Solheim-Vik", "PUT /v1/me/player/play");
  expect(second?.body).toMatchObject({ position_ms: expect.any(Number) });
  expect(second?.body).not.toMatchObject({ position_ms: 0 });
});

test("iPhone: a page loaded anew takes up what was heard", async ({ page, loginAs }) => {
  const musician = { musician: idOf("Henrike Sandvoort") };
  await loginAs("Henrike Sandvoort");
  await control("openApp", musician);
  await play(page, await songAt(page));
  await heardTo(page, 1);
  await control("pause", musician);
  await page.reload();
  const paused = dialog(page, "Playback Paused");
  await expect(paused).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/^0:0[1-3]/);
  await paused.getByRole("button", { name: "Resume Playback" }).click();
  await unlocked(page);
  const [, second] = await apiCalls("Henrike Sandvoort", "PUT /v1/me/player/play");
  expect(second?.body).not.toMatchObject({ position_ms: 0 });
});

test("iPhone: the wrong song is stopped, a dialog leads back to the right one", async ({
  page,
  loginAs,
}) => {
  const musician = { musician: idOf("Haru Tsukishiro") };
  await loginAs("Haru Tsukishiro");
  await control("openApp", musician);
  const song = await songAt(page);
  await play(page, song);
  await heardTo(page, 1);
  await control("playOther", musician);
  await comeBack(page);
  const wrong = dialog(page, "Wrong Song Playing");
  await expect(wrong).toContainText(
    "Wrong song playing! Click Resume Playback below to play the correct song.",
  );
  await expect.poll(() => control("state", musician)).toMatchObject({ playing: false });
  await expect(song.box.getByRole("radio").first()).toBeDisabled();
  await wrong.getByRole("button", { name: "Close" }).click();
  await expect(statusLine(page)).toHaveText(
    "Wrong song playing! Click Resume Playback below to play the correct song.",
  );
  await page.getByRole("button", { name: "Resume Playback" }).click();
  await expect(statusLine(page)).toHaveText("Playing...");
});

test("iPhone: an app that does not obey", async ({ page, loginAs, complaints }) => {
  complaints.expect(/status of 403/);
  const musician = { musician: idOf("Florian Immergrün") };
  await loginAs("Florian Immergrün");
  await control("openApp", { ...musician, restricted: true });
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText(
    "Could not control Spotify app. Please open Spotify app and start playing any song, then click Resume Playback below.",
  );
  await control("openApp", { ...musician, restricted: false });
  await page.getByRole("button", { name: "Resume Playback" }).click();
  await unlocked(page);
});

test("iPhone: back in the tab, what plays is asked at once", async ({ page, loginAs }) => {
  await page.clock.install();
  await loginAs("Inês Salgueirinho");
  await control("openApp", { musician: idOf("Inês Salgueirinho") });
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
  await page.clock.pauseAt(Date.now() + 1_000);
  // What was under way when the time stood still is let through first.
  await page.clock.runFor(100);
  await expect.poll(() => asked - answered).toBe(0);
  const before = asked;
  await comeBack(page);
  // What a second brings does not come: nothing else asks.
  await page.clock.runFor(60);
  await expect.poll(() => asked).toBe(before + 1);
});
