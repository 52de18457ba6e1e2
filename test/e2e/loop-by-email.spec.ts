/** A member who comes in by e-mail goes the whole loop on a phone: hears, rates, uploads, and reads what another says. */
import { expect, type Page } from "@playwright/test";
import { makeWav } from "../support/recordings/sound-files.ts";
import { hear, rate, songAt } from "./support/carousel.ts";
import { fillUpload, hearDraft } from "./support/draft.ts";
import { test } from "./support/fixtures.ts";
import { onDatabase } from "./support/local-database.ts";
import { forgetSpotify } from "./support/logins.ts";
import { mailTo } from "./support/mailbox.ts";
import { type Musician, makeMusician, offer, shortSongs } from "./support/musician.ts";
import { makeOwnRecordings } from "./support/own-recordings.ts";

const phone = { viewport: { width: 390, height: 844 } };
const songSeconds = 5;

/** Somebody without Spotify, who has so many own recordings to rate. */
async function makeMember(songs: number, credits: number): Promise<Musician> {
  const member = await makeMusician({ offered: shortSongs(songs), credits });
  await forgetSpotify(member);
  await makeOwnRecordings(member, songSeconds);
  return member;
}

async function logIn(page: Page, { userId }: Musician): Promise<void> {
  const address = `${userId}@mail.example`;
  await page.goto("/login/email");
  await page.getByLabel("E-mail address").fill(address);
  await page.getByRole("button", { name: "Send me the code" }).click();
  await expect(page.getByRole("heading", { name: "Look into your mail." })).toBeVisible();
  const { subject } = await mailTo(address, "Your code is");
  await page.getByLabel("Code of six digits").fill(subject.slice(0, 6));
  await page.getByRole("button", { name: "Come in" }).click();
  await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
}

async function upload(page: Page, title: string): Promise<void> {
  await page.goto("/?menu=addownsong");
  await fillUpload(page, title, makeWav(6));
  await page.getByRole("button", { name: "Listen, then submit" }).click();
  await hearDraft(page);
  await page.getByRole("button", { name: "Submit your song" }).click();
  await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
  await expectDrawnCover(page);
}

/** The page's first cover is drawn, and there. */
async function expectDrawnCover(page: Page): Promise<void> {
  const cover = page.locator("img.cover").first();
  await expect(cover).toHaveAttribute("src", /^\/covers\/[\w-]{43}\.svg$/);
  const isDrawn = (img: HTMLImageElement) => img.complete && img.naturalWidth > 0;
  await expect.poll(() => cover.evaluate(isDrawn)).toBe(true);
}

/** Another musician is given the song, hears it in a browser of their own, and rates it. */
async function rateElsewhere(rater: Page, { userId }: Musician, login: LoginAs): Promise<void> {
  const sql = "SELECT id FROM songs WHERE owner_id = ?";
  const [[songId = ""] = []] = (await onDatabase(sql, [userId])) as string[][];
  const listener = await makeMusician({ offered: [] });
  await offer(listener, [songId]);
  await login(listener, rater);
  const song = await songAt(rater);
  await expectDrawnCover(rater);
  await hear(rater, song);
  await rate(rater, song, "Great Song");
}

type LoginAs = (musician: Musician, page?: Page) => Promise<void>;

async function readResult(page: Page, title: string): Promise<void> {
  await page.goto("/ratings-of-my-songs");
  const panel = page.getByRole("group").filter({ hasText: title });
  await expect(panel.getByText("It already received 1 rating:")).toBeVisible();
  await expect(panel.getByText("Great Song")).toBeVisible();
  await expectDrawnCover(page);
}

test.describe("with JavaScript", () => {
  test.use(phone);

  test("by e-mail on a phone: six songs heard and rated, one uploaded, its rating read", async ({
    page,
    anotherBrowser,
    loginAs,
  }) => {
    const member = await makeMember(6, 0);
    const title = `Loop ${member.displayName}`;
    await logIn(page, member);
    await expectDrawnCover(page);
    for (let rated = 0; rated < 6; rated += 1) {
      const song = await songAt(page);
      await hear(page, song);
      await rate(page, song, rated % 2 === 0 ? "Great Song" : "Mediocore");
    }
    await upload(page, title);
    await rateElsewhere(await anotherBrowser(), member, loginAs);
    await readResult(page, title);
  });
});

test.describe("without JavaScript", () => {
  test.use({ ...phone, javaScriptEnabled: false });

  test("by e-mail on a phone, without JavaScript: a song heard and rated, one uploaded, its rating read", async ({
    page,
    browser,
    loginAs,
  }) => {
    const member = await makeMember(1, 5);
    const title = `Loop ${member.displayName}`;
    await logIn(page, member);
    const { box } = await songAt(page);
    await box.getByRole("button", { name: "PLAY SONG" }).click();
    await expect(page.locator("audio")).toHaveAttribute("src", /\/audio\?listen=/);
    const heard = `SELECT delivered_ms >= required_seconds * 1000
      AND unixepoch() * 1000 - started_at > (required_seconds + 1) * 1000
      FROM listens WHERE user_id = ?`;
    await expect.poll(() => onDatabase(heard, [member.userId])).toEqual([[1]]);
    await page.getByRole("button", { name: "I have listened" }).click();
    await box.getByRole("radio", { name: "Great Song" }).check();
    await box.getByRole("button", { name: "Rate this song" }).click();
    await expect(page.getByText("Song successfully rated with: Great Song").first()).toBeVisible();
    await upload(page, title);
    const context = await browser.newContext({ javaScriptEnabled: true });
    await rateElsewhere(await context.newPage(), member, loginAs);
    await context.close();
    await readResult(page, title);
  });
});
