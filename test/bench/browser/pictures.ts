/**
 * `npm run bench -- pictures`: the bytes of covers and avatars on the screens of a member, on a phone at
 * two pixels a point, compared with what they would be at Spotify's largest size. Prints a Markdown table.
 */
import { type Browser, chromium } from "@playwright/test";
import { findBrowser } from "../../support/browser.ts";
import { type ServedProduct, withProduct } from "../served-product.ts";
import { logIn } from "./members.ts";

const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
const screens = [
  { name: "carousel", member: "Dana Free", path: "/" },
  { name: "carousel", member: "Perry Premium", path: "/" },
  { name: "ratings", member: "Dana Free", path: "/ratings-of-my-songs" },
  { name: "ratings", member: "Perry Premium", path: "/ratings-of-my-songs" },
];

const executablePath = findBrowser();
if (!executablePath) throw new Error("No Chromium: run `npm run test:browser` first.");
await withProduct(async (product) => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    console.log("| | pictures | bytes | of them the avatar | at 640 pixels |");
    console.log("|---|--:|--:|--:|--:|");
    for (const screen of screens) {
      const urls = await picturesOf(browser, product, screen);
      const covers = urls.filter((url) => url.includes("/album-"));
      const avatars = urls.filter((url) => !covers.includes(url));
      const largest = covers.map((url) => url.replace(/-\d+$/, "-640"));
      const [cover, avatar, full] = await Promise.all([covers, avatars, largest].map(weigh));
      console.log(
        `| ${screen.name}, ${screen.member} | ${urls.length} | ${sum(cover) + sum(avatar)} | ${sum(avatar)} | ${sum(full)} |`,
      );
    }
  } finally {
    await browser.close();
  }
});

/** The addresses of the pictures that a screen fetches, scrolled to its end. */
async function picturesOf(
  browser: Browser,
  product: ServedProduct,
  { member, path }: (typeof screens)[number],
): Promise<string[]> {
  const login = await browser.newContext();
  await logIn(login, product, member);
  const context = await browser.newContext({ ...phone, storageState: await login.storageState() });
  await login.close();
  const page = await context.newPage();
  const urls: string[] = [];
  page.on("requestfinished", (request) => {
    if (request.url().includes("/spotify/images/")) urls.push(request.url());
  });
  await page.goto(product.origin + path, { waitUntil: "networkidle" });
  await page.mouse.wheel(0, 10_000);
  await page.waitForLoadState("networkidle");
  await context.close();
  return urls;
}

async function weigh(urls: string[]): Promise<number[]> {
  const answers = await Promise.all(urls.map((url) => fetch(url)));
  return Promise.all(answers.map(async (answer) => (await answer.arrayBuffer()).byteLength));
}

function sum(numbers: number[] = []): number {
  return numbers.reduce((total, one) => total + one, 0);
}
