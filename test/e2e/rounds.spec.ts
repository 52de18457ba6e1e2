/** Six people, a link and an evening: each in a browser of their own, from the link to the results (rule 47, rounds). */
import { type Browser, expect, type Page } from "@playwright/test";
import { makeWav } from "../support/recordings/sound-files.ts";
import { foundSong, hear, rate, songAt, unlockMessage } from "./support/carousel.ts";
import { fillUpload, hearDraft } from "./support/draft.ts";
import { consentAs, test } from "./support/fixtures.ts";
import { onDatabase } from "./support/local-database.ts";
import { mailTo } from "./support/mailbox.ts";
import { type Musician, makeMusician, unique } from "./support/musician.ts";

const phone = { viewport: { width: 390, height: 844 } };

async function openRound(host: Page, name: string): Promise<string> {
  await host.goto("/rounds");
  await host.getByLabel("What is it called?").fill(name);
  await host.getByRole("radio", { name: "Six" }).check();
  await host.getByRole("button", { name: "Open the round" }).click();
  await expect(host.getByRole("heading", { name: "None of six are in." })).toBeVisible();
  return host.getByLabel("The round's link").inputValue();
}

/** From the page that asks which song is theirs. */
async function handInTrack(page: Page, { displayName, songs: [song] }: Musician, name: string) {
  await page.getByRole("button", { name: /^Choose a/ }).click();
  await page
    .getByRole("searchbox", { name: "Song or artist" })
    .fill(`${displayName} ${song?.name}`);
  await page.getByRole("button", { name: "SEARCH" }).click();
  await page.waitForURL(/[?&]q=/);
  await foundSong(page, song?.name ?? "")
    .getByRole("link")
    .last()
    .click();
  await page.getByRole("button", { name: `Hand it in to ${name}` }).click();
  await expect(page).toHaveURL(/\/rounds\//);
}

async function handInFile(page: Page, title: string, name: string, seconds: number) {
  await page.getByRole("button", { name: /^Choose a/ }).click();
  await fillUpload(page, title, makeWav(seconds));
  await page.getByRole("button", { name: "Listen, then submit" }).click();
  await hearDraft(page);
  await page.getByRole("button", { name: `Hand it in to ${name}` }).click();
}

/** Takes a seat by the link, and comes in by Spotify on the way. */
async function comeBySpotify(page: Page, link: string, musician: Musician): Promise<void> {
  await page.goto(link);
  await page.getByRole("link", { name: "Take a seat" }).click();
  await consentAs(musician, page);
  await expect(page.getByRole("heading", { name: "Which song is yours?" })).toBeVisible();
}

/** The same by e-mail, as somebody who was never here. */
async function comeByMail(page: Page, link: string): Promise<void> {
  const address = `${unique()}@mail.example`;
  await page.goto(link);
  await page.getByRole("link", { name: "Take a seat" }).click();
  await page.getByRole("link", { name: "Come in with your e-mail" }).click();
  await page.getByLabel("E-mail address").fill(address);
  await page.getByRole("button", { name: "Send me the code" }).click();
  const { subject } = await mailTo(address, "Your code is");
  await page.getByLabel("Code of six digits").fill(subject.slice(0, 6));
  await page.getByRole("button", { name: "Come in" }).click();
  await page.getByLabel("Artist's name").fill(`Mail ${unique()}`);
  await page.getByRole("button", { name: "Make my account" }).click();
  await expect(page.getByRole("heading", { name: "Which song is yours?" })).toBeVisible();
}

function heardOf(page: Page, name: string) {
  return page.getByRole("heading", { name: new RegExp(`^${name}: \\d of \\d heard`) });
}

/** Hears and rates what is theirs to hear, until nothing is. */
async function listen(page: Page, name: string): Promise<void> {
  await page.goto("/");
  for (let heard = 0; heard < 5; heard += 1) {
    if (!(await heardOf(page, name).isVisible())) break;
    const song = await songAt(page);
    await hear(page, song);
    await rate(page, song, heard % 2 === 0 ? "Great Song" : "Mediocore");
  }
}

async function listenWithoutScripts(page: Page, musician: Musician, name: string): Promise<void> {
  await musician.order("openApp");
  await page.goto("/");
  for (let heard = 0; heard < 5; heard += 1) {
    await expect(heardOf(page, name)).toContainText(`${heard} of 5`);
    const sound = page.locator("audio");
    const unlocked = page.getByText(unlockMessage);
    await page.getByRole("button", { name: "PLAY SONG" }).first().click();
    await expect(sound.or(unlocked).first()).toBeVisible();
    if (await sound.isVisible()) await hearFile(page, musician);
    await page.getByRole("radio", { name: "Great Song" }).first().check();
    await page.getByRole("button", { name: "Rate this song" }).first().click();
    await expect(page.getByText("Song successfully rated with: Great Song").first()).toBeVisible();
  }
}

async function hearFile(page: Page, { userId }: Musician): Promise<void> {
  const heard = `SELECT delivered_ms >= required_seconds * 1000
    AND unixepoch() * 1000 - started_at > (required_seconds + 1) * 1000
    FROM listens WHERE closed_at IS NULL AND user_id = ?`;
  await expect.poll(() => onDatabase(heard, [userId])).toEqual([[1]]);
  await page.getByRole("button", { name: "I have listened" }).click();
}

async function openOwn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "All six have listened." })).toBeVisible();
  await page.getByRole("button", { name: "Open yours" }).click();
  // Of a track one is missing, because one of them does not hear Spotify's.
  const verdict = /^(\d of 5 liked it|All four are in)\./;
  await expect(page.getByRole("heading", { name: verdict })).toBeVisible();
}

