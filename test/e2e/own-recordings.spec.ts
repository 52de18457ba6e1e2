/** Own recordings play in the page, by whatever way somebody came in. */
import { expect, type Page } from "@playwright/test";
import { hear, play, playButton, rate, songAt, statusLine, unlocked } from "./support/carousel.ts";
import { watchSpotify } from "./support/control.ts";
import { test } from "./support/fixtures.ts";
import { onDatabase } from "./support/local-database.ts";
import { forgetSpotify } from "./support/logins.ts";
import { type MusicianOptions, shortSongs } from "./support/musician.ts";
import { makeOwnRecordings } from "./support/own-recordings.ts";

interface Sounding {
  /** The page's own sound, as the element that plays it says. */
  heard(): Promise<{ paused: boolean; time: number; volume: number } | null>;
}

/** Remembers the element that the player makes, which is not in the document. */
async function watchSound(page: Page): Promise<Sounding> {
  await page.addInitScript(() => {
    const Original = window.Audio;
    window.Audio = class extends Original {
      constructor() {
        super();
        (window as unknown as { made: HTMLAudioElement }).made = this as HTMLAudioElement;
      }
    } as typeof Audio;
  });
  return {
    heard: () =>
      page.evaluate(() => {
        const { made } = window as unknown as { made?: HTMLAudioElement };
        return made ? { paused: made.paused, time: made.currentTime, volume: made.volume } : null;
      }),
  };
}

const songs = (count: number): MusicianOptions => ({ offered: shortSongs(count) });

test("own recordings: heard and rated without Spotify, one after the other, a loud one lowered", async ({
  page,
  musician,
}) => {
  const listener = await musician(songs(2));
  await page.goto("/faq");
  await forgetSpotify(listener);
  await makeOwnRecordings(listener, 5);
  const [loud, other] = listener.offered;
  await onDatabase(
    "UPDATE recordings SET loudness = -100 WHERE id = (SELECT own_recording_id FROM songs WHERE id = ?)",
    [loud?.id ?? ""],
  );
  const volumes = new Map<string, number>();
  const asked = watchSpotify(page);
  const { heard } = await watchSound(page);
  await page.goto("/");
  for (const label of ["Great Song", "Not for me"]) {
    const song = await songAt(page);
    await play(page, song);
    await expect(statusLine(page)).toHaveText("Playing...");
    await expect.poll(async () => (await heard())?.time).toBeGreaterThan(1);
    volumes.set(song.songId, (await heard())?.volume ?? 0);
    await unlocked(page);
    await rate(page, song, label);
  }
  expect(volumes.get(loud?.id ?? "")).toBeCloseTo(0.8 * 10 ** (-6 / 20), 3);
  expect(volumes.get(other?.id ?? "")).toBe(0.8);
  expect(asked).toEqual([]);
  const evidence = await onDatabase("SELECT evidence FROM listens WHERE user_id = ?", [
    listener.userId,
  ]);
  expect(evidence).toEqual([["delivery"], ["delivery"]]);
});

test("own recordings: both kinds in one player, each by its driver", async ({ page, musician }) => {
  const listener = await musician(songs(2));
  await makeOwnRecordings({ offered: listener.offered.slice(1) }, 60);
  const { heard } = await watchSound(page);
  await page.goto("/");
  const track = await songAt(page, 0);
  const own = await songAt(page, 1);
  await hear(page, track);
  await rate(page, track, "Great Song");
  await own.box.getByRole("button", { name: "PLAY SONG" }).click();
  await expect.poll(async () => (await heard())?.time).toBeGreaterThan(0.5);
  expect(await listener.order("state")).toMatchObject({ playing: false });
});

test("own recordings: what plays in the bar and one's own song silence each other", async ({
  page,
  musician,
}) => {
  const listener = await musician({ ...songs(1), own: [{ title: "Night Bus", scores: [1, 2] }] });
  await makeOwnRecordings(listener, 60);
  await makeOwnRecordings({ offered: listener.own }, 60);
  const { heard } = await watchSound(page);
  await page.goto("/");
  await play(page, await songAt(page));
  await expect.poll(async () => (await heard())?.time).toBeGreaterThan(0.5);
  await page.getByRole("link", { name: "Ratings of my songs" }).first().click();
  await page.getByRole("link", { name: /about "Night Bus"/ }).click();
  const own = () => page.locator("audio").evaluate((it: HTMLAudioElement) => it.paused);
  await page.getByRole("button", { name: /^Play / }).click();
  await expect.poll(async () => (await heard())?.paused).toBe(true);
  await expect.poll(own).toBe(false);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect.poll(own).toBe(true);
  await expect.poll(async () => (await heard())?.paused).toBe(false);
});

