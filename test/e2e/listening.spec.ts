import { expect } from "@playwright/test";
import {
  hear,
  heardTo,
  play,
  playButton,
  playerRuns,
  rate,
  ratedSongs,
  songAt,
  statusLine,
  unlocked,
  unlockMessage,
} from "./support/carousel.ts";
import { control, idOf, test } from "./support/fixtures.ts";

test("a rating before the time is refused, and nothing changes", async ({ page, loginAs }) => {
  await loginAs("Tobin Ashgrove");
  const before = await ratedSongs(page);
  await page.goto("/");
  const { songId, box } = await songAt(page);
  await expect(box.getByRole("radio").first()).toBeDisabled();
  await expect(box.getByRole("button", { name: "Rate this song" })).toBeDisabled();
  await expect(box.getByText(/^Opens after \d seconds of listening\.$/)).toBeVisible();

  const force = () => page.request.post(`/songs/${songId}/rating`, { form: { score: "4" } });
  expect((await force()).status()).toBe(409);
  await playerRuns(page);
  await box.getByRole("button", { name: "PLAY SONG" }).click();
  await expect(page.getByRole("timer")).toBeVisible();
  const early = await force();
  expect(early.status()).toBe(409);
  expect(await early.json()).toMatchObject({ secondsLeft: expect.any(Number) });
  await expect(page.getByText(unlockMessage)).toBeVisible();

  await page.goto("/");
  await expect(playButton({ box })).toHaveText(/^Play again/);
  expect(await ratedSongs(page)).toBe(before);
});

test("while a song plays no other can be started", async ({ page, loginAs }) => {
  await loginAs("Kaito Morinaga");
  const song = await songAt(page);
  const next = await songAt(page, 1);
  const playNext = next.box.getByRole("button", { name: "PLAY SONG" });
  await playerRuns(page);
  await song.box.getByRole("button", { name: "PLAY SONG" }).click();
  await expect(playNext).toBeDisabled();
  await expect(next.box.getByText("wait until current song is played and rated")).toBeVisible();
  await expect(page.getByText(unlockMessage)).toBeVisible();
  await rate(page, song, "Not for me");
  await expect(playNext).toBeEnabled();
});

test("a song that is paused too early says so and can be started again", async ({
  page,
  loginAs,
}) => {
  await loginAs("Noor Valcárcel");
  const song = await songAt(page);
  await playerRuns(page);
  await song.box.getByRole("button", { name: "PLAY SONG" }).click();
  await expect(page.getByRole("timer")).toHaveText(/^0:0[2-4]/);
  await control("pause", { musician: idOf("Noor Valcárcel") });
  await expect(page.getByText("Error: Please do not pause the playback.")).toBeVisible();
  await expect(song.box.getByRole("radio").first()).toBeDisabled();
  await page.getByRole("button", { name: "Restart song" }).click();
  await expect(page.getByText(unlockMessage)).toBeVisible();
  await rate(page, song, "Great Song");
});

test("another song on the same device does not count", async ({ page, loginAs }) => {
  await loginAs("Bram Oosterhagen");
  const { box } = await songAt(page);
  await playerRuns(page);
  await box.getByRole("button", { name: "PLAY SONG" }).click();
  await expect(page.getByRole("timer")).toHaveText(/^0:0[1-4]/);
  await control("playOther", { musician: idOf("Bram Oosterhagen") });
  const error = "Error. The song you should rate is not being played back!";
  await expect(page.getByText(error)).toBeVisible();
  await expect(box.getByRole("radio").first()).toBeDisabled();
  // The wrong song is stopped.
  await expect
    .poll(() => control("state", { musician: idOf("Bram Oosterhagen") }))
    .toMatchObject({ playing: false });
});

test("a page loaded anew in mid-song says that it no longer plays, and does not open by the clock", async ({
  page,
  loginAs,
}) => {
  await loginAs("Gunnhild Østervoll");
  const song = await songAt(page);
  await play(page, song);
  await heardTo(page, 1);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await playerRuns(page);
  await expect(
    page.getByText("You started a song, but it is no longer playing here."),
  ).toBeVisible();
  await expect(page.getByText("This page refreshes itself.")).toBeHidden();
  await expect(song.box.getByRole("radio").first()).toBeDisabled();
  await hear(page, song);
  await rate(page, song, "Great Song");
});

test("two tabs: what is played last is what can be rated", async ({ page, context, loginAs }) => {
  await loginAs("Celestine Okonjo");
  const before = await ratedSongs(page);
  await page.goto("/");
  const first = await songAt(page);
  const second = await songAt(page, 1);
  const other = await context.newPage();
  await other.goto("/");
  await playerRuns(page);
  await first.box.getByRole("button", { name: "PLAY SONG" }).click();
  await expect(page.getByText("Playing...").first()).toBeVisible();

  const inOther = { ...second, box: other.locator(`[id="song-${second.songId}"]`) };
  await play(other, inOther);
  await expect(statusLine(page)).toHaveText(
    "Error: A song is playing in another of your tabs. Please restart the song to hear it here.",
  );
  await unlocked(other);
  // The first tab's song has lost its listen, whatever that tab may show.
  const stale = await page.request.post(`/songs/${first.songId}/rating`, { form: { score: "1" } });
  expect(stale.status()).toBe(409);
  await expect(page.getByText(unlockMessage)).toBeHidden();
  await rate(other, inOther, "Great Song");
  await other.close();
  expect(await ratedSongs(page)).toBe(before + 1);
});

test("what was heard stays open to rating: replayed, reloaded, and with another song in between", async ({
  page,
  loginAs,
}) => {
  test.setTimeout(90_000);
  const name =
    "Maximiliane-Konstanze von und zu Hohenschwangau-Wolkenstein-Trostburg and her Orchestra of Retired Lighthouse Keepers";
  await loginAs(name);
  const [first, second] = [await songAt(page), await songAt(page, 1)];
  const choice = first.box.getByRole("radio").first();
  await hear(page, first);
  await expect(playButton(first)).toHaveText(/^Play again/);
  await playButton(first).click();
  await expect(statusLine(page)).toHaveText("Playing...");
  await expect(choice).toBeEnabled();
  await control("pause", { musician: idOf(name) });
  await expect(statusLine(page)).toHaveText(unlockMessage);
  await page.reload();
  await play(page, second);
  await expect(statusLine(page)).toHaveText("Playing...");
  await expect(choice).toBeEnabled();
  await rate(page, first, "Mediocore");
});
