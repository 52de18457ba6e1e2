import { expect } from "@playwright/test";
import { test } from "./support/fixtures.ts";

test("the landing page says on the first screen of a phone what it is, and has the login", async ({
  page,
}) => {
  for (const [width, height] of [
    [390, 844],
    [375, 667],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto("/?declined");
    const parts = [
      page.getByRole("heading", { level: 1 }),
      page.getByText("They are musicians, too."),
      page.getByRole("button", { name: "Log in with Spotify Premium" }),
      page.getByText("The login is safe"),
    ];
    for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
  }
});

test("the example on the page of the offer turns into what each tier sees", async ({
  page,
  musician,
}) => {
  await musician();
  await page.goto("/subscribe");
  const example = page.getByRole("figure", { name: "An example of what you see" });
  await expect(example.getByRole("img")).toHaveAccessibleName(
    "1 × Great Song, 1 × Added to my playlist!, 3 not shown",
  );
  await expect(example).toContainText("Two are shown here");
  await example.getByRole("radio", { name: "Fivefold Premium" }).check();
  await expect(example.getByText("3 of 5 liked it.")).toBeVisible();
  await expect(example.getByText("All five are in.")).toBeHidden();
  await expect(example.getByRole("img")).toHaveAccessibleName(/^1 × Not for me/);
});

test("a notice is told by its mark, where colours are not", async ({ page }) => {
  await page.goto("/faq");
  const marks = await page.evaluate(() =>
    ["info", "ok", "error"].map((tone) => {
      const notice = document.createElement("p");
      notice.className = `notice ${tone}`;
      document.body.appendChild(notice);
      return getComputedStyle(notice, "::before").content;
    }),
  );
  expect(marks).not.toContain("none");
  expect(new Set(marks).size).toBe(3);
});

test("what is loading does not move where reduced motion is asked for", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/faq");
  await page.evaluate(() => {
    const loading = document.createElement("div");
    loading.className = "skeleton";
    document.body.appendChild(loading);
  });
  const running = () => page.evaluate(() => document.getAnimations().length);
  expect(await running()).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(running).toBe(0);
});