test("own recordings: a pause, and a reload, go on where the song was", async ({
  page,
  musician,
}) => {
  const listener = await musician(songs(1));
  await makeOwnRecordings(listener, 60);
  const { heard } = await watchSound(page);
  await page.goto("/");
  const song = await songAt(page);
  await play(page, song);
  await expect.poll(async () => (await heard())?.time).toBeGreaterThan(4);
  await song.box.getByRole("button", { name: "Pause" }).click();
  await expect(statusLine(page)).toHaveText("Paused.");
  expect(await heard()).toMatchObject({ paused: true });
  await playButton(song).click();
  await expect(statusLine(page)).toHaveText("Playing...");
  await expect.poll(async () => (await heard())?.time).toBeGreaterThan(6);
  await expect
    .poll(async () => {
      const [row] = await onDatabase("SELECT delivered_ms FROM listens WHERE user_id = ?", [
        listener.userId,
      ]);
      return Number((row as unknown[])[0]);
    })
    .toBeGreaterThan(15_000);
  await page.reload();
  await expect(statusLine(page)).toHaveText("Paused.");
  await playButton(song).click();
  await expect(statusLine(page)).toHaveText("Playing...");
  const after = await heard();
  expect(after?.time).toBeGreaterThan(3);
  // Lock screens do not draw SVG.
  const shown = () => page.evaluate(() => navigator.mediaSession.metadata?.artwork[0]?.src ?? null);
  await expect.poll(shown).toMatch(/^data:image\/png;base64,/);
  const opened = await onDatabase("SELECT id FROM listens WHERE user_id = ?", [listener.userId]);
  expect(opened).toHaveLength(1);
});

test("own recordings: one that this browser cannot play leads to passing on it", async ({
  page,
  musician,
}) => {
  const listener = await musician(songs(2));
  await makeOwnRecordings(listener, 60);
  await page.route(/\/songs\/[^/]+\/audio\?/, (route) =>
    route.fulfill({ status: 206, contentType: "audio/wav", body: "no sound" }),
  );
  await page.goto("/");
  const song = await songAt(page);
  await play(page, song);
  await expect(statusLine(page)).toHaveText(/Your browser cannot play this song/);
  const player = page.getByRole("region", { name: "Player" });
  await expect(player.getByRole("button", { name: /Try again|Resume|Reconnect/ })).toHaveCount(0);
  await player.getByRole("link", { name: "I can't rate this" }).click();
  await page.getByRole("radio", { name: "It does not play for me" }).check();
  await page.getByRole("button", { name: "Take it off my list" }).click();
  await expect(page.locator(`[id="song-${song.songId}"]`)).toHaveCount(0);
});

test("own recordings: a song that begins in another tab silences this one", async ({
  page,
  anotherTab,
  musician,
}) => {
  const listener = await musician(songs(2));
  await makeOwnRecordings(listener, 60);
  const { heard } = await watchSound(page);
  await page.goto("/");
  await play(page, await songAt(page, 0));
  await expect.poll(async () => (await heard())?.time).toBeGreaterThan(0.5);
  const other = await anotherTab();
  await play(other, await songAt(other, 1));
  await expect(statusLine(page)).toHaveText(/another of your tabs/);
  expect(await heard()).toMatchObject({ paused: true });
});

test.describe("on an iPhone", () => {
  test.use({
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
    viewport: { width: 390, height: 844 },
  });

  test("own recordings: on an iPhone they play in the page", async ({ page, musician }) => {
    const listener = await musician(songs(1));
    await makeOwnRecordings(listener, 5);
    await page.goto("/");
    const song = await songAt(page);
    await hear(page, song);
    await rate(page, song, "Great Song");
  });
});
