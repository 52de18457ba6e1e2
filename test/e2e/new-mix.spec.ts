/** A new mix of an own recording: from its song's page through the upload and the question, and back. */
import { expect } from "@playwright/test";
import { makeWav } from "../support/recordings/sound-files.ts";
import { expectAccessible } from "./support/accessible.ts";
import { fillUpload, hearDraft } from "./support/draft.ts";
import { test } from "./support/fixtures.ts";
import { expectLaidOut } from "./support/laid-out.ts";
import { onDatabase } from "./support/local-database.ts";
import { makeOwnRecordings } from "./support/own-recordings.ts";

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("a new mix is uploaded, asked about and submitted, and stands below the first", async ({
      page,
      musician,
    }) => {
      const { own } = await musician({
        ...{ credits: 30, tier: "premium" },
        own: [{ title: "Night Bus", scores: [1, 2, 2, 3, 1] }],
      });
      await makeOwnRecordings({ offered: own }, 5);
      // Longer ones are cut off on a short line.
      for (const { id } of own) {
        await onDatabase("UPDATE songs SET artists = ? WHERE id = ?", ['["Ada"]', id]);
      }
      const song = `/ratings-of-my-songs/${own[0]?.id}`;
      await page.goto(song);
      await expect(page.getByText(/^First mix, /)).toBeVisible();
      await page.getByRole("link", { name: "Submit a new mix" }).click();
      await expect(page.getByRole("heading", { name: /A new mix of “Night Bus”/ })).toBeVisible();
      if (javaScriptEnabled) {
        await expectLaidOut(page);
        await expectAccessible(page);
      }
      await fillUpload(page, "Night Bus (louder)", makeWav(6));
      await page.getByRole("button", { name: "Listen, then submit" }).click();
      await expect(page.getByText(/^A new mix of/)).toBeVisible();
      await expect(
        page.getByText(/^This is a new mix of “Night Bus”: it gets 5 more/),
      ).toBeVisible();
      await hearDraft(page);
      await page.getByRole("button", { name: "Submit this mix" }).click();
      await expect(page.getByText(/is added!/)).toBeVisible();
      await page.goto(song);
      await expect(page.getByRole("listitem").filter({ hasText: /^First mix, / })).toBeVisible();
      await expect(
        page
          .getByRole("listitem")
          .filter({ hasText: /^Second mix, / })
          .getByRole("img", { name: "5 to come" }),
      ).toBeVisible();
      await expect(page.getByText(/Once all its ratings are in, you can submit/)).toBeVisible();
      if (javaScriptEnabled) await expectLaidOut(page);
    });
  });
}
