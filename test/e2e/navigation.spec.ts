/** A song plays on while the member moves between screens; what ends it asks first. */
import { expect, type Page } from "@playwright/test";
import {
  choose,
  comeBack,
  foundSong,
  heardTo,
  play,
  playAgain,
  playButton,
  playerRuns,
  songAt,
  statusLine,
  unlocked,
} from "./support/carousel.ts";
import { consentAs, test } from "./support/fixtures.ts";
import { endLogins } from "./support/logins.ts";
import { longSongs, makeMusician } from "./support/musician.ts";

/** Moves by a link, and sees that the document stays the same. */
async function follow(page: Page, name: string, heading: string): Promise<void> {
  await page.evaluate(() => document.body.setAttribute("data-same", ""));
  await page.getByRole("link", { name, exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  await expect(page.locator("body[data-same]")).toHaveCount(1);
}

/** The paths of all that a page fetches from now on. */
function pathsFetched(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

test("a song plays on through all screens, and is unlocked there", async ({ page, musician }) => {
  await musician();
  const song = await songAt(page);
  const boxes = page.getByRole("article");
  const offered = await boxes.count();
  await play(page, song);
  await heardTo(page, 1);
  const fetched = pathsFetched(page);
  await page.getByRole("link", { name: "Ratings of my songs" }).hover();
  await follow(page, "Ratings of my songs", "Ratings of my songs");
  // Its data came once: fetched ahead as well, they would count as a visit.
  expect(fetched.filter((path) => path === "/ratings-of-my-songs")).toHaveLength(1);
  await expect(page).toHaveTitle("Ratings of my songs - Fivefold");
  await follow(page, "Songs I rated", "Songs I rated");
  await follow(page, "FAQ", "FAQ");
  await follow(page, "Imprint", "Imprint");
  await expect(page.getByText("You can rate this song now.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Rate it" })).toBeVisible();
  await follow(page, "Carousel", "PLAY and RATE");
  await expect(boxes).toHaveCount(offered);
  const scripts = fetched.filter((path) => path.endsWith(".js"));
  expect(scripts).toEqual([...new Set(scripts)]);
  await expect(song.box.getByRole("radio").first()).toBeEnabled();
});

test("a song plays on while the member adds one of their own, at the second try", async ({
  page,
  complaints,
  musician,
}) => {
  complaints.expect(/status of 503/);
  const { displayName, songs } = await musician({ credits: 6, songs: 1 });
  const title = songs[0]?.name ?? "";
  await play(page, await songAt(page));
  await follow(page, "Upload Your Song", "Great job!");
  await page.getByRole("searchbox").fill(`${displayName} ${title}`);
  await page.getByRole("button", { name: "SEARCH" }).click();
  const found = foundSong(page, title);
  await choose(found, title);
  const submit = page.getByRole("button", { name: "Submit your song" });
  const failed = { status: 503, json: { error: "Not now" } };
  await page.route("**/submissions", (route) => route.fulfill(failed), { times: 1 });
  await submit.click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await submit.click();
  await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
  await unlocked(page);
  await expect(page.getByRole("heading", { level: 1, name: "PLAY and RATE" })).toBeVisible();
  await expect(page.locator("body[data-same]")).toHaveCount(1);
});

test("without a network the screen stays, says so, and the song plays on", async ({
  page,
  context,
  playing,
}) => {
  // One that does not unlock meanwhile: the page would have to tell the server, and could not.
  await playing();
  const notice = page.getByText("You are offline right now.");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(notice).toBeVisible();
  await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
  await context.setOffline(false);
  await expect(notice).toBeHidden();
  await follow(page, "Ratings of my songs", "Ratings of my songs");
  const timer = page.getByRole("timer");
  await expect(timer).not.toHaveText((await timer.textContent()) ?? "");
});

/** Loads the page anew as its reader would, who wants to stay if asked. @returns the questions asked. */
async function tryToLeave(page: Page): Promise<string[]> {
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.dismiss();
  });
  await page.evaluate(() => window.location.reload());
  return questions;
}

test("leaving the document asks first while a listen would be lost", async ({ page, playing }) => {
  await playing();
  const questions = await tryToLeave(page);
  await expect.poll(() => questions).toEqual(["beforeunload"]);
  await expect(page.getByRole("timer")).toBeVisible();
});

