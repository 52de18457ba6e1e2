import { expect } from "@playwright/test";
import {
  hear,
  play,
  playerRuns,
  ratedSongs,
  saysRated,
  songAt,
  statusLine,
  unlocked,
} from "./support/carousel.ts";
import { control, idOf, test } from "./support/fixtures.ts";

test("a search that fails says so, and the form stays", async ({ page, loginAs }) => {
  await loginAs("Amadou Sarr-Lô");
  await page.goto("/?menu=addownsong");
  const term = page.getByRole("searchbox", { name: "Song or artist" });
  await control("fail", { route: "GET /v1/search", musician: idOf("Amadou Sarr-Lô"), times: -1 });
  await term.fill("Amadou");
  await page.getByRole("button", { name: "SEARCH" }).click();
  await expect(page.getByRole("alert")).toHaveText(
    "Spotify could not be searched right now. Please try again in a moment.",
  );
  await expect(term).toHaveValue("Amadou");
  await control("reset", { musician: idOf("Amadou Sarr-Lô") });
  await page.getByRole("button", { name: "SEARCH" }).click();
  await expect(page.getByRole("alert")).toBeHidden();
  await expect(page.getByRole("link", { name: "Submit this song!" })).not.toHaveCount(0);
});

test("a song that does not start can be started again, and its title is asked for again", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/status of 500/);
  await loginAs("Wren Calloway-Fox");
  const musician = idOf("Wren Calloway-Fox");
  await control("sdk", { fail: "playback", musician });
  await control("fail", { route: "GET /v1/tracks/:id", musician, times: -1 });
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText("Error starting playback. Please try again.");
  await expect(page.getByText("Very quiet Artist - very Quiet song;)")).toBeVisible();
  const asked = page.waitForRequest(/\/v1\/tracks\/\w+$/);
  await page.getByRole("button", { name: "Restart song" }).click();
  await asked;
  await unlocked(page);
});

test("a listen counts by the clock while Spotify does not answer", async ({ page, loginAs }) => {
  await loginAs("Søren Tyndal");
  for (const route of ["GET /v1/me/player", "GET /v1/me/player/currently-playing"]) {
    await control("fail", { route, status: 503, musician: idOf("Søren Tyndal"), times: -1 });
  }
  await hear(page, await songAt(page));
});

test("a rating that the network loses is sent again by itself, and counts once", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED/);
  complaints.expect(/status of 409.*rating/);
  await loginAs("Marisol Quintanar");
  const before = await ratedSongs(page);
  await page.goto("/");
  const song = await songAt(page);
  await hear(page, song);
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
  // From here on it is time alone that passes.
  await saysRated(page, "Great Song");
  expect(sent).toBe(3);
  expect(await ratedSongs(page)).toBe(before + 1);
});

test("a rating that the network has lost arrives while another screen is shown", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/ERR_CONNECTION_RESET/);
  await loginAs("Pernille Klintholm");
  const song = await songAt(page);
  await hear(page, song);
  await page.route("**/rating", (route) => route.abort("connectionreset"), { times: 1 });
  await song.box.getByRole("radio", { name: "Great Song" }).click();
  await expect(song.box.getByRole("alert")).toBeVisible();
  const counted = page.waitForResponse("**/rating");
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(page.getByRole("heading", { name: "Ratings of my songs" })).toBeVisible();
  expect((await counted).status()).toBe(200);
  await expect(page).toHaveURL("/ratings-of-my-songs");
  await page.getByRole("link", { name: "Carousel" }).click();
  await expect(song.box).toContainText("Your rating: Great Song");
});

test("where the next songs cannot be loaded, that is said, and tried again", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED/);
  await loginAs("Radka Vojtková");
  const song = await songAt(page);
  await hear(page, song);
  await page.route("**/health", (route) => route.abort("internetdisconnected"));
  await song.box.getByRole("radio", { name: "Mediocore" }).click();
  await expect(page.getByText("Your rating has been counted, but")).toBeVisible();
  await expect(page.getByText("Loading songs to rate... please wait")).toBeVisible();
  await expect(page.getByRole("link", { name: "Reload songs manually" })).toBeVisible();
  await page.unroute("**/health");
  await saysRated(page, "Mediocore");
});

test("a screen that cannot be read anew stays", async ({ page, loginAs, complaints }) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED/);
  await loginAs("Matteo Sorgente");
  await playerRuns(page);
  const asked = page.waitForRequest("**/health");
  await page.context().setOffline(true);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await asked;
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
});

test("an address that leads nowhere has a readable page", async ({ page, complaints }) => {
  complaints.expect(/status of 404/);
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { name: "Nothing here" })).toBeVisible();
  await page.getByRole("link", { name: "Go to Homepage" }).click();
  await expect(page).toHaveURL("/");
});
