import { expect } from "@playwright/test";
import { songAt } from "./support/carousel.ts";
import { control, idOf, test } from "./support/fixtures.ts";

const add = { name: "Add to my favorites" };

test("a favorite is saved once, said so for a moment, and offered no more", async ({
  page,
  loginAs,
}) => {
  await loginAs("Joaquín Almendrales");
  await page.clock.install();
  await page.reload();
  const { box } = await songAt(page);
  await box.getByRole("button", add).dblclick();
  await expect(box.getByText("Added!", { exact: true })).toBeVisible();
  await expect(box.getByRole("button", add)).toBeHidden();
  await page.clock.runFor(3_000);
  await expect(box.getByText("Added!", { exact: true })).toBeHidden();
  const { saved } = await control("state", { musician: idOf("Joaquín Almendrales") });
  expect(saved).toHaveLength(1);
  await page.reload();
  await expect(page.getByRole("button", add)).toHaveCount(4);
});

test("a favorite that Spotify does not take is told, and can be tried again", async ({
  page,
  loginAs,
  complaints,
}) => {
  complaints.expect(/status of 503/);
  await loginAs("Thaddeus Vane");
  const musician = idOf("Thaddeus Vane");
  const { box } = await songAt(page);
  await control("fail", { route: "PUT /v1/me/library", status: 500, musician });
  await box.getByRole("button", add).click();
  await expect(box.getByRole("alert")).toHaveText(
    "This song could not be added to your favorites. Please try again in a moment. (HTTP 500: Ordered failure)",
  );
  await box.getByRole("button", add).click();
  await expect(box.getByText("Added!", { exact: true })).toBeVisible();
  await expect(box.getByRole("alert")).toBeHidden();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("without JavaScript: a favorite is saved by a plain form", async ({ page, loginAs }) => {
    await loginAs("Ayla Demirkan");
    const { box } = await songAt(page);
    await box.getByRole("button", add).click();
    await expect(box.getByText("Added!", { exact: true })).toBeVisible();
    await page.goto("/");
    await expect(page.getByRole("button", add)).toHaveCount(4);
  });
});
