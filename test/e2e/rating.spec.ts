/** The ways to choose a rating, the keys, and a page that stays where it is meanwhile. */
import { expect, type Locator, type Page } from "@playwright/test";
import {
  heardTo,
  play,
  playAgain,
  playButton,
  playerRuns,
  rate,
  saysRated,
  songAt,
  statusLine,
  unlocked,
} from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";
import { onDatabase } from "./support/local-database.ts";
import { longSongs, shortSongs } from "./support/musician.ts";
import { expectOneScreen } from "./support/one-screen.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

/** The ratings that the page has posted since. */
function ratingsPosted(page: Page): string[] {
  const posted: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/rating")) posted.push(request.postData() ?? "");
  });
  return posted;
}

/** Waits until the page listens to its keys. */
async function keysRun(page: Page): Promise<void> {
  await playerRuns(page);
  await page.getByRole("button", { name: "Keys" }).waitFor();
}

test("a press on a rating counts, and the next song is one press away", async ({
  page,
  musician,
}) => {
  const listener = await musician({ offered: longSongs(2), heard: 1 });
  const song = await songAt(page);
  await playAgain(page, song);
  await rate(page, song, "Great Song");
  const next = await songAt(page);
  expect(next.songId).not.toBe(song.songId);
  // The music goes on until then.
  await expect(statusLine(page)).toHaveText("Playing...");
  expect(await listener.order("state")).toMatchObject({ playing: true });
  await play(page, next);
  await expect(playButton(next)).toHaveText(/^Pause/);
  await expect(next.box.getByText(/^You can rate in \d+ s\.$/)).toBeVisible();
});

