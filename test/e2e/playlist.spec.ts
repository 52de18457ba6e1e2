/** A rated song goes into a playlist, with the permission given while a song plays, and without JavaScript. */
import { expect } from "@playwright/test";
import { comeBack, hear, play, rate, songAt, unlocked } from "./support/carousel.ts";
import { agreeAs, control, idOf, test } from "./support/fixtures.ts";
import { onDatabase, userNamed } from "./support/local-database.ts";

const musician = "Quirin Hochleitner";

/** What the musician's "Fivefold finds" holds. */
async function finds(): Promise<unknown[]> {
  const { playlists } = await control("playlists", { musician: idOf(musician) });
  return (playlists as { name: string; trackIds: string[] }[])
    .filter(({ name }) => name === "Fivefold finds")
    .map(({ trackIds }) => trackIds.length);
}

// The second journey puts the song of the first one into another playlist.
test.describe.configure({ mode: "serial" });

test("after the fourth rating: the permission in a new tab, and the next song plays on", async ({
  page,
  loginAs,
  context,
}) => {
  await loginAs(musician);
  const song = await songAt(page);
  await hear(page, song);
  await rate(page, song, "Added to my playlist!");
  await expect(page.getByRole("link", { name: "Put it into a playlist" }).first()).toBeVisible();
  await play(page, await songAt(page));
  await song.box.getByRole("link", { name: "Put it into a playlist" }).click();
  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "Give permission at Spotify" }).click();
  const consent = await opened;
  await agreeAs(musician, consent);
  await expect(consent.getByText("You can close this tab")).toBeVisible();
  await consent.close();
  await comeBack(page);
  await page.getByRole("button", { name: "Add to Fivefold finds" }).click();
  await expect(page.getByText("Added to Fivefold finds")).toBeVisible();
  expect(await finds()).toEqual([1]);
  // The other song was heard meanwhile.
  await unlocked(page);
  await page.getByRole("link", { name: "Choose another playlist" }).click();
  await page.getByRole("button", { name: "Add to Fivefold finds" }).click();
  await expect(page.getByText("It is in Fivefold finds")).toBeVisible();
  expect(await finds()).toEqual([1]);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("declined at first, and then given, in the same tab", async ({ page, loginAs }) => {
    await control("revoke", { musician: idOf(musician) });
    await loginAs(musician);
    const rows = await onDatabase(`SELECT song_id FROM ratings WHERE rater_id = ${userNamed}`, [
      musician,
    ]);
    const path = `/songs/${(rows as string[][])[0]?.[0]}/playlist`;
    await page.goto(path);
    await page.getByRole("button", { name: "Give permission at Spotify" }).click();
    await page.getByRole("radio", { name: musician, exact: true }).check();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByText("You did not give the permission")).toBeVisible();
    await page.getByRole("button", { name: "Ask me again at Spotify" }).click();
    await agreeAs(musician, page);
    await page.getByRole("button", { name: `Add to Songs by ${musician}` }).click();
    await expect(page.getByText(`Added to Songs by ${musician}`)).toBeVisible();
    await page.getByRole("link", { name: "Back to the Carousel" }).click();
    await expect(page.getByRole("heading", { name: "PLAY and RATE" })).toBeVisible();
  });
});
