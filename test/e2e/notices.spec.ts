/** Somebody without an account says that a song may not be here, from its shared page to the answer. */
import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { test } from "./support/fixtures.ts";
import { expectLaidOut } from "./support/laid-out.ts";
import { writeRows } from "./support/local-database.ts";
import { logInAsOperator } from "./support/log-in-as-operator.ts";
import { mailTo, readMail } from "./support/mailbox.ts";
import { makeMusician, unique } from "./support/musician.ts";
import { expectForcedColours, expectStructure } from "./support/operable.ts";

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    test("a shared page is reported, its song is taken out, and the answer comes by mail", async ({
      page,
      anotherBrowser,
      complaints,
    }) => {
      complaints.expect(/status of 422/);
      complaints.expect(/status of 404/);
      const owner = await makeMusician({ own: [{ scores: [1, 2, 3, 4, 4] }] });
      const [song] = owner.own;
      const token = `token-${song?.id}`;
      const snapshot = '{"received":5,"uploads":[{"number":1,"counts":[1,1,1,2]}]}';
      const published_at = Date.now();
      await writeRows({ shares: [{ song_id: song?.id ?? "", token, snapshot, published_at }] });
      const address = `${unique()}@rights.example`;

      await page.goto(`/r/${token}`);
      await page.getByRole("link", { name: "Report this page" }).click();
      await expect(page.getByRole("heading", { name: "Report something" })).toBeVisible();
      await expect(page.getByLabel("What is it about?")).toHaveValue(`/r/${token}`);
      await page.getByLabel("What is wrong with it").fill("It is my song.");
      await page.getByLabel("Your e-mail address").fill("nobody");
      await page.getByRole("checkbox").check();
      await expectLaidOut(page);
      await page.getByRole("button", { name: "Send it" }).click();
      await expect(page.getByText("This was not sent yet.")).toBeVisible();
      await expect(page.getByLabel("What is wrong with it")).toHaveValue("It is my song.");
      await expect(page.getByRole("checkbox")).toBeChecked();
      await expectLaidOut(page);
      if (javaScriptEnabled) {
        await expectStructure(page);
        await expectForcedColours(page);
        await expectAccessible(page);
      }
      await page.getByLabel("Your e-mail address").fill(address);
      await page.getByRole("button", { name: "Send it" }).click();
      await expect(page.getByRole("heading", { name: "We have your report" })).toBeVisible();
      await expectLaidOut(page);

      const receipt = await mailTo(address, "its number is");
      const operator = await anotherBrowser();
      await logInAsOperator(operator);
      await operator.goto("/operator");
      const card = operator.getByRole("article").filter({ hasText: song?.track.name ?? "" });
      await expect(card).toContainText("It is my song.");
      await expect(card).toContainText(/number (\w+)/.exec(receipt.subject)?.[1] ?? "none");
      await expectLaidOut(operator);
      await card.getByLabel(/The reason/).fill("It belongs to somebody else.");
      await card.getByLabel(/It is against the law/).check();
      await card.getByRole("button", { name: "Take it out" }).click();
      await expect(card.getByText("You have taken out")).toBeVisible();

      await readMail(page, await mailTo(address, "It belongs to somebody else."));
      await expect(page.getByText("out-of-court dispute settlement")).toBeVisible();
      await mailTo(owner.address, "This rests on the law.");
      await page.goto(`/r/${token}`);
      await expect(page.getByRole("heading", { name: "Nothing is shared here" })).toBeVisible();
    });
  });
}
