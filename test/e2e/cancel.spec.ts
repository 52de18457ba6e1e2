/** A subscriber who is not logged in cancels, or withdraws, from the foot of the landing page to the mail's link. */
import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { order } from "./support/control.ts";
import { test } from "./support/fixtures.ts";
import { expectLaidOut } from "./support/laid-out.ts";
import { mailTo, readMail } from "./support/mailbox.ts";
import { makeMusician } from "./support/musician.ts";

const ways = [
  {
    ...{ link: "Cancel a subscription", press: "Cancel now", name: "cancellation" },
    ...{ says: /^Premium ends on \d+ \w+ \d{4}, and does not renew/, status: "active" },
  },
  {
    ...{ link: "Withdraw from a subscription", press: "Withdraw now", name: "withdrawal" },
    ...{ says: /^Premium has ended\. What you have paid goes back/, status: "canceled" },
  },
];

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    for (const { link, press, name, says, status } of ways) {
      test(`a ${name} without a login, from the foot of the page to the mail's link`, async ({
        page,
        complaints,
      }) => {
        complaints.expect(/status of 422/);
        const subscriber = await makeMusician({ tier: "premium" });
        const { address = "" } = subscriber;

        await page.goto("/");
        await page.getByRole("link", { name: link }).click();
        await page.getByLabel("Your e-mail address").fill("nobody");
        await page.getByRole("button", { name: press }).click();
        await expect(page.getByRole("alert")).toBeVisible();
        await expect(page.getByLabel("Your e-mail address")).toHaveValue("nobody");
        await expectLaidOut(page);
        if (javaScriptEnabled) await expectAccessible(page);
        await page.getByLabel("Your e-mail address").fill(address ?? "");
        await page.getByRole("button", { name: press }).click();
        await expect(page.getByRole("heading", { name: `We have your ${name}` })).toBeVisible();

        await readMail(page, await mailTo(address ?? "", `the ${name} of Fivefold Premium`));
        await page.getByRole("link", { name: `Confirm the ${name}` }).click();
        await page.getByRole("button", { name: `Confirm the ${name}` }).click();
        await expect(page.getByRole("heading", { name: `Your ${name} is done` })).toBeVisible();
        await expect(page.getByText(says)).toBeVisible();
        await expectLaidOut(page);
        await page.reload();
        await expect(page.getByText(says)).toBeVisible();

        const { subscriptions } = await subscriber.order("stripeState");
        expect(subscriptions).toMatchObject([{ status }]);
        await order("stripeSettle", {});
      });
    }
  });
}
