import { expect } from "@playwright/test";
import {
  heardTo,
  play,
  playAgain,
  playButton,
  playerRuns,
  rate,
  ratedSongs,
  songAt,
  statusLine,
  unlocked,
  unlockMessage,
} from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { onDatabase } from "./support/local-database.ts";
import { longSongs, shortSongs } from "./support/musician.ts";

test("the wait is one number, which runs out as rating opens, and no offer stands beside it", async ({
  page,
  musician,
}) => {
  await musician({ offered: longSongs(2) });
  const song = await songAt(page);
  await expect(song.box.getByText("You can rate after 55 seconds.")).toBeVisible();
  await play(page, song);
  await heardTo(page, 2);
  await expect(song.box.getByText(/^You can rate in 5[0-4] s\.$/)).toBeVisible();
  const slash = song.box.getByRole("progressbar", { name: "Listened so far" });
  await expect(slash).toHaveJSProperty("max", 55);
  await expect(song.box.getByRole("link", { name: "Premium" })).toHaveCount(0);
  await page.getByRole("link", { name: "Upgrade to Premium" }).click();
  await expect(page.getByRole("dialog", { name: "Fivefold Premium" })).toBeVisible();
  await expect(statusLine(page)).toHaveText("Playing...");
});

test("in the page, a private session is called by its name, and its end lets the song be rated", async ({
  page,
  musician,
}) => {
  const listener = await musician({ offered: shortSongs(1) });
  const song = await songAt(page);
  await listener.order("privateSession", { told: true });
  await play(page, song);
  await expect(statusLine(page)).toHaveText(/^Your Spotify is in a private session/);
  await listener.order("privateSession", { on: false });
  await page
    .getByRole("button", { name: /Resume|Restart song|Play again|PLAY SONG/ })
    .first()
    .click();
  await unlocked(page);
});

test("while a song plays no other can be started; paused elsewhere too early, it can be started again", async ({
  page,
  musician,
}) => {
  const listener = await musician({ offered: longSongs(2) });
  const song = await songAt(page);
  const next = await songAt(page, 1);
  const playNext = next.box.getByRole("button", { name: "PLAY SONG" });
  await play(page, song);
  await expect(playNext).toBeDisabled();
  await expect(page.getByText("wait until current song is played and rated")).toBeVisible();
  await heardTo(page, 2);
  await listener.order("pause");
  await expect(
    page.getByText("The song was paused too early. Resume, and your time goes on."),
  ).toBeVisible();
  await expect(playNext).toBeEnabled();
  await expect(song.box.getByRole("radio").first()).toBeDisabled();
  await page.getByRole("button", { name: "Restart song" }).click();
  await expect(statusLine(page)).toHaveText("Playing...");
});

test("another song on the same device does not count", async ({ page, playing }) => {
  const { listener, song } = await playing();
  await listener.order("playOther");
  const error = "Another song is playing. Go back to yours to rate it.";
  await expect(page.getByText(error)).toBeVisible();
  await expect(song.box.getByRole("radio").first()).toBeDisabled();
  // The wrong song is stopped.
  await expect.poll(() => listener.order("state")).toMatchObject({ playing: false });
});

test("a page loaded anew in mid-song has paused it, does not open by the clock, and goes on where it was", async ({
  page,
  playing,
}) => {
  const { listener, song } = await playing();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await playerRuns(page);
  await expect(statusLine(page)).toHaveText("Paused.");
  await expect(song.box.getByText(/^You can rate in \d+ s\.$/)).toBeVisible();
  await expect(page.getByText("This page refreshes itself.")).toBeHidden();
  await expect(song.box.getByRole("radio").first()).toBeDisabled();
  await playButton(song).click();
  await expect(statusLine(page)).toHaveText("Playing...");
  const opened = "SELECT count(*) FROM listens WHERE user_id = ?";
  expect(await onDatabase(opened, [listener.userId])).toEqual([[1]]);
});

test("a second tab says that the song plays in another, and goes on with it once that one is closed", async ({
  page,
  anotherTab,
  playing,
}) => {
  await playing({ heard: 2 });
  const other = await anotherTab();
  const elsewhere =
    "This song plays in another of your tabs. Listen on there, or play it here from the start.";
  await expect(statusLine(other)).toHaveText(elsewhere);
  await expect(other.locator(".error, [class*=--error]")).toHaveCount(0);
  await expect(statusLine(page)).toHaveText("Playing...");
  await page.close({ runBeforeUnload: false });
  await other.bringToFront();
  await expect(statusLine(other)).toHaveText("Paused.");
  await other
    .getByRole("button", { name: /^Resume/ })
    .first()
    .click();
  await expect(statusLine(other)).toHaveText("Playing...");
  const third = await anotherTab();
  await expect(statusLine(third)).toHaveText(elsewhere);
  await play(third, await songAt(third));
  await expect(statusLine(third)).toHaveText("Playing...");
  await expect(statusLine(other)).toHaveText(elsewhere);
});

test("a song of a tab that was closed goes on in the next one", async ({
  page,
  anotherTab,
  playing,
}) => {
  await playing({ heard: 3 });
  await page
    .getByRole("button", { name: /^Pause/ })
    .first()
    .click();
  await expect(statusLine(page)).toHaveText("Paused.");
  const left = await page.getByText(/^You can rate in \d+ s\.$/).textContent();
  await page.goto("/faq");
  await page.close();
  const next = await anotherTab();
  await expect(statusLine(next)).toHaveText("Paused.");
  await expect(next.getByText(left ?? "")).toBeVisible();
});

test("two tabs: what is played last is what can be rated", async ({
  page,
  anotherTab,
  musician,
}) => {
  await musician({ offered: [...longSongs(1), ...shortSongs(2)], credits: 5 });
  const first = await songAt(page);
  const second = await songAt(page, 1);
  const other = await anotherTab();
  await play(page, first);
  await expect(statusLine(page)).toHaveText("Playing...");

  const inOther = { ...second, box: other.locator(`[id="song-${second.songId}"]`) };
  await play(other, inOther);
  await expect(statusLine(page)).toHaveText(
    "This song plays in another of your tabs. Listen on there, or play it here from the start.",
  );
  await unlocked(other);
  // The first tab's song has lost its listen, whatever that tab may show.
  const stale = await page.request.post(`/songs/${first.songId}/rating`, { form: { score: "1" } });
  expect(stale.status()).toBe(409);
  await expect(first.box.getByText(unlockMessage)).toHaveCount(0);
  // What was heard in the other tab can be rated in this one, too.
  await expect(second.box.getByText(unlockMessage)).toBeVisible();
  await rate(other, inOther, "Great Song");
  expect(await ratedSongs(page)).toBe(6);
});

test("what was heard stays open to rating: replayed, reloaded, and with another song in between", async ({
  page,
  musician,
}) => {
  const listener = await musician({ offered: longSongs(2), heard: 1 });
  const [first, second] = [await songAt(page), await songAt(page, 1)];
  const choice = first.box.getByRole("radio").first();
  await expect(playButton(first)).toHaveText(/^Play again/);
  await playAgain(page, first);
  await expect(choice).toBeEnabled();
  await listener.order("pause");
  await expect(statusLine(page)).toHaveText(unlockMessage);
  await page.reload();
  await play(page, second);
  await expect(statusLine(page)).toHaveText("Playing...");
  await expect(choice).toBeEnabled();
  await rate(page, first, "Mediocore");
});
