/** What can go wrong with the player in the page, each with its message. */
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { heardTo, play, playerRuns, songAt, statusLine } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { explicitSong, longSongs } from "./support/musician.ts";

const lost = "The connection to Spotify is gone, and you can go on here.";
const takenOver = "Spotify plays on another device now, and you can go on here.";
const playRoute = "PUT /v1/me/player/play";

const player = (page: Page) => page.getByRole("region", { name: "Player" });
const resume = (page: Page) => player(page).getByRole("button", { name: "Resume", exact: true });

async function expectOneWayOut(page: Page): Promise<void> {
  await expect(resume(page)).toBeVisible();
  await expect(player(page).getByRole("button")).toHaveCount(1);
}

/** However slow the machine is, these do not end while a test looks. */
const offered = longSongs(1);

test("a token that expires in mid-song is renewed, and the song goes on", async ({
  page,
  playing,
}) => {
  const { listener } = await playing();
  const renewed = page.waitForResponse("**/sdk/token");
  await listener.order("expireTokens");
  expect((await renewed).ok()).toBe(true);
  await heardTo(page, 3);
  await expect(statusLine(page)).toHaveText("Playing...");
  expect(await listener.calls(playRoute)).toHaveLength(1);
});

test("sound that the browser holds back is asked for", async ({ page, musician }) => {
  const listener = await musician({ offered });
  await listener.order("sdk", { fail: "autoplay" });
  const song = await songAt(page);
  await play(page, song);
  await expect(statusLine(page)).toHaveText("Your browser held the sound back. Play it once more.");
  await play(page, song);
  await expect(statusLine(page)).toHaveText("Playing...");
});

test("a device that takes over is told, and the song can be taken back", async ({
  page,
  playing,
}) => {
  const { listener, song } = await playing({ heard: 2 });
  const { trackId } = await listener.order("state");
  await listener.order("play", { trackId });
  await expect(statusLine(page)).toHaveText(takenOver);
  await expect(song.box.getByRole("radio").first()).toBeDisabled();
  await expectOneWayOut(page);
  await resume(page).click();
  await expect(statusLine(page)).toHaveText("Playing...");
});

test("a network that goes away in mid-song is told; back again, the song can be heard", async ({
  page,
  playing,
}) => {
  const { listener } = await playing({ heard: 2 });
  await listener.order("sdk", { fail: "offline" });
  await expect(statusLine(page)).toHaveText(lost);
  await expectOneWayOut(page);
  await page.context().setOffline(true);
  await expect(statusLine(page)).toHaveText(/^You are offline/);
  await page.context().setOffline(false);
  await expect(statusLine(page)).toHaveText(lost);
  await listener.order("sdk", { fail: "none" });
  await resume(page).click();
  await expect(statusLine(page)).toHaveText("Playing...");
});

test("a device that was lost for good is replaced, and the song goes on", async ({
  page,
  playing,
}) => {
  const { listener } = await playing({ heard: 2 });
  await listener.order("dropDevice");
  await expect(statusLine(page)).toHaveText(lost);
  await expectOneWayOut(page);
  await resume(page).click();
  await expect(statusLine(page)).toHaveText("Playing...");
  const [, second] = await listener.calls(playRoute);
  expect(second?.body).not.toMatchObject({ position_ms: 0 });
});

test("an explicit song is marked; whose Spotify hides it reads that, and is led to passing", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/status of 409.*\/play\)/);
  const song = explicitSong();
  const listener = await musician({ offered: [song, ...longSongs(1)] });
  await listener.order("hideExplicit");
  const box = await songAt(page);
  await expect(box.box.getByText("Explicit", { exact: true })).toBeVisible();
  await expect(page.getByText("Explicit", { exact: true })).toHaveCount(1);
  await expectAccessible(page);
  await play(page, box);
  await expect(statusLine(page)).toContainText("your Spotify hides explicit songs");
  // The mark takes no room of the title, which is whole on a phone too.
  await page.setViewportSize({ width: 390, height: 844 });
  const isCut = (title: Element) => title.scrollHeight > title.clientHeight + 1;
  expect(await box.box.locator(".song-name > bdi").evaluate(isCut)).toBe(false);
  await page
    .getByRole("region", { name: "Player" })
    .getByRole("link", { name: "I can't rate this" })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/pass\/reason$/);
});

test("a limit that the page cannot read is waited for", async ({ page, musician, complaints }) => {
  complaints.expect(/blocked by CORS policy/);
  complaints.expect(/ERR_FAILED.*\/me\/player\/play/);
  await page.clock.install();
  const listener = await musician({ offered });
  await playerRuns(page);
  await listener.order("hideLimits", { cors: true });
  await listener.order("fail", { route: playRoute, status: 429, times: 2 });
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText(
    "Spotify asks us to slow down. The song starts by itself.",
  );
  await expect(async () => {
    await page.clock.fastForward("00:01");
    const orders = await listener.calls(playRoute);
    expect(orders.map(({ status }) => status)).toEqual([429, 429, 204]);
  }).toPass({ intervals: [100] });
  await expect(statusLine(page)).toHaveText("Playing...");
});
