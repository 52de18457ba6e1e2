import { expect, type Page } from "@playwright/test";
import {
  play,
  playerRuns,
  ratedSongs,
  saysRated,
  songAt,
  statusLine,
  unlocked,
} from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";

/** Lets the page's time run ahead until something has come. */
async function waitOut(page: Page, hasCome: () => boolean | Promise<boolean>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward("00:05");
    expect(await hasCome()).toBe(true);
  }).toPass({ intervals: [200] });
}

test("a song that does not start can be started again, and its title is asked for again", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/status of 500/);
  const listener = await musician();
  await listener.order("sdk", { fail: "playback" });
  await listener.order("fail", { route: "GET /v1/tracks/:id", times: -1 });
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText("The song did not start. Try again.");
  await page.getByRole("link", { name: "Songs I rated" }).click();
  await expect(page.getByText("Very quiet Artist - very Quiet song;)")).toBeVisible();
  const asked = page.waitForRequest(/\/v1\/tracks\/\w+$/);
  await page.getByRole("button", { name: "Try again" }).click();
  await asked;
  await page.getByRole("link", { name: "Carousel" }).click();
  await unlocked(page);
});

test("a rating that the network loses is sent again by itself, and counts once", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.clock.install();
  await musician({ heard: 1, credits: 5 });
  const song = await songAt(page);
  await playerRuns(page);
  let sent = 0;
  await page.route("**/rating", async (route) => {
    sent += 1;
    // The first does not arrive; of the second only the answer is lost.
    if (sent === 2) await route.fetch();
    if (sent < 3) await route.abort("internetdisconnected");
    else await route.continue();
  });
  await song.box.getByRole("radio", { name: "Great Song" }).click();
  const alert = song.box.getByRole("alert");
  await expect(alert).toContainText("We will keep trying to send it.");
  await expect(alert).toBeInViewport({ ratio: 1 });
  await expect(song.box.getByRole("radio", { name: "Great Song" })).toBeChecked();
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect.poll(() => sent).toBe(2);
  // From here on it is time alone that passes.
  await waitOut(page, () => sent > 2);
  await saysRated(page, "Great Song");
  expect(sent).toBe(3);
  expect(await ratedSongs(page)).toBe(6);
});

test("a rating that the network has lost arrives while another screen is shown", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/ERR_CONNECTION_RESET/);
  await page.clock.install();
  await musician({ heard: 1 });
  const song = await songAt(page);
  await playerRuns(page);
  await page.clock.pauseAt(Date.now() + 10_000);
  await page.route("**/rating", (route) => route.abort("connectionreset"), { times: 1 });
  await song.box.getByRole("radio", { name: "Great Song" }).click();
  await expect(song.box.getByRole("alert")).toBeVisible();
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(page.getByRole("heading", { name: "Ratings of my songs" })).toBeVisible();
  const counted = page.waitForResponse("**/rating");
  await page.clock.runFor("00:02");
  expect((await counted).status()).toBe(200);
  await expect(page).toHaveURL("/ratings-of-my-songs");
  await page.clock.resume();
  await page.getByRole("link", { name: "Carousel" }).click();
  await saysRated(page, "Great Song");
});

test("where the next songs cannot be loaded, that is said, and tried again", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.clock.install();
  await musician({ heard: 1 });
  const song = await songAt(page);
  await playerRuns(page);
  await page.route("**/health", (route) => route.abort("internetdisconnected"));
  await song.box.getByRole("radio", { name: "Mediocore" }).click();
  await expect(page.getByText("Your rating has been counted, but")).toBeVisible();
  await expect(page.getByText("Loading songs to rate... please wait")).toBeVisible();
  await expect(page.getByRole("link", { name: "Reload songs manually" })).toBeVisible();
  await page.unroute("**/health");
  await waitOut(page, () => page.getByText("Song successfully rated").first().isVisible());
  await saysRated(page, "Mediocore");
});

test("a screen that cannot be read anew stays", async ({ page, musician, complaints }) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED/);
  await musician();
  await playerRuns(page);
  const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/health"));
  await page.context().setOffline(true);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await failed;
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
});
