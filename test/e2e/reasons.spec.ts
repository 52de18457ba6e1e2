/** After a rating, somebody says why: two taps on a phone, and by keyboard. */
import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { playButton, playerRuns, songAt } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";

/** The choices are kept, whatever one does next. */
async function expectKept(page: Page, path: string, ...aspects: string[]): Promise<void> {
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.goto(path);
  for (const aspect of aspects) {
    await expect(page.getByRole("checkbox", { name: aspect, checked: true })).toHaveCount(1);
  }
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(aspects.length);
}

/** Whether something lies over the middle of it, as the page stands. */
function isCovered(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

test("reasons: kept as they are chosen, on a phone and by keyboard", async ({ page, musician }) => {
  const { offered } = await musician({ rated: [3, 3] });
  const [first = "", second = ""] = offered.map(({ id }) => `/?rated=${id}`);
  // On its side, where the next song can be played as well.
  await page.setViewportSize({ width: 740, height: 360 });
  await page.goto(first);
  const liked = page.getByRole("group", { name: "What did you like?" });
  await playerRuns(page);
  await expect(liked).toBeVisible();
  const next = playButton(await songAt(page));
  await next.scrollIntoViewIfNeeded();
  expect(await isCovered(next)).toBe(false);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(first);
  await liked.getByRole("checkbox", { name: "Groove" }).click();
  await expectAccessible(page);
  await liked.getByRole("checkbox", { name: "Melody" }).click();
  await liked.getByRole("checkbox", { name: "Groove" }).click();
  await expectKept(page, first, "Melody");

  await page.goto(second);
  await liked.getByRole("checkbox", { name: "Vocals" }).focus();
  await page.keyboard.press("Space");
  const better = page.getByRole("group", { name: "What could be better?" });
  await expect(better.getByRole("checkbox", { name: "Vocals" })).toBeDisabled();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  // No fourth.
  await expect(better.getByRole("checkbox", { name: "Sound" })).toBeDisabled();
  await expectKept(page, second, "Vocals", "Melody", "Lyrics");

  // A slip is mended within the minute.
  await page.getByText("Change", { exact: true }).click();
  await page.getByRole("button", { name: "Not for me" }).click();
  await expect(page.getByText("Song successfully rated with: Not for me")).toBeVisible();
});
