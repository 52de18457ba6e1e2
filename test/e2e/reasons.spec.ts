/** After a rating, somebody says why: two taps on a phone, and by keyboard. */
import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { playButton, playerRuns, songAt } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";

/** What the page reads back is what is kept, and stands there again. */
async function expectKept(page: Page, path: string, said: string): Promise<void> {
  const told = page.locator(".reasons").getByRole("status");
  await expect(told).toHaveText(said);
  await expect(async () => {
    await page.goto(path);
    await expect(told).toHaveText(said, { timeout: 2000 });
  }).toPass();
}

/** Whether something lies over the middle of it, as the page stands. */
function isCovered(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

test("what was chosen last is kept, though the page is left before anything has arrived", async ({
  page,
  musician,
}) => {
  const { offered } = await musician({ rated: [3] });
  const path = `/?rated=${offered[0]?.id}`;
  await page.goto(path);
  await playerRuns(page);
  const words = page.getByRole("group", { name: "What stayed with you?" });
  // Nothing arrives.
  await page.evaluate(() => {
    window.fetch = () => new Promise(() => undefined);
  });
  for (const name of ["Melody", "Vocals"]) await words.getByRole("button", { name }).click();
  await expectKept(page, path, "You liked the vocals and the melody.");
});

test("reasons: kept as they are chosen, on a phone and by keyboard", async ({ page, musician }) => {
  const { offered } = await musician({ rated: [3, 3] });
  const [first = "", second = ""] = offered.map(({ id }) => `/?rated=${id}`);
  // On its side, where the next song can be played as well.
  await page.setViewportSize({ width: 740, height: 360 });
  await page.goto(first);
  const words = page.getByRole("group", { name: "What stayed with you?" });
  const word = (name: string) => words.getByRole("button", { name });
  await playerRuns(page);
  await expect(words).toBeVisible();
  const next = playButton(await songAt(page));
  await next.scrollIntoViewIfNeeded();
  expect(await isCovered(next)).toBe(false);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(first);
  await word("Groove").click();
  await expectAccessible(page);
  // Once: liked. Twice: could be better. Three times: nothing.
  for (const side of ["liked", "could be better"]) {
    await word("Melody").click();
    await expect(word(`Melody: ${side}`)).toBeVisible();
  }
  await word("Groove").click();
  await word("Groove").click();
  await expect(word("Groove: nothing said")).toBeVisible();
  await expectAccessible(page);
  await expectKept(page, first, "The melody could be better.");

  await page.goto(second);
  await word("Vocals").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Space");
  // No fourth, but what is named can change.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(word("Groove: nothing said")).toBeDisabled();
  await expectKept(
    page,
    second,
    "You liked the vocals and the melody. The lyrics could be better. Three is all.",
  );

  // A slip is mended within the minute.
  await page.getByText("Change", { exact: true }).click();
  await page.getByRole("button", { name: "Not for me" }).click();
  await expect(page.getByText("Song successfully rated with: Not for me")).toBeVisible();
});