test("leaving the document asks nothing while the song is paused, and so after a reload", async ({
  page,
  playing,
}) => {
  await playing();
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  await expect(statusLine(page)).toHaveText("Paused.");
  await page.getByRole("banner").click({ position: { x: 1, y: 1 } });
  await page.goto("/faq");
  expect(questions).toEqual(["beforeunload"]);
});

test("leaving the document asks nothing once the song can be rated", async ({ page, musician }) => {
  await musician();
  await play(page, await songAt(page));
  await unlocked(page);
  const questions = await tryToLeave(page);
  await expect(page.getByRole("timer")).toBeHidden();
  expect(questions).toEqual([]);
});

test("the focus goes to the screen that is shown, and Back leads back to the song", async ({
  page,
  musician,
}) => {
  await musician();
  await play(page, await songAt(page));
  await follow(page, "Ratings of my songs", "Ratings of my songs");
  await expect(page.getByRole("main")).toBeFocused();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await unlocked(page);
});

test("where the login has ended meanwhile, the music ends, and a login leads back", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  const member = await musician({ offered: longSongs(1) });
  const hasEnded = page.getByText("Your login has ended. Log in again.");
  const song = await songAt(page);
  await play(page, song);
  await heardTo(page, 1);
  await endLogins(member);
  await song.box.getByRole("button", { name: "Add to my favorites" }).click();
  await expect(hasEnded).toBeVisible();
  await consentAs(member, page);
  await playAgain(page, song);
  await endLogins(member);
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(hasEnded).toBeVisible();
  await expect(page.getByRole("region", { name: "Player" })).toHaveCount(0);
  await consentAs(member, page);
  await expect(page.getByRole("heading", { name: "Ratings of my songs" })).toBeVisible();
  await expect(page).toHaveURL("/ratings-of-my-songs");
});

test("where another tab has logged out, PLAY, the menu and the return to the tab say so", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  const member = await musician({ offered: longSongs(1) });
  const hasEnded = page.getByText("Your login has ended. Log in again.");
  const song = await songAt(page);
  // Else the player, which comes later, finds the login ended before PLAY does.
  await playerRuns(page);
  await page.context().clearCookies();
  await playButton(song).click();
  await expect(hasEnded).toBeVisible();
  await consentAs(member, page);
  await expect(song.box).toBeVisible();
  await page.context().clearCookies();
  await comeBack(page);
  await expect(hasEnded).toBeVisible();
  await consentAs(member, page);
  await playAgain(page, song);
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(hasEnded).toBeVisible();
});

test("where another tab has logged somebody else in, their songs play with their own Spotify", async ({
  page,
  playing,
  loginAs,
}) => {
  await playing();
  const other = await makeMusician({ offered: longSongs(2) });
  const tab = await page.context().newPage();
  await loginAs(other, tab);
  await tab.close();
  await follow(page, "Ratings of my songs", "Ratings of my songs");
  await page.goBack();
  await playAgain(page, await songAt(page, 1));
  await heardTo(page, 1);
  expect(await other.calls("PUT /v1/me/player/play")).toHaveLength(1);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the menu closes when it has led somewhere", async ({ page, musician }) => {
    await musician();
    await play(page, await songAt(page));
    await page.getByRole("button", { name: "Menu" }).click();
    await follow(page, "FAQ", "FAQ");
    await expect(page.getByRole("link", { name: "Ratings of my songs" })).toBeHidden();
    await page.getByRole("link", { name: "Rate it" }).click();
    await unlocked(page);
  });
});

test("a network that fails and a fault of ours are told apart, and a song plays on", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/);
  complaints.expect(/TypeError/);
  await musician({ offered: longSongs(1) });
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText("Playing...");
  const rated = page.getByRole("link", { name: "Songs I rated" }).first();
  const heading = page.getByRole("heading", { level: 1 });
  await page.route(/\/rated\?_data=/, (route) => route.abort());
  await rated.click();
  await expect(heading).toHaveText("No connection");
  await page.unroute(/\/rated\?_data=/);
  await page.goBack();
  await page.route(/\/rated\?_data=/, (route) =>
    route.fulfill({ json: { viewer: {} }, headers: { "X-Remix-Response": "yes" } }),
  );
  await rated.click();
  await expect(heading).toHaveText("Something went wrong");
  await expect(statusLine(page)).toHaveText("Playing...");
});