async function contextOf(browser: Browser, options: Parameters<Browser["newContext"]>[0]) {
  return (await browser.newContext(options)).newPage();
}

test("six browsers, from the link to the results: phones, one without scripts, one without Spotify", async ({
  page: host,
  browser,
  anotherBrowser,
  loginAs,
}) => {
  const name = `Round ${unique()}`;
  const [owner, onPhone, bare, ...others] = await Promise.all(
    Array.from({ length: 5 }, () => makeMusician({ songs: 1, offered: [] })),
  );
  const [one, two] = others;
  if (!owner || !onPhone || !bare || !one || !two) throw new Error("too few musicians");
  await loginAs(owner, host);
  const link = await openRound(host, name);
  await host.getByRole("link", { name: "Hand in your song" }).click();
  await handInTrack(host, owner, name);

  const mobile = await contextOf(browser, phone);
  await comeBySpotify(mobile, link, onPhone);
  await handInTrack(mobile, onPhone, name);
  const scriptless = await contextOf(browser, { javaScriptEnabled: false });
  await comeBySpotify(scriptless, link, bare);
  await handInTrack(scriptless, bare, name);
  const byMail = await contextOf(browser, phone);
  await comeByMail(byMail, link);
  await handInFile(byMail, `Mailed ${name}`, name, 6);
  const withFile = await anotherBrowser();
  await comeBySpotify(withFile, link, one);
  await handInFile(withFile, `File ${name}`, name, 7);
  const last = await anotherBrowser();
  await comeBySpotify(last, link, two);
  await handInTrack(last, two, name);
  await host.goto(link);
  await expect(host.getByRole("heading", { name: /of six have listened\.$/ })).toBeVisible();

  await Promise.all([
    listen(host, name),
    listen(mobile, name),
    listen(byMail, name),
    listen(withFile, name),
    listen(last, name),
    listenWithoutScripts(scriptless, bare, name),
  ]);
  for (const page of [host, mobile, withFile, last, scriptless]) await openOwn(page, link);
  await host.getByRole("button", { name: "Show mine to the round" }).click();
  await expect(host.getByRole("button", { name: "Keep mine to myself" })).toBeVisible();
  await scriptless.goto(link);
  await expect(scriptless.getByText("One has laid theirs open; four keep them.")).toBeVisible();
  for (const page of [mobile, scriptless, byMail]) await page.context().close();
});
