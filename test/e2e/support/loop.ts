import { expect, type Page } from "@playwright/test";
import { openPart } from "./account.ts";
import {
  choose,
  foundSong,
  play,
  playButton,
  rate,
  saysRated,
  songAt,
  statusLine,
} from "./carousel.ts";
import { type Musician, type MusicianOptions, shortSongs } from "./musician.ts";

/** Whoever goes through the loop: two ratings short of a submission, with a song of theirs that was rated. */
export const loopMusician = {
  credits: 4,
  offered: shortSongs(5),
  songs: 1,
  own: [{ scores: [1, 2, 3, 4, 3], submissions: 2 }],
} satisfies MusicianOptions;

/**
 * Goes by links and buttons through all that a member does, in as few documents as there are, and reads what
 * the screens then say.
 */
export async function goThroughLoop(page: Page, musician: Musician): Promise<void> {
  await playAndRate(page);
  await favorAndPass(page);
  await readAndShare(page);
  await addASong(page, musician);
  await changeSettings(page);
}

async function playAndRate(page: Page): Promise<void> {
  await expect(page.getByText("2 more, then yours.")).toBeVisible();
  const song = await songAt(page);
  await play(page, song);
  await expect(playButton(song)).toHaveText(/^Pause/);
  const timer = page.getByRole("timer");
  const earlier = await timer.textContent();
  await expect(timer).not.toHaveText(earlier ?? "");
  await expect(song.box.locator(".hint p")).toHaveText("Choosing one sends it.");
  await rate(page, song, "Great Song");
  await expect(page.getByText("1 more, then yours.")).toBeVisible();

  const sheet = song.box;
  const words = sheet.getByRole("group", { name: "What stayed with you?" });
  const status = sheet.locator(".reasons").getByRole("status");
  await expect(status).toHaveText(
    "Tap once: liked. Tap twice: could be better. Up to three, nobody learns whose.",
  );
  for (const [aspect, said] of [
    ["Groove", "You liked the groove."],
    ["Melody", "You liked the melody and the groove."],
    ["Lyrics", "You liked the melody, the lyrics and the groove. Three is all."],
  ] as const) {
    await words.getByRole("button", { name: aspect }).click();
    await expect(status).toHaveText(said);
    await expect(words.getByRole("button", { name: `${aspect}: liked` })).toBeVisible();
  }
  await expect(words.getByRole("button", { name: "Vocals: nothing said" })).toBeDisabled();
  await sheet.getByText("Change", { exact: true }).click();
  await sheet.getByRole("button", { name: "Added to my playlist!" }).click();
  await saysRated(page, "Added to my playlist!");

  const next = await songAt(page);
  await play(page, next);
  await expect(statusLine(page)).toContainText("now you can rate this song");
  await rate(page, next, "Mediocore");
  await expect(next.box).toContainText("rated with: Mediocore");
  await expect(page.getByText("You can submit a song now.")).toBeVisible();
}

async function favorAndPass(page: Page): Promise<void> {
  // Another song takes the place of the one just rated.
  const menu = page.getByRole("navigation", { name: "Main" });
  await menu.getByRole("link", { name: "Carousel" }).click();
  await expect(page.locator(".done")).toHaveCount(0);
  const song = await songAt(page);
  await song.box.getByRole("button", { name: "Add to my favorites" }).click();
  await expect(song.box.getByText("Added!", { exact: true })).toBeVisible();
  await expect(song.box.getByRole("button", { name: "Remove" })).toBeVisible();
  await song.box.getByRole("button", { name: "Remove" }).click();
  await expect(song.box.getByText("Removed.")).toBeVisible();
  await expect(song.box.getByRole("button", { name: "Add to my favorites" })).toBeVisible();
  await song.box.getByRole("link", { name: "I can't rate this" }).click();
  await page.getByRole("radio", { name: "I know the artist" }).check();
  await page.getByRole("button", { name: "Take it off my list" }).click();
  await expect(page.getByText("The song is off your list.")).toBeVisible();
  await page.getByRole("link", { name: "Report it" }).click();
  await expect(page.getByText("You can still report it. Its owner is not told.")).toBeVisible();
  await page.getByRole("link", { name: "Back to the Carousel" }).click();
}

async function readAndShare(page: Page): Promise<void> {
  const menu = page.getByRole("navigation", { name: "Main" });
  await menu.getByRole("link", { name: "Ratings of my songs" }).click();
  await expect(page.getByText("It already received 5 ratings:")).toBeVisible();
  await page.getByRole("link", { name: /^All|^What the ratings say/ }).click();
  await page.getByRole("button", { name: "Publish the result" }).click();
  await expect(page.getByText(/^Published on /)).toBeVisible();
  await page.getByRole("button", { name: "Take it back" }).click();
  await expect(page.getByRole("button", { name: "Publish the result" })).toBeVisible();
  await page.getByText("Take it out of the rotation").click();
  await page.getByRole("button", { name: "Yes, take it out" }).click();
  await expect(page.getByText("Withdrawn", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect(page.getByText("Withdrawn", { exact: true })).toHaveCount(0);
  await menu.getByRole("link", { name: "Songs I rated" }).click();
  await expect(page.getByText("Your rating: Mediocore")).toBeVisible();
  await page.getByRole("link", { name: "Put it into a playlist" }).first().click();
  await expect(page.getByRole("button", { name: "Give permission at Spotify" })).toBeVisible();
  await menu.getByRole("link", { name: "FAQ" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByRole("link", { name: "Imprint" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await menu.getByRole("link", { name: "Carousel" }).click();
  await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
}

async function addASong(page: Page, { displayName, songs }: Musician): Promise<void> {
  const title = songs[0]?.name ?? "";
  await page.getByRole("link", { name: "Upload Your Song" }).click();
  await expect(page.getByText("Great job! You've rated 6 songs")).toBeVisible();
  const term = page.getByRole("searchbox", { name: "Song or artist" });
  await term.fill("zzyzx quux");
  await page.getByRole("button", { name: "SEARCH" }).click();
  await expect(page.getByText("No songs found for “zzyzx quux”.")).toBeVisible();
  await term.fill(`${displayName} ${title}`);
  await page.getByRole("button", { name: "SEARCH" }).click();
  await expect(page.getByRole("heading", { name: "Songs found for" })).toContainText(title);
  await choose(foundSong(page, title), title);
  await page.getByRole("button", { name: "Submit your song" }).click();
  await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
  await page.getByRole("link", { name: "Stay here" }).click();
  await expect(page.getByText("Staying on this page.")).toBeVisible();
  await page.getByRole("link", { name: "Take me to the Fivefold" }).click();
  await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
}

async function changeSettings(page: Page): Promise<void> {
  await page.getByRole("banner").getByRole("link", { name: "your account" }).click();
  await openPart(page, "E-mails");
  await page.getByRole("checkbox", { name: /my Subscription changes$/ }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.getByRole("radio", { name: /^Once all five/ }).click();
  await expect(page.getByText("Saved.")).toHaveCount(2);
  await openPart(page, "Your address");
  await page.getByLabel("Another address").fill("new@example.com");
  await page.getByRole("button", { name: "Send me a confirmation link" }).click();
  await expect(page.getByText("We have sent a link to new@example.com.")).toBeVisible();
  await page.getByRole("button", { name: "Forget this address" }).click();
  await expect(page.getByText("We have sent a link")).toHaveCount(0);
  await openPart(page, "Subscription");
  await page.getByRole("link", { name: "Upgrade to Premium" }).click();
  await expect(page.getByRole("button", { name: "Subscribe" })).toBeVisible();
}
