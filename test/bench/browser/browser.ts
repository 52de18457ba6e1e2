/**
 * `npm run bench -- browser`: how fast the main screens appear on a slow phone, and how long it takes
 * from pressing PLAY SONG to the first sound. Prints the medians of several runs as Markdown. The
 * figures depend on the machine; those of test/bench/browser/weight.ts do not.
 */
import { type Browser, chromium, type Page } from "@playwright/test";
import { findBrowser } from "../../support/browser.ts";
import { logIn } from "../scale/members.ts";
import { type ServedProduct, withProduct } from "../served-product.ts";
import { type Login, openPhone, openTab, phoneProfile } from "./phone.ts";
import { listenTo, pressForSound, type Sounding } from "./sounding.ts";
import { readVitals, type Vitals, watchVitals } from "./vitals.ts";

const runs = 5;
const member = "Dana Free";
/** The maximum time in milliseconds from opening the player's event stream until it is ready. */
const settleMs = 2_000;
/** A new user, who is offered short songs. */
const listener = "Aurelio Montefosco";

const screens = [
  "landing",
  "FAQ",
  "ratings",
  "ratings of a song",
  "carousel",
  "carousel, second visit",
] as const;
const presses = ["first song", "second song", "player ready, second visit"] as const;

type Measured<Name extends string, Value> = Record<Name, Value[]>;

const executablePath = findBrowser();
if (!executablePath) throw new Error("No Chromium: run `npm run test:browser` first.");
await withProduct(async (product) => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const vitals = empty<(typeof screens)[number], Vitals>(screens);
    const sounds = empty<(typeof presses)[number], Sounding>(presses);
    const lookers = await loginOf(browser, product, member);
    const songPath = await pathOfSong(browser, product, lookers);
    const listeners = await loginOf(browser, product, listener);
    for (let run = 0; run < runs; run += 1) {
      await look(browser, product, { login: lookers, songPath }, vitals);
      await persist(() => listen(browser, product, listeners, sounds));
    }
    console.log(`${runs} runs, medians. ${phoneProfile}\n`);
    reportVitals(vitals);
    reportSounds(sounds);
  } finally {
    await browser.close();
  }
});

function empty<Name extends string, Value>(names: readonly Name[]): Measured<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, []])) as unknown as Measured<Name, Value>;
}

async function loginOf(browser: Browser, product: ServedProduct, name: string): Promise<Login> {
  const context = await browser.newContext();
  await logIn(context, product, name);
  const login = await context.storageState();
  await context.close();
  return login;
}

/** The page of the first song in the list of the member's own. */
async function pathOfSong(
  browser: Browser,
  { origin }: ServedProduct,
  login: Login,
): Promise<string> {
  const context = await browser.newContext({ storageState: login });
  const page = await context.newPage();
  await page.goto(`${origin}/ratings-of-my-songs`);
  const link = page.locator("a[href^='/ratings-of-my-songs/']").first();
  const path = (await link.getAttribute("href")) ?? "";
  await context.close();
  return path;
}

/** Opens each screen with an empty cache, and the carousel once more. */
async function look(
  browser: Browser,
  { origin }: ServedProduct,
  { login, songPath }: { login: Login; songPath: string },
  vitals: Measured<(typeof screens)[number], Vitals>,
): Promise<void> {
  const visits = [
    { names: ["landing"], path: "/" },
    { names: ["FAQ"], path: "/faq" },
    { names: ["ratings"], path: "/ratings-of-my-songs", login },
    { names: ["ratings of a song"], path: songPath, login },
    { names: ["carousel", "carousel, second visit"], path: "/", login },
  ] as const;
  for (const visit of visits) {
    const context = await openPhone(browser, "login" in visit ? visit.login : undefined);
    await watchVitals(context);
    for (const name of visit.names) {
      const { page } = await openTab(context);
      await page.goto(origin + visit.path, { waitUntil: "networkidle" });
      vitals[name].push(await readVitals(page));
      await page.close();
    }
    await context.close();
  }
}

/** Tries something three times, because on a busy machine a press may not wait long enough for scripts. */
async function persist(measure: () => Promise<void>, attempts = 3): Promise<void> {
  try {
    await measure();
  } catch (error) {
    if (attempts <= 1) throw error;
    console.error(`Once more: ${error}`);
    await persist(measure, attempts - 1);
  }
}

/** Plays a song as soon as its button appears, rates it, plays the next; visits again and plays again. */
async function listen(
  browser: Browser,
  { origin }: ServedProduct,
  login: Login,
  sounds: Measured<(typeof presses)[number], Sounding>,
): Promise<void> {
  const playSong = (page: Page) => page.getByRole("button", { name: "PLAY SONG" }).first();
  const context = await openPhone(browser, login);
  const first = await openTab(context);
  const ears = await listenTo(first.page);
  await first.page.goto(origin, { waitUntil: "commit" });
  const press = () => pressForSound(first.page, first.client, ears, playSong(first.page));
  sounds["first song"].push(await press());
  await rate(first.page);
  sounds["second song"].push(await press());
  await first.page.close();

  const again = await openTab(context);
  const others = await listenTo(again.page);
  const ready = again.page.waitForResponse(/\/sdk\/events/);
  await again.page.goto(origin);
  await ready;
  await again.page.waitForTimeout(settleMs);
  sounds["player ready, second visit"].push(
    await pressForSound(again.page, again.client, others, playSong(again.page)),
  );
  await context.close();
}

async function rate(page: Page): Promise<void> {
  await page.getByText("Great, now you can rate this song").waitFor();
  await page.getByRole("radio", { name: "Great Song" }).first().click();
  await page.getByText("Song successfully rated with").first().waitFor();
}

function reportVitals(vitals: Measured<(typeof screens)[number], Vitals>): void {
  console.log("| | first paint ms | largest paint ms | loaded ms | blocked ms | layout shift |");
  console.log("|---|---|---|---|---|---|");
  for (const name of screens) {
    const of = (field: keyof Vitals) => median(vitals[name].map((one) => one[field]));
    const times = [of("firstPaint"), of("largestPaint"), of("loaded"), of("blocking")];
    const cells = [name, ...times.map((ms) => ms.toFixed(0)), of("shift").toFixed(3)];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

function reportSounds(sounds: Measured<(typeof presses)[number], Sounding>): void {
  console.log(
    "\n| PLAY SONG | to sound ms | requests to us | to Spotify's stand-in | no requests |",
  );
  console.log("|---|---|---|---|---|");
  for (const name of presses) {
    const of = (field: "total" | "ours" | "others" | "rest") =>
      median(sounds[name].map((one) => one[field])).toFixed(0);
    console.log(`| ${[name, of("total"), of("ours"), of("others"), of("rest")].join(" | ")} |`);
  }
  const early = sounds["first song"];
  const pressed = median(early.map((one) => one.pressed)).toFixed(0);
  const heard = median(early.map((one) => one.pressed + one.total)).toFixed(0);
  console.log(
    `\nAt first sight: pressed ${pressed} ms, heard ${heard} ms after the page was opened.`,
  );
  for (const name of presses) {
    const middle = sounds[name].toSorted((a, b) => a.total - b.total)[Math.floor(runs / 2)];
    if (!middle) continue;
    console.log(`\n${name}, the run in the middle: sound after ${middle.total.toFixed(0)} ms\n`);
    console.log("| ms after the press | request |\n|---|---|");
    for (const { what, ours, from, until } of middle.requests) {
      const whose = ours ? "" : "Spotify: ";
      console.log(`| ${from.toFixed(0)} to ${until.toFixed(0)} | ${whose}${what} |`);
    }
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
