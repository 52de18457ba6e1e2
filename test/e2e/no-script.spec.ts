import { expect } from "@playwright/test";
import { songAt, songsToRate, submit, unlockMessage } from "./support/carousel.ts";
import { consentAs, test } from "./support/fixtures.ts";
import { longSongs, makeMusician } from "./support/musician.ts";

test.use({ javaScriptEnabled: false });

test("without JavaScript: the last of six songs rated, one added", async ({ page }) => {
  const musician = await makeMusician({ credits: 5, songs: 1 });
  const title = musician.songs[0]?.name ?? "";
  await page.goto("/");
  await consentAs(musician, page);
  await musician.order("openApp");
  await expect(songsToRate(page, 1)).toBeVisible();
  const { box } = await songAt(page);
  await expect(page.getByRole("button", { name: "Keys" })).toHaveCount(0);
  await box.getByRole("button", { name: "PLAY SONG" }).click();
  expect(await musician.order("state")).toMatchObject({ playing: true });
  // Refreshes itself.
  await expect(page.getByText(unlockMessage)).toBeVisible();
  await box.getByRole("radio", { name: "Great Song" }).check();
  await box.getByRole("button", { name: "Rate this song" }).click();
  await expect(page.getByText("Song successfully rated with: Great Song").first()).toBeVisible();
  await page.getByRole("link", { name: "Upload Your Song" }).click();
  await expect(page.getByText("Great job! You've rated 6 songs")).toBeVisible();
  await submit(page, title);
  await page.getByRole("link", { name: "Stay here" }).click();
  await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
  await page.goto(page.url().replace("&stay", ""));
  await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
  // Goes back by itself.
  await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
  await expect(songsToRate(page, 6)).toBeVisible();
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(page.getByText(`"${title}" - Entitled for 5 Ratings`)).toBeVisible();
});

test("without JavaScript: no device, and the way on is told", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/409/);
  const listener = await musician({ offered: longSongs(1) });
  const { box } = await songAt(page);
  await box.getByRole("button", { name: "PLAY SONG" }).click();
  await expect(page.getByText("Spotify is not open on any of your devices.")).toBeVisible();
  await listener.order("openApp");
  await page.getByRole("link", { name: "Take me back to the Carousel" }).click();
  await box.getByRole("button", { name: "PLAY SONG" }).click();
  await expect(page.getByText(/^You can rate this song in \d+ seconds?\./)).toBeVisible();
});

test("without JavaScript: what was heard can be kept and rated after the song", async ({
  page,
  musician,
}) => {
  const listener = await musician();
  await listener.order("openApp");
  const { box } = await songAt(page);
  await box.getByRole("button", { name: "PLAY SONG" }).click();
  await page.getByRole("button", { name: "Let me rate it later" }).click();
  await expect(page.getByRole("button", { name: "Let me rate it later" })).toBeHidden();
  await listener.order("playOther");
  await box.getByRole("radio", { name: "Great Song" }).check();
  await box.getByRole("button", { name: "Rate this song" }).click();
  await expect(page.getByText("Song successfully rated with: Great Song").first()).toBeVisible();
});

test("without JavaScript: a song that never plays cannot be rated, whatever the clock says", async ({
  page,
  musician,
}) => {
  const listener = await musician();
  await listener.order("openApp");
  // Spotify takes the order, and the device stays silent.
  await listener.order("fail", { route: "PUT /v1/me/player/play", status: 204 });
  const { songId } = await songAt(page);
  // Not by the page, which would take a second more to come back.
  expect((await page.request.post(`/songs/${songId}/play`)).status()).toBe(200);
  // The server looks at a moment of its own choice; it finds silence, and so looks again. There is a
  // second at least between two looks: after six of them the clock alone would let the song be rated.
  const looks = async () => (await listener.calls("GET /v1/me/player")).length;
  await expect.poll(looks).toBeGreaterThan(5);
  const rated = await page.request.post(`/songs/${songId}/rating`, { form: { score: "4" } });
  expect(rated.status()).toBe(409);
});

test("without JavaScript: the menu opens on a narrow screen", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/");
  const faq = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "FAQ" });
  await expect(faq).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await faq.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("FAQ");
});

test("without JavaScript: the menu of a phone leads to the login, in sight on the landing page too", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  for (const path of ["/imprint", "/"]) {
    await page.goto(path);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Log in", exact: true }).click();
    await expect(page).toHaveURL("/#login");
    await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
    const login = page.getByRole("button", { name: "Log in with Spotify Premium" });
    await expect(login).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("link", { name: "Come in with your e-mail" })).toBeVisible();
  }
});
