import { expect, type Page } from "@playwright/test";
import { pages } from "../support/pages.ts";
import { heardTo, play, playerRuns, rate, songAt, unlocked } from "./support/carousel.ts";
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

/** Every screen that has an address. */
const screens = [
  ...pages,
  "/?menu=addownsong",
  "/?menu=addownsong&q=a",
  "/unsubscribe?token=x",
  "/confirm-email?token=x",
  "/no/such/page",
];

test("the policy forbids nothing that a visitor's screens do", async ({ page, complaints }) => {
  complaints.expect(/status of 40[034]/);
  const violations = await watchPolicy(page);
  for (const screen of screens) {
    await page.goto(screen, { waitUntil: "networkidle" });
  }
  expect(violations).toEqual([]);
});

test("the policy forbids nothing that a member's screens do, the player running", async ({
  page,
  loginAs,
  complaints,
}) => {
  test.setTimeout(90_000);
  complaints.expect(/status of 40[034]/);
  const violations = await watchPolicy(page);
  await loginAs("Jesper Almquist");
  const song = await songAt(page);
  await playerRuns(page);
  await play(page, song);
  await heardTo(page, 1);
  await unlocked(page);
  await rate(page, song, "Great Song");
  await page.getByRole("button", { name: "Add to my favorites" }).first().click();
  await expect(page.getByText("Added!").first()).toBeVisible();
  for (const screen of screens) await page.goto(screen, { waitUntil: "networkidle" });
  expect(violations).toEqual([]);
});

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

test("no other site may put a page into a frame", async ({ page, complaints, baseURL }) => {
  complaints.expect(/frame|X-Frame-Options|Content Security Policy/i);
  await page.goto("about:blank");
  await page.setContent(`<iframe src="${baseURL}/faq"></iframe>`);
  await expect(page.frameLocator("iframe").getByRole("heading")).toHaveCount(0);
});