test("by keyboard alone: arrow keys only move the choice; Space and Enter rate", async ({
  page,
  musician,
}) => {
  await musician({ heard: 1 });
  const posted = ratingsPosted(page);
  const heard = await songAt(page);
  await playerRuns(page);
  await heard.box.getByRole("radio").first().focus();
  await page.keyboard.press("Enter");
  await saysRated(page, "Not for me");

  const song = await songAt(page);
  await playButton(song).focus();
  await page.keyboard.press("Space");
  await unlocked(page);
  // The focus has stayed where it was; the ratings come next.
  await expect(playButton(song)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(song.box.getByRole("slider", { name: "Volume" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(song.box.getByRole("radio").first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(song.box.getByRole("radio", { name: "Great Song" })).toBeChecked();
  expect(posted).toEqual(["score=1"]);
  await page.keyboard.press("Space");
  await saysRated(page, "Great Song");
  expect(posted).toEqual(["score=1", "score=3"]);
});

test("a song that was rated on another device says so, and keeps its rating", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/status of 409/);
  const { userId } = await musician({ heard: 2 });
  await playerRuns(page);
  await rate(page, await songAt(page), "Mediocore");
  const question = page.getByRole("group", { name: "What stayed with you?" });
  await expect(question).toBeVisible();
  const song = await songAt(page);
  await page.request.post(`/songs/${song.songId}/rating`, { form: { score: "3" } });
  // Its minute for a slip is over. The song was heard almost two minutes ago, and so still before that.
  await onDatabase("UPDATE ratings SET created_at = created_at - 61000 WHERE rater_id = ?", [
    userId,
  ]);
  await song.box.getByRole("radio", { name: "Not for me" }).click();
  await expect(page.getByRole("alert")).toHaveText("You have already rated this song.");
  await expect(page.locator(".rated-notice")).toBeFocused();
  // The question is about the song before.
  await expect(question).toHaveCount(0);
  await expect(song.box).toContainText("Great Song");
  await play(page, await songAt(page));
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("the sixth rating closes the tally, and nothing lies over the way to submit", async ({
  page,
  musician,
}) => {
  await musician({ credits: 5, heard: 2 });
  await page.setViewportSize({ width: 390, height: 844 });
  await playerRuns(page);
  await expect(page.locator(".goal-tally .due")).toHaveCount(1);
  await rate(page, await songAt(page), "Great Song");
  await expect(page.locator(".goal-tally .due")).toHaveCount(0);
  for (const part of [
    page.getByText("You can submit a song now."),
    page.getByRole("link", { name: "Upload Your Song" }),
  ]) {
    await expect(part).toBeInViewport({ ratio: 1 });
    expect(await part.evaluate(isOnTop)).toBe(true);
  }
});

test("a finger that slips rates nothing", async ({ page, musician }) => {
  await musician({ heard: 1 });
  const posted = ratingsPosted(page);
  const song = await songAt(page);
  await keysRun(page);
  const label = song.box.locator(".choices label").first();
  await label.hover({ position: { x: 20, y: 20 } });
  await page.mouse.down();
  await label.hover({ position: { x: 60, y: 20 } });
  await page.mouse.up();
  await expect(label.getByRole("radio")).not.toBeChecked();
  // The page moves under a finger that rests.
  await label.hover({ position: { x: 60, y: 20 } });
  await page.mouse.down();
  await page.evaluate(() => window.scrollBy(0, 15));
  await page.mouse.up();
  await expect(label.getByRole("radio")).not.toBeChecked();
  expect(posted).toEqual([]);
  await page.keyboard.press("2");
  await saysRated(page, "Mediocore");
});

test("by the keys of the page: played, rated, and on to the next", async ({ page, musician }) => {
  await musician({ offered: [...shortSongs(1), ...longSongs(1)] });
  const song = await songAt(page);
  await keysRun(page);
  await page.keyboard.press("3");
  await page.keyboard.press("Space");
  await unlocked(page);
  await page.keyboard.press("Control+3");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  await expect(help).toBeVisible();
  await page.keyboard.press("3");
  await help.getByRole("checkbox", { name: "Use these keys" }).uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("3");
  await expect(song.box.getByRole("radio", { checked: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Keys" }).click();
  await help.getByRole("checkbox", { name: "Use these keys" }).check();
  await help.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("3");
  await saysRated(page, "Great Song");
  const next = await songAt(page);
  await page.keyboard.press("n");
  await expect(playButton(next)).toHaveText(/^Pause/);
});

test("keys leave alone what they are not meant for", async ({ page, musician }) => {
  await musician({ offered: longSongs(3), rated: [4], heard: 1 });
  const posted = ratingsPosted(page);
  await page.goto("/?passed=song");
  const song = await songAt(page);
  const other = await songAt(page, 1);
  const rated = await songAt(page, 2);
  await keysRun(page);
  await page.keyboard.press("n");
  await expect(statusLine(page)).toHaveText("Playing...");
  const top = await page.evaluate(() => window.scrollY);
  await page.keyboard.press("Space");
  await expect(playButton(song)).toHaveText(/^Resume/);
  await page.keyboard.press("Space");
  await expect(playButton(song)).toHaveText(/^Pause/);
  await page.getByRole("slider", { name: "Volume" }).press("ArrowLeft");
  await expect(page.getByRole("slider")).toHaveAttribute("aria-valuetext", "75 %");
  await page.keyboard.press("Space");
  await expect(playButton(song)).toHaveText(/^Pause/);
  expect(await page.evaluate(() => window.scrollY)).toBe(top);

  // The help has the focus, and keeps its keys even if something behind it is focused.
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  await expect(help.getByRole("checkbox")).toBeFocused();
  await help.getByRole("checkbox").blur();
  await page.keyboard.press("3");
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();

  await rated.box.getByRole("link").first().focus();
  await page.keyboard.press("3");
  await expect(song.box.getByRole("radio", { checked: true })).toHaveCount(0);
  expect(posted).toEqual([]);
  await page.getByRole("slider", { name: "Volume" }).focus();
  await page.keyboard.press("3");
  await saysRated(page, "Great Song");
  expect(posted).toEqual(["score=3"]);
  // The browser remembers how loud it was.
  await page.reload();
  await play(page, other);
  await expect(page.getByRole("slider")).toHaveAttribute("aria-valuetext", "75 %");
});

test("the button of a song that plays pauses it, and a double click only starts it", async ({
  page,
  musician,
}) => {
  await musician({ offered: longSongs(1) });
  const song = await songAt(page);
  const button = playButton(song);
  await playerRuns(page);
  await button.dblclick();
  await expect(button).toHaveText(/^Pause/);
  await heardTo(page, 2);
  await button.click();
  await expect(statusLine(page)).toHaveText("Paused.");
  const heard = await page.getByRole("timer").textContent();
  await expect(button).toHaveText(/^Resume/);
  await button.press("Enter");
  await expect(button).toHaveText(/^Pause/);
  await expect(page.getByRole("timer")).not.toHaveText(heard ?? "");
  await expect(page.getByRole("timer")).not.toHaveText(/^0:0[01] /);
});

test("one screen holds all it takes, and nothing moves when a song starts or opens", async ({
  page,
  musician,
}) => {
  await recordShifts(page);
  await page.setViewportSize({ width: 375, height: 667 });
  await musician({ heard: 2 });
  await playerRuns(page);
  const song = await songAt(page);
  await expectOneScreen(page, song);
  await playAgain(page, song);
  for (const [width, height] of [
    [375, 667],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expectOneScreen(page, song);
  }
  await rate(page, song, "Great Song");
  const second = await songAt(page);
  await expect(page.locator(".rated-notice")).toBeFocused();
  // The question for reasons leaves the next song's button free.
  const question = page.getByRole("group", { name: "What stayed with you?" });
  await expect(question).toBeInViewport({ ratio: 1 });
  expect(await playButton(second).evaluate(isOnTop)).toBe(true);
  await playAgain(page, second);
  // With the next song, notice and reasons are gone.
  await expect(page.getByText("Song successfully rated")).toHaveCount(0);
  await expect(question).toBeHidden();
  await expectOneScreen(page, second);
  await rate(page, second, "Great Song");

  for (const [width, height] of [
    [390, 844],
    [1280, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    const next = await songAt(page, 1);
    await play(page, next);
    await heardTo(page, 1);
    await takeShifts(page);
    await unlocked(page);
    // The rating has opened, and the song ends.
    await expect(playButton(next)).toHaveText(/^Play again/);
    expect(await takeShifts(page)).toEqual([]);
    await rate(page, next, "Great Song");
  }
});

for (const width of [820, 1280]) {
  test(`at ${width} px nothing moves as a song starts, nor the word that opens the other choices`, async ({
    page,
    musician,
  }) => {
    await page.setViewportSize({ width, height: 1180 });
    await musician({ offered: longSongs(2), heard: 1 });
    await playerRuns(page);
    const song = await songAt(page);
    const placeOf = async (part: Locator) => {
      const { x, y } = (await part.boundingBox()) ?? {};
      return [x, y];
    };
    const placesOf = (...parts: string[]) =>
      Promise.all(parts.map((part) => placeOf(page.locator(part))));
    const [cover, title, button] = [".large > .cover", ".large h2", ".large .key svg"] as const;
    const atRest = await placesOf(cover, title, button);
    await playAgain(page, song);
    await expect.poll(() => placesOf(cover, title, button)).toEqual(atRest);
    await rate(page, song, "Great Song");

    const change = page.locator("summary").filter({ hasText: "Change" });
    const closed = await placeOf(change);
    await change.press("Enter");
    await expect(page.getByRole("button", { name: "Mediocore" })).toBeVisible();
    await expect.poll(() => placeOf(change)).toEqual(closed);
  });
}

test("all choices are in sight as they open, on low screens too", async ({ page, musician }) => {
  await musician();
  for (const [width, height] of [
    [844, 390],
    [320, 480],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto("/");
    const song = await songAt(page);
    await play(page, song);
    await unlocked(page);
    const last = song.box.locator(".choices label").last();
    await expect(last).toBeInViewport({ ratio: 1 });
    await expect.poll(() => last.evaluate(isOnTop)).toBe(true);
    await rate(page, song, "Great Song");
  }
});

test("one decision has few controls on a phone", async ({ page, musician }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await musician();
  await playerRuns(page);
  const controls = page.locator("a[href], button, input, select, textarea, summary");
  const counted = () =>
    controls.evaluateAll((all) => {
      const seen = all.filter(
        (one) =>
          one.checkVisibility({ visibilityProperty: true }) &&
          one.getBoundingClientRect().bottom > 0,
      );
      const isInWindow = (one: Element) => one.getBoundingClientRect().top < window.innerHeight;
      return {
        inWindow: seen.filter(isInWindow).length,
        inMain: seen.filter((one) => one.closest("main")).length,
      };
    });
  const atRest = await counted();
  expect(atRest.inWindow).toBeLessThanOrEqual(20);
  expect(atRest.inMain).toBeLessThanOrEqual(20);
  await play(page, await songAt(page));
  await heardTo(page, 1);
  expect(await counted()).toEqual(atRest);
});

test("after a choice there are thirteen controls on a phone's screen, the next song's button among them", async ({
  page,
  musician,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await musician({ offered: longSongs(5), heard: 1 });
  await playerRuns(page);
  const song = await songAt(page);
  await playAgain(page, song);
  await rate(page, song, "Great Song");
  const inWindow = page.locator("a[href], button, input, select, textarea, summary").evaluateAll(
    (all) =>
      all.filter((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        const isSeen = one.checkVisibility({ visibilityProperty: true });
        return isSeen && bottom > 0 && top < window.innerHeight;
      }).length,
  );
  expect(await inWindow).toBeLessThanOrEqual(13);
  const next = await songAt(page);
  await expect(playButton(next)).toBeInViewport({ ratio: 1 });
  // It is pressed as a whole, and leads nowhere else.
  const row = await songAt(page, 1);
  await expect(row.box.getByRole("link")).toHaveCount(0);
  await row.box.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await row.box.locator("h3").boundingBox()) ?? {};
  await page.mouse.click(x + 4, y + 12);
  await expect(playButton(row)).toHaveText(/^Pause/);
  await expect(page.getByText("What stayed with you?")).toHaveCount(0);
});

/** Has the page note what moves in it without anybody's doing. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null }[];
      })[]) {
        const moved = entry.sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? "");
        if (!entry.hadRecentInput) shifts.push(`${entry.value}: ${moved.join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** What has moved since the last time. */
function takeShifts(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { shifts: string[] }).shifts.splice(0));
}

/** Runs in the page: all of the element is seen, and nothing lies over it. */
function isOnTop(element: HTMLElement): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return [top + 1, bottom - 1].every((y) =>
    element.contains(document.elementFromPoint((left + right) / 2, y)),
  );
}
