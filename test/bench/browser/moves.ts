/**
 * `npm run bench -- moves`: what it costs to move between the pages of a member while a song plays, on a
 * slow phone: the requests and bytes, the time until the next page shows, and the tasks that could
 * make the song stutter. The same tour twice in one document: the first time the pages' scripts and
 * styles are new, the second time they are there. Prints Markdown tables. The figures in milliseconds
 * depend on the machine.
 */
import { type Browser, chromium, type Page } from "@playwright/test";
import { findBrowser } from "../../support/browser.ts";
import { bytesOf, type Fetched, fromUs, type Kind, recordVisit } from "../../support/weight.ts";
import { logIn } from "../scale/members.ts";
import { type ServedProduct, withProduct } from "../served-product.ts";
import { openPhone, openTab, phoneProfile } from "./phone.ts";

const runs = 5;
/** Has songs with ratings, and songs to rate. */
const member = "Dana Free";

interface Move {
  name: string;
  /** Presses the link. */
  press(page: Page): Promise<void>;
  /** The heading of the next page. */
  heading: string | RegExp;
}

const moves: Move[] = [
  {
    name: "carousel → ratings",
    press: (page) => pressInMenu(page, "Ratings of my songs"),
    heading: "Ratings of my songs",
  },
  {
    name: "→ a song",
    async press(page) {
      const panel = page.locator("details").first();
      if ((await panel.getAttribute("open")) === null) await panel.locator("summary").tap();
      await panel.getByRole("link", { name: /about "/ }).tap();
    },
    heading: /^(?!Ratings of my songs)/,
  },
  {
    name: "→ account",
    press: (page) => page.getByRole("link", { name: /your account/ }).tap(),
    heading: /account/i,
  },
  {
    name: "→ carousel",
    press: (page) => page.getByRole("link", { name: "Fivefold", exact: true }).tap(),
    heading: /rate/i,
  },
];

/** One move of one run. Times are in milliseconds. */
interface Moved {
  fetched: Fetched[];
  shown: number;
  /** The tasks of more than 50 ms, longest first. */
  longTasks: number[];
  /** What the browser names as running in the longest of its slow frames. */
  culprits: string[];
}

const executablePath = findBrowser();
if (!executablePath) throw new Error("No Chromium: run `node test/support/browser.ts` first.");
await withProduct(async (product) => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const tours: Moved[][] = [];
    for (let run = 0; run < runs; run += 1) tours.push(await tour(browser, product));
    report(tours);
  } finally {
    await browser.close();
  }
});

/** Plays a song in the carousel and makes all moves twice. */
async function tour(browser: Browser, product: ServedProduct): Promise<Moved[]> {
  const login = await browser.newContext();
  await logIn(login, product, member);
  const context = await openPhone(browser, await login.storageState());
  await login.close();
  await context.addInitScript(watchFrames);
  const { page } = await openTab(context);
  await page.goto(product.origin, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "PLAY SONG" }).first().tap();
  await page.getByRole("timer").first().waitFor({ timeout: 60_000 });
  await page.waitForLoadState("networkidle");
  const moved: Moved[] = [];
  for (const move of [...moves, ...moves]) moved.push(await make(page, move));
  await context.close();
  return moved;
}

async function make(page: Page, { press, heading }: Move): Promise<Moved> {
  await page.evaluate(() => Reflect.set(window, "pace", { tasks: [], slow: [], clicked: 0 }));
  let shown = 0;
  const fetched = await recordVisit(page, async () => {
    await press(page);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    shown = await page.evaluate(
      () => performance.now() - (Reflect.get(window, "pace") as Pace).clicked,
    );
    await page.waitForLoadState("networkidle");
    await page.waitForTimeout(500);
  });
  const { tasks, slow } = await page.evaluate(() => Reflect.get(window, "pace") as Pace);
  slow.sort((a, b) => b.ms - a.ms);
  return {
    fetched: fromUs(fetched),
    shown,
    longTasks: tasks.sort((a, b) => b - a),
    culprits: slow[0]?.scripts ?? [],
  };
}

interface Pace {
  tasks: number[];
  slow: { ms: number; scripts: string[] }[];
  /** When something was pressed last. */
  clicked: number;
}

/** Runs in every page: notes long tasks, slow frames and the last click. */
function watchFrames(): void {
  const noted = () => Reflect.get(window, "pace") as Pace;
  Reflect.set(window, "pace", { tasks: [], slow: [], clicked: 0 });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) noted().tasks.push(Math.round(duration));
  }).observe({ type: "longtask" });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const scripts = Reflect.get(entry, "scripts") as Record<string, string | number>[];
      noted().slow.push({
        ms: Math.round(entry.duration),
        scripts: scripts.map(
          (one) =>
            `${one.invoker} ${String(one.sourceURL).replace(/.*\//, "")} ${one.sourceFunctionName} ${Math.round(Number(one.duration))} ms`,
        ),
      });
    }
  }).observe({ type: "long-animation-frame" });
  addEventListener("click", (event) => (noted().clicked = event.timeStamp), true);
}

async function pressInMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).tap();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).tap();
}

function report(tours: Moved[][]): void {
  console.log(`${runs} runs, medians. ${phoneProfile}\n`);
  console.log("| | requests | data | scripts | styles | shown after ms | longest task ms |");
  console.log("|---|--:|--:|--:|--:|--:|--:|");
  for (const [index, { name }] of [...moves, ...moves].entries()) {
    const all = tours.flatMap((tour) => tour[index] ?? []);
    const of = (measure: (one: Moved) => number) => median(all.map(measure)).toFixed(0);
    // Remix stops reading data that it has understood, which then counts as nothing.
    const most = (kind: Kind) => Math.max(...all.map(({ fetched }) => bytesOf(fetched, kind)));
    const cells = [
      `${name}${index < moves.length ? "" : ", again"}`,
      of(({ fetched }) => fetched.length),
      most("data"),
      most("script"),
      most("css"),
      of(({ shown }) => shown),
      of(({ longTasks }) => longTasks[0] ?? 0),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  const [first = []] = tours;
  console.log("\nIn the first run:\n");
  for (const [index, { fetched, longTasks, culprits }] of first.entries()) {
    const paths = fetched.map(({ url, bytes }) => `${new URL(url).pathname} (${bytes})`);
    console.log(`${index + 1}. ${paths.join(", ")}; tasks ${longTasks.join(", ") || "none"} ms`);
    for (const culprit of culprits) console.log(`   - ${culprit}`);
  }
  const urls = first.flatMap(({ fetched }) => fetched).map(({ url }) => new URL(url).pathname);
  const built = urls.filter((path) => path.startsWith("/build/"));
  const twice = built.filter((path, index) => built.indexOf(path) !== index);
  console.log(`\nScripts and styles fetched twice: ${twice.join(", ") || "none"}.`);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
