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
      page.getByText("Musicians rate each other's songs here."),
      page.getByRole("button", { name: "Log in with Spotify Premium" }),
      page.getByText("The login is safe"),
    ];
    for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
  }
});

test("nothing in the landing page's examples can be pressed", async ({ page }) => {
  await page.goto("/");
  const examples = page.getByRole("figure");
  await expect(examples).toHaveCount(2);
  for (const example of await examples.all()) await expect(example).toContainText("An example");
  await page.getByRole("link", { name: "Come in with your e-mail." }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("contentinfo").getByRole("link").first()).toBeFocused();
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
