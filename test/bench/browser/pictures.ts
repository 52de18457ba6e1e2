/**
 * `npm run bench -- pictures`: the bytes of covers and avatars on the screens of a member, on a phone at
 * two pixels a point, compared with what they would be at Spotify's largest size; and the covers of
 * packages drawn at random from the songs of the stand-in. Prints Markdown tables.
 */
import { type Browser, chromium } from "@playwright/test";
import { randomFrom } from "../../sandbox/catalogue.ts";
import { seedSql } from "../../sandbox/seed.ts";
import { findBrowser } from "../../support/browser.ts";
import { logIn } from "../scale/members.ts";
import { type ServedProduct, withProduct } from "../served-product.ts";

const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
const budget = 120 * 1024;
const packages = 20_000;
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
    await reportPackages(product);
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

/** The covers of packages of five drawn at random from all songs of the seed. */
async function reportPackages({ sandboxOrigin }: ServedProduct): Promise<void> {
  const seed = seedSql(sandboxOrigin, Date.now());
  const covers = await weigh([...new Set(seed.match(/http:[^"']*\/images\/album-\w+-300/g))]);
  const random = randomFrom("packages");
  const weights = Array.from({ length: packages }, () => {
    const left = [...covers];
    return sum(Array.from({ length: 5 }, () => left.splice(random() * left.length, 1)[0] ?? 0));
  }).sort((a, b) => a - b);
  const at = (share: number) => weights[Math.floor(share * (weights.length - 1))];
  const within = weights.filter((weight) => weight <= budget).length / weights.length;
  console.log(
    `\nCovers of ${packages} packages of five, drawn from ${covers.length} at 300 pixels: median ${at(0.5)} bytes, ` +
      `95 % under ${at(0.95)}, heaviest ${at(1)}; ${(100 * within).toFixed(1)} % under ${budget}.`,
  );
}

async function weigh(urls: string[]): Promise<number[]> {
  const answers = await Promise.all(urls.map((url) => fetch(url)));
  return Promise.all(answers.map(async (answer) => (await answer.arrayBuffer()).byteLength));
}

function sum(numbers: number[] = []): number {
  return numbers.reduce((total, one) => total + one, 0);
}
