import { expect } from "@playwright/test";
import { playerRuns, songAt } from "./support/carousel.ts";
import { test } from "./support/fixtures.ts";

const add = { name: "Add to my favorites" };

const heart = "In my favorites";

test("a favorite is saved once, said so for a moment, and can be taken back", async ({
  page,
  musician,
}) => {
  await page.clock.install();
  const listener = await musician();
  const { box } = await songAt(page);
  await playerRuns(page);
  await page.clock.pauseAt(Date.now() + 10_000);
  await box.getByRole("button", add).dblclick();
  await expect(box.getByText("Added!", { exact: true })).toBeVisible();
  await expect(box.getByRole("button", add)).toBeHidden();
  await page.clock.runFor(3_000);
  await expect(box.getByText("Added!", { exact: true })).toBeHidden();
  const { saved } = await listener.order("state");
  expect(saved).toHaveLength(1);
  await expect(box.getByText(heart)).toBeVisible();
  await page.reload();
  await expect(box.getByText(heart)).toBeVisible();
  await expect(box.getByRole("button", add)).toHaveCount(0);

  await box.getByRole("button", { name: "Remove" }).press("Enter");
  await expect(box.getByText("Removed.")).toBeFocused();
  await page.clock.runFor(3_000);
  await expect(box.getByRole("button", add)).toBeVisible();
  expect(await listener.order("state")).toMatchObject({ saved: [] });
});

test("what was saved at Spotify has a filled heart, what was taken out there has none, and what Spotify does not take can be tried again", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/status of 503/);
  const listener = await musician();
  const { box } = await songAt(page);
  await listener.order("fail", { route: "PUT /v1/me/library" });
  await box.getByRole("button", add).click();
  await expect(box.getByRole("alert")).toContainText("could not add this song to your favorites");
  await box.getByRole("button", add).click();
  await expect(box.getByText("Added!", { exact: true })).toBeVisible();
  await expect(box.getByRole("alert")).toBeHidden();
  await listener.order("reset");
  await page.goto("/");
  await expect(box.getByRole("button", add)).toBeVisible();
  await expect(box.getByText(heart)).toBeHidden();

  // Spotify does not take it back, and the heart stays.
  await box.getByRole("button", add).click();
  await expect(box.getByText(heart)).toBeVisible();
  await listener.order("fail", { route: "DELETE /v1/me/library" });
  await box.getByRole("button", { name: "Remove" }).click();
  await expect(box.getByRole("alert")).toContainText(
    "could not remove this song from your favorites",
  );
  await expect(box.getByText(heart)).toBeVisible();
});
