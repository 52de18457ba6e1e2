/** After a rating, somebody says why: two taps on a phone, by keyboard, and without JavaScript. */
import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { playButton, playerRuns, songAt } from "./support/carousel.ts";
import { consentAs, test } from "./support/fixtures.ts";
import { onDatabase } from "./support/local-database.ts";

const musician = "مريم بنت عبد الرحمن الأندلسية القرطبية وفرقة الحمراء الموسيقية";

/** Makes a rating of the musician's a new one, to its song as well. @returns the path of its confirmation. */
async function rateNow(place: number): Promise<string> {
  const rows = await onDatabase(
    `UPDATE ratings SET created_at = cast(? AS integer), reasons = NULL WHERE id = (
       SELECT ratings.id FROM ratings JOIN users ON users.id = rater_id
       WHERE display_name = ? ORDER BY ratings.id LIMIT 1 OFFSET cast(? AS integer))
     RETURNING song_id`,
    [String(Date.now()), musician, String(place)],
  );
  const [row] = rows as string[][];
  if (!row) throw new Error(`${musician} has given too few ratings`);
  await onDatabase(
    `UPDATE songs SET active_at = (SELECT max(created_at) / 60000 * 60000 FROM ratings
       WHERE song_id = songs.id) WHERE id = ?`,
    row.slice(0, 1),
  );
  return `/?rated=${row[0]}`;
}

async function expectThanks(page: Page): Promise<void> {
  await expect(page.getByText("Thank you for saying why.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toHaveCount(0);
}

/** Whether something lies over the middle of it, as the page stands. */
function isCovered(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

test("reasons: two taps on a phone, and by keyboard", async ({ page, loginAs }) => {
  // On its side, where the question is folded up, so that the next song can be played.
  await page.setViewportSize({ width: 740, height: 360 });
  await loginAs(musician);
  await page.goto(await rateNow(0));
  const liked = page.getByRole("group", { name: "What did you like?" });
  await playerRuns(page);
  await expect(page.getByText("Why this rating?")).toBeVisible();
  await expect(liked).toBeHidden();
  expect(await isCovered(playButton(await songAt(page)))).toBe(false);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(await rateNow(0));
  await liked.getByText("Groove").click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send" }).click();
  await expectThanks(page);

  await page.goto(await rateNow(1));
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
  await page.keyboard.press("Enter");
  await expectThanks(page);

  // Whoever folds the question up finds it so after the next rating.
  await page.goto(await rateNow(0));
  await page.getByText("Why this rating?").click();
  await expect(liked).toBeHidden();
  await page.goto(await rateNow(1));
  await expect(page.getByText("Why this rating?")).toBeVisible();
  await expect(liked).toBeHidden();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("reasons are sent as a form", async ({ page }) => {
    await page.goto("/");
    await consentAs(musician, page);
    await page.goto(await rateNow(2));
    // The end of the page can be scrolled out from under the question.
    await page.getByRole("button", { name: "Logout" }).click({ trial: true });
    await page.getByRole("checkbox", { name: "Melody" }).first().check();
    await page.getByRole("button", { name: "Send" }).click();
    await expectThanks(page);
  });
});
