import { expect, type Page } from "@playwright/test";
import { test } from "./support/fixtures.ts";

/** Notes what the policy of any page in this browser forbids from now on. */
async function watchPolicy(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction("noteViolation", (text: string) => void violations.push(text));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const { effectiveDirective, blockedURI } = event;
      const note = Reflect.get(window, "noteViolation") as (text: string) => void;
      note(`${location.pathname}: ${effectiveDirective} ${blockedURI}`);
    });
  });
  return violations;
}

test("a script that somebody got into a page does not run, nor one from elsewhere", async ({
  page,
  complaints,
}) => {
  complaints.expect(/Content Security Policy/);
  const violations = await watchPolicy(page);
  await page.goto("/faq");
  await page.evaluate(() => {
    const inline = document.createElement("script");
    inline.textContent = "document.title = 'taken over'";
    const foreign = document.createElement("script");
    foreign.src = "https://evil.example/x.js";
    for (const script of [inline, foreign]) document.body.appendChild(script);
  });
  await expect.poll(() => violations.length).toBe(2);
  expect(violations.every((one) => one.startsWith("/faq: script-src"))).toBe(true);
  await expect(page).not.toHaveTitle("taken over");
});

test("no other site may put a page into a frame", async ({ page, baseURL }) => {
  await page.goto("about:blank");
  await page.setContent(`<iframe src="${baseURL}/faq"></iframe>`);
  await expect(page.frameLocator("iframe").getByRole("heading")).toHaveCount(0);
});
