import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { test } from "./support/fixtures.ts";

test("accessible: the design page", async ({ page }) => {
  await page.goto("/design");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Design");
  await expectAccessible(page);
});

test("the list of contents leads to every section of the design page", async ({ page }) => {
  await page.goto("/design");
  const contents = page.getByRole("navigation", { name: "On this page" }).getByRole("link");
  const links = await contents.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  const sections = page.locator("main section");
  const ids = await sections.evaluateAll((all) => all.map((section) => `#${section.id}`));
  expect(ids.length).toBeGreaterThan(0);
  expect(links).toEqual(ids);
});

test("the design page names every token there is", async ({ page }) => {
  await page.goto("/design");
  const tokens = await page.evaluate(() => {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    const layered = rules.flatMap((rule) =>
      rule instanceof CSSLayerBlockRule ? [...rule.cssRules] : [rule],
    );
    return layered.flatMap((rule) =>
      rule instanceof CSSStyleRule && rule.selectorText === ":root"
        ? [...rule.style].filter((name) => name.startsWith("--ff-"))
        : [],
    );
  });
  expect(tokens.length).toBeGreaterThan(0);
  const text = await page.locator("main").innerText();
  expect(tokens.filter((token) => !text.split(/\s+/).includes(token))).toEqual([]);
});

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
  await page.getByRole("button", { name: "Log in with Spotify Premium" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("contentinfo").getByRole("link").first()).toBeFocused();
});

test("a notice is told by its mark, where colours are not", async ({ page }) => {
  await page.goto("/design");
  const mark = (tone: string) =>
    page
      .locator(`.notice.${tone}`)
      .first()
      .evaluate((notice) => getComputedStyle(notice, "::before").content);
  const marks = [await mark("info"), await mark("ok"), await mark("error")];
  expect(new Set(marks).size).toBe(3);
});

test("nothing moves where reduced motion is asked for", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/design");
  const running = () => page.evaluate(() => document.getAnimations().length);
  expect(await running()).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(running).toBe(0);
});
