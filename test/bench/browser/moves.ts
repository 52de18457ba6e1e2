/**
 * `npm run bench -- moves`: what it costs to move between the pages of a member while a song plays, on a
 * slow phone: the requests and bytes, the time until the next page shows, and the tasks that could
 * make the song stutter. The same tour twice in one document: the first time the pages' scripts and
 * styles are new, the second time they are there. Prints Markdown tables. The figures in milliseconds
 * depend on the machine.
 */
import { type Browser, chromium, type Locator, type Page } from "@playwright/test";
import { findBrowser } from "../../support/browser.ts";
import { bytesOf, type Fetched, fromUs, type Kind, recordVisit } from "../../support/weight.ts";
import { logIn } from "../scale/members.ts";
import { type ServedProduct, withProduct } from "../served-product.ts";
import { openPhone, openTab, phoneProfile } from "./phone.ts";

const runs = 5;
/** How long the page rests before and after a tap. */
const settleMs = 500;
/** Has songs with ratings, and songs to rate. */
const member = "Dana Free";

interface Move {
  name: string;
  /** What is tapped in turn; the last of them leads to the next page. */
  taps: ((page: Page) => Locator)[];
}

const moves: Move[] = [
  {
    name: "carousel → ratings",
    taps: [
      (page) => page.getByRole("button", { name: "Menu" }),
      (page) => page.getByRole("navigation", { name: "Main" }).getByText("Ratings of my songs"),
    ],
  },
  {
    name: "→ a song",
    taps: [
      (page) => page.locator("summary").first(),
      (page) =>
        page
          .locator("details")
          .first()
          .getByRole("link", { name: /about "/ }),
    ],
  },
  {
    name: "→ account",
    taps: [(page) => page.getByRole("link", { name: /your account/ })],
  },
  {
    name: "→ carousel",
    taps: [(page) => page.getByRole("link", { name: "Fivefold", exact: true })],
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
if (!executablePath) throw new Error("No Chromium: run `npm run test:browser` first.");
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
  const moved: Moved[] = [];
  for (const move of [...moves, ...moves]) moved.push(await make(page, move));
  await context.close();
  return moved;
}

/**
 * Makes a move. While its tasks are noted, nothing looks for elements: that would force layouts of its
 * own, and at this slowness be long tasks itself. So a tap goes to a place that was found before.
 */
async function make(page: Page, { taps }: Move): Promise<Moved> {
  const tasks: number[] = [];
  const slow: Pace["slow"] = [];
  let shown = 0;
  const fetched = await recordVisit(page, async () => {
    for (const [index, find] of taps.entries()) {
      const place = await placeOf(find(page));
      await page.evaluate(startNoting);
      await page.touchscreen.tap(place.x, place.y);
      if (index === taps.length - 1) shown = await untilShown(page);
      await page.waitForTimeout(settleMs);
      const noted = await page.evaluate(() => Reflect.get(window, "pace") as Pace);
      tasks.push(...noted.tasks);
      slow.push(...noted.slow);
    }
  });
  slow.sort((a, b) => b.ms - a.ms);
  return {
    fetched: fromUs(fetched),
    shown,
    longTasks: tasks.sort((a, b) => b - a),
    culprits: slow[0]?.scripts ?? [],
  };
}

/** Where to tap something, once the page has rested from looking for it. */
async function placeOf(target: Locator): Promise<{ x: number; y: number }> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} is not on the screen.`);
  await target.page().waitForTimeout(settleMs);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Asks now and then, because waiting within the page costs a script in every frame. */
async function untilShown(page: Page): Promise<number> {
  for (let asked = 0; asked < 100; asked += 1) {
    const shown = await page.evaluate(() => (Reflect.get(window, "pace") as Pace).shown);
    if (shown !== null) return shown;
    await page.waitForTimeout(200);
  }
  throw new Error(`Nothing followed ${page.url()}.`);
}

interface Pace {
  tasks: number[];
  slow: { ms: number; scripts: string[] }[];
  /** When something was pressed last. */
  clicked: number;
  /** The heading at the start. */
  heading: string | null | undefined;
  /** How long after the press the page stood there with another heading, or null. */
  shown: number | null;
}

/** Runs in the page: notes from now on. */
function startNoting(): void {
  const heading = document.querySelector("h1")?.textContent;
  Reflect.set(window, "pace", { tasks: [], slow: [], clicked: 0, heading, shown: null });
}

/** Runs in every page: notes long tasks, slow frames, the last click and when the next page stands. */
function watchFrames(): void {
  const noted = () => Reflect.get(window, "pace") as Pace | undefined;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) noted()?.tasks.push(Math.round(duration));
  }).observe({ type: "longtask" });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const scripts = Reflect.get(entry, "scripts") as Record<string, string | number>[];
      noted()?.slow.push({
        ms: Math.round(entry.duration),
        scripts: scripts.map(
          (one) =>
            `${one.invoker} ${String(one.sourceURL).replace(/.*\//, "")} ${one.sourceFunctionName} ${Math.round(Number(one.duration))} ms`,
        ),
      });
    }
  }).observe({ type: "long-animation-frame" });
  addEventListener(
    "click",
    (event) => Object.assign(noted() ?? {}, { clicked: event.timeStamp }),
    true,
  );
  new MutationObserver(() => {
    const pace = noted();
    const heading = document.querySelector("h1")?.textContent;
    if (!pace || pace.shown !== null || !heading || heading === pace.heading) return;
    pace.heading = heading;
    // A task after the next frame's start: that frame is done.
    requestAnimationFrame(() =>
      setTimeout(() => {
        pace.shown = performance.now() - pace.clicked;
      }),
    );
  }).observe(document, { childList: true, subtree: true });
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
