import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { test } from "./support/fixtures.ts";
import { expectLaidOut } from "./support/laid-out.ts";
import { onDatabase, writeRows } from "./support/local-database.ts";
import { logInAsOperator } from "./support/log-in-as-operator.ts";
import { mailTo, openMail } from "./support/mailbox.ts";
import { unique } from "./support/musician.ts";
import { expectForcedColours, expectStructure } from "./support/operable.ts";

test("a reported song is taken out, which its owner reads by mail and on its page", async ({
  page,
  musician,
  anotherBrowser,
  complaints,
}) => {
  complaints.expect(/status of 404/);
  const owner = await musician({ own: [{}] });
  const [song] = owner.own;
  // Among the oldest, which are shown, but not so old that the job of every ten minutes deletes it.
  const at = Date.now() - 10 * 86_400_000;
  const report = { id: `report-${song?.id}`, song_id: song?.id ?? "" };
  await writeRows({
    reports: [{ ...report, created_at: at, mailed_at: at, words: "It is silence." }],
  });
  const operator = await anotherBrowser();
  await logInAsOperator(operator);
  await operator.goto("/operator");
  const card = operator.getByRole("article").filter({ hasText: song?.track.name ?? "" });
  await expect(card).toContainText("It is silence.");
  await expectStructure(operator);
  await expectLaidOut(operator);
  await expectForcedColours(operator);
  await expectAccessible(operator);
  await card.getByLabel(/The reason/).fill("It is three minutes of silence.");
  await card.getByRole("button", { name: "Take it out" }).click();
  await expect(card.getByText("You have taken out")).toBeVisible();
  await expect(card).toContainText("Taken out. The reason: It is three minutes of silence.");

  await openMail(page, await mailTo(owner.address, "We have taken out your song"));
  await expect(page.getByText("answer this e-mail")).toBeVisible();
  await page.goto(`/ratings-of-my-songs/${song?.id}`);
  await expect(page.getByText("The reason: “It is three minutes of silence.”")).toBeVisible();
  await page.goto("/operator");
  await expect(page.getByRole("heading", { name: "Nothing here" })).toBeVisible();

  await card.getByLabel(/The reason/).fill("It is music.");
  await card.getByRole("button", { name: "Put it back" }).click();
  await expect(card).toHaveCount(0);
  await expect(operator.getByText("You have put back")).toBeVisible();
});

test("of two accounts with one address, the one that is meant is looked at, from the list of both", async ({
  musician,
  anotherBrowser,
}) => {
  const address = `${unique()}@shared.example`;
  const [one, other] = [await musician({ own: [{}] }), await musician()];
  const at = Date.now() - 60_000;
  const times = { created_at: at, expires_at: at + 86_400_000, used_at: at + 1 };
  await writeRows({
    mailed_proofs: [one, other].map(({ userId }) => ({
      ...{ id: `confirmed-${userId}`, kind: "confirmation", asked_by: userId, address },
      ...times,
    })),
  });
  for (const { userId } of [one, other]) {
    await onDatabase("UPDATE users SET own_email = ? WHERE id = ?", [address, userId]);
  }
  const page = await anotherBrowser();
  await logInAsOperator(page);
  await page.goto("/operator");
  const people = page.getByRole("region", { name: "People" });
  await people.getByLabel(/An address, a name or its beginning/).fill(address);
  await people.getByRole("button", { name: "Find" }).click();
  await expect(people).toContainText("Several accounts have this.");
  await expect(people.getByRole("listitem")).toHaveCount(2);
  await expectLaidOut(page);
  await expectAccessible(page);
  await people.getByRole("button", { name: `Look at ${one.displayName}` }).click();
  await expect(people.getByRole("article")).toContainText(one.own[0]?.track.name ?? "");
  await expect(people).toContainText("also by 1 other account");
  await expect(people.getByRole("article")).not.toContainText(other.displayName);
  // From the top of the page.
  await page.goto(page.url().replace("#people", ""));
  await expectStructure(page);
  await expectLaidOut(page);
  await expectForcedColours(page);
  await expectAccessible(page);
});
