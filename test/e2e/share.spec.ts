import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { expectDisplayRules } from "./support/display-rules.ts";
import { test } from "./support/fixtures.ts";
import { expectLaidOut } from "./support/laid-out.ts";
import { onDatabase } from "./support/local-database.ts";
import { expectForcedColours, expectStructure } from "./support/operable.ts";

test("a result is published, copied, opened by somebody else, and taken back, and its song withdrawn", async ({
  page,
  context,
  loginAs,
  anotherBrowser,
  complaints,
}) => {
  complaints.expect(/status of 404/);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await loginAs("Perry Premium");
  await page.goto("/ratings-of-my-songs");
  await page.locator("summary").filter({ hasText: "7 of 10" }).click();
  await page.getByRole("link", { name: "What the ratings say" }).click();
  await page.getByRole("button", { name: "Publish the result" }).click();
  await expect(page.getByRole("heading", { name: "Share" })).toBeFocused();
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByText("Copied.")).toBeVisible();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  await expect(page.getByLabel("Its address")).toHaveValue(address);
  await expectAccessible(page);

  const other = await anotherBrowser();
  await other.goto(address);
  await expect(other.getByRole("heading", { name: "3 of 5 liked it." })).toBeVisible();
  await expectStructure(other);
  await expectDisplayRules(other);
  await expectLaidOut(other);
  await expectForcedColours(other);
  await expectAccessible(other);
  expect(await other.context().cookies()).toEqual([]);

  await page.getByRole("button", { name: "Take it back" }).click();
  await expect(page.getByRole("button", { name: "Publish the result" })).toBeVisible();
  await other.reload();
  await expect(other.getByRole("heading", { name: "Nothing is shared here" })).toBeVisible();

  await page.getByRole("button", { name: "Take it out of the rotation" }).click();
  await expect(page.getByRole("heading", { name: "What you can do" })).toBeFocused();
  await expect(page.getByText("7 of 10 received · withdrawn")).toBeVisible();
  await expectLaidOut(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect(page.getByRole("button", { name: "Take it out of the rotation" })).toBeVisible();
});

test("a shared page is laid out well whatever the song's title, on a phone and without a script", async ({
  anotherBrowser,
}) => {
  const snapshot = JSON.stringify({
    received: 10,
    uploads: [
      { number: 1, counts: [2, 1, 1, 1] },
      { number: 2, counts: [0, 1, 2, 2] },
    ],
  });
  const sql = `INSERT OR REPLACE INTO shares (song_id, token, snapshot, published_at)
    SELECT id, 'e2e-' || id, ?, 1790000000000 FROM songs
    WHERE id IN (SELECT id FROM songs ORDER BY length(title) DESC LIMIT 2)
      OR id IN (SELECT id FROM songs WHERE art_url IS NULL LIMIT 1) RETURNING token`;
  const tokens = (await onDatabase(sql, [snapshot])) as [string][];
  expect(tokens.length).toBeGreaterThanOrEqual(2);
  const page = await anotherBrowser();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [token] of tokens) {
    await page.goto(`/r/${token}`);
    await expect(page.getByRole("heading", { name: "6 of 10 liked it." })).toBeVisible();
    await expectLaidOut(page);
  }
});
