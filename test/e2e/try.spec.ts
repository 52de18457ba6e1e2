/** Whoever dares rates our own tune too early and asks for its end at once, with and without scripts. */
import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { signToken } from "../../app/platform/crypto.server.ts";
import { expectAccessible } from "./support/accessible.ts";
import { test } from "./support/fixtures.ts";

const tooEarly = /status of 425/;
const said = (page: Page) => page.getByRole("status");
const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

/** The address of a visit that began long enough ago. */
async function heardVisit(): Promise<string> {
  const file = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");
  const secret = /^SESSION_SECRET = "(.+)"/m.exec(file)?.[1] ?? "";
  return `/try?visit=${await signToken(secret, "try", `${Date.now() - 20_000}`)}`;
}

function heard(page: Page): Promise<number> {
  return page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.currentTime);
}

test("a rating too early is refused in place, and the tune plays on", async ({
  page,
  complaints,
}) => {
  complaints.expect(tooEarly);
  await page.goto("/");
  await page.getByRole("link", { name: "Try it" }).click();
  await expect(page.getByRole("button", { name: "Great Song" })).toBeDisabled();
  await press(page, "Play our own tune");
  await expect(page.getByRole("button", { name: "Pause our own tune" })).toBeFocused();
  await expect.poll(() => heard(page)).toBeGreaterThan(0.2);
  await page.locator("audio").evaluate((audio) => audio.setAttribute("data-same", ""));
  await press(page, "Great Song");
  await expect(said(page)).toHaveText(/^Not yet: (1\d|20) seconds\.The server's clock says so/);
  await expect(page.getByRole("button", { name: "Great Song" })).toBeFocused();
  await press(page, "Ask for the end at once");
  await expect(said(page)).toHaveText(/^Held: the last 64 KB come in \d+ seconds?\.206, /);
  const before = await heard(page);
  await expect.poll(() => heard(page)).toBeGreaterThan(before);
  await expect(page.locator("audio")).toHaveAttribute("data-same", "");
  await expect(page.getByRole("progressbar", { name: "Listened so far" })).toBeVisible();
  await expectAccessible(page);
});

test("the same mark, pressed once more, is answered anew", async ({ page, complaints }) => {
  complaints.expect(tooEarly);
  await page.goto("/try");
  await press(page, "Play our own tune");
  await press(page, "Mediocore");
  await expect(said(page)).toContainText("Not yet: ");
  const before = await said(page).textContent();
  await expect(async () => {
    await press(page, "Mediocore");
    expect(await said(page).textContent()).not.toBe(before);
  }).toPass();
});

test("a rating in time is taken, and another visit begins without a trace of it", async ({
  page,
}) => {
  await page.goto(await heardVisit());
  await press(page, "Added to my playlist!");
  await expect(page.getByRole("heading", { name: "4 of 5 liked it." })).toBeFocused();
  await expect(page.getByRole("img", { name: /2 × Added to my playlist!/ })).toBeVisible();
  await expectAccessible(page);
  await press(page, "Play our own tune");
  await expect(said(page)).toContainText("Now rate it before its end.");
  await expect(page.getByRole("img", { name: /Added to my playlist!/ })).toHaveCount(0);
});

test("the lines for engineers hold what the page says", async ({ page, request }) => {
  await page.goto(await heardVisit());
  await page.getByText("For engineers").click();
  const lines = (await page.locator("pre").textContent()) ?? "";
  const [rating = "", end = ""] = lines.match(/https?:[^"]+/g) ?? [];
  expect((await request.head(rating)).status()).toBe(200);
  const part = await request.get(end, { headers: { Range: "bytes=-65536" } });
  expect([part.status(), (await part.body()).byteLength]).toEqual([206, 65_536]);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 568 } });

  test("without JavaScript: each answer is a page, in which the tune goes on", async ({
    page,
    complaints,
  }) => {
    complaints.expect(tooEarly);
    await page.goto("/try");
    await press(page, "Play our own tune");
    const tune = page.locator("audio[autoplay][controls]");
    await expect(tune).toHaveAttribute("src", /^\/try\.wav\?visit=[^#]+$/);
    await press(page, "Not for me");
    await expect(said(page)).toContainText("Not yet: ");
    await expect(said(page)).toBeInViewport();
    await press(page, "Ask for the end at once");
    await expect(said(page)).toContainText("Held: the last 64 KB");
    await page.goto(await heardVisit());
    await expect(tune).toHaveAttribute("src", /#t=2\d$/);
    await press(page, "Not for me");
    await expect(page.getByRole("heading", { name: "3 of 5 liked it." })).toBeInViewport();
  });
});
