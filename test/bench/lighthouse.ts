/**
 * `npm run lighthouse`: builds and serves the product with the stand-ins, on free ports and a
 * database of its own, and has Lighthouse look at its pages as a phone would (design section 7).
 * Prints the four figures of every page and the audits that cost points; ends with 1 where a page
 * is below its bar. No part of `npm test`: the figures depend on how busy the machine is.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import lighthouse, { type Result } from "lighthouse";
import { findBrowser } from "../support/browser.ts";
import { freePorts } from "../support/free-ports.ts";

const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const publicPages = ["/", "/faq", "/imprint", "/ratings-of-my-songs", "/account"];
/** Those that search engines are to find. */
const searched = ["/", "/faq", "/imprint", "/ratings-of-my-songs"];
/** The least a public page must reach, and the carousel: the figures of 0 to 100. */
const bars = { public: 100, carousel: 95 };
/** Somebody on the free tier: their carousel has the offer of premium, too. */
const listener = "Dana Free";
const buyer = "Mara Lind";
/** How long the build, the first migration and the seed may take, in milliseconds. */
const startLimit = 180_000;

interface Measured {
  page: string;
  bar: number;
  scores: number[];
  /** What lost points, as "category: audit (what is wrong)". */
  failing: string[];
}

const executablePath = findBrowser();
if (!executablePath) throw new Error("No Chromium: run `node test/support/browser.ts` first.");
const [port, sandboxPort, debugPort] = await freePorts(3);
const origin = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(join(tmpdir(), "fivefold-lighthouse-"));
const product = spawn("node", ["test/sandbox/start.ts"], {
  cwd: join(import.meta.dirname, "../.."),
  stdio: ["ignore", "ignore", "inherit"],
  env: {
    ...process.env,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    STATE_DIR: join(folder, "state"),
  },
});
const ended = new Promise((resolve) => product.once("exit", resolve));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => product.kill());

try {
  await untilHealthy();
  // One profile for Lighthouse's tabs and for the login, which Lighthouse does not forget.
  const browser = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath,
    args: ["--no-sandbox", `--remote-debugging-port=${debugPort}`],
  });
  const pages = await measureAll(browser).finally(() => browser.close());
  report(pages);
  if (pages.some(({ scores, bar }) => scores.some((score) => score < bar))) process.exitCode = 1;
} finally {
  product.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function untilHealthy(): Promise<void> {
  const until = Date.now() + startLimit;
  while (product.exitCode === null && Date.now() < until) {
    const answer = await fetch(`${origin}/health`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((wait) => setTimeout(wait, 300));
  }
  throw new Error("The product did not start.");
}

async function measureAll(browser: BrowserContext): Promise<Measured[]> {
  const pages: Measured[] = [];
  const thanks = await subscribe(browser);
  await browser.clearCookies();
  for (const path of publicPages) pages.push(await measure(path, path, bars.public));
  pages.push(await measure(thanks, "/subscription-success", bars.public));
  await (await logIn(browser, listener)).close();
  pages.push(await measure("/", "/ (carousel)", bars.carousel));
  return pages;
}

/** By the landing page and the stand-in's consent page, in the browser's own profile. */
async function logIn(browser: BrowserContext, displayName: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(origin);
  await page.getByRole("button", { name: "Log in with Spotify Premium" }).click();
  await page.getByRole("radio", { name: displayName }).check();
  await page.getByRole("button", { name: "Agree" }).click();
  await page.getByRole("article").first().waitFor();
  return page;
}

/** The path that a checkout ends at; Lighthouse takes no page that answers with an error. */
async function subscribe(browser: BrowserContext): Promise<string> {
  const page = await logIn(browser, buyer);
  await page.goto(`${origin}/subscribe`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await page.waitForURL("**/subscription-success?*");
  const { pathname, search } = new URL(page.url());
  await page.close();
  return pathname + search;
}

/** Lighthouse's own settings are those of the mobile preset: a phone on slow 4G, simulated. */
async function measure(path: string, name: string, bar: number): Promise<Measured> {
  const lhr = await lookAt(path, name);
  return {
    page: name,
    bar,
    scores: categories.map((id) => Math.round((lhr.categories[id]?.score ?? 0) * 100)),
    failing: categories.flatMap((id) => failingAudits(lhr, id)),
  };
}

/** On a busy machine Lighthouse now and then loses its trace; what fails thrice is a fault. */
async function lookAt(path: string, name: string, attempts = 3): Promise<Result> {
  const outcome = await lighthouse(`${origin}${path}`, {
    port: debugPort ?? 0,
    logLevel: "error",
    onlyCategories: [...categories],
    // The public pages are measured before the login, the carousel with it.
    disableStorageReset: true,
    // What is nobody else's to find says so, and loses no points by it.
    skipAudits: searched.includes(name) ? [] : ["is-crawlable"],
  });
  if (!outcome) throw new Error(`Lighthouse could not look at ${name}.`);
  const { lhr } = outcome;
  if (!lhr.runtimeError) return lhr;
  if (attempts > 1) return lookAt(path, name, attempts - 1);
  throw new Error(`${name}: ${lhr.runtimeError.message}`);
}

/** The audits of a category that count and are not passed, the heaviest first. */
function failingAudits(lhr: Result, category: string): string[] {
  const refs = lhr.categories[category]?.auditRefs ?? [];
  return refs
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ id }) => {
      const audit = lhr.audits[id];
      if (!audit || audit.score === null || audit.score >= 0.995) return [];
      const value = audit.displayValue ? `, ${audit.displayValue}` : "";
      return [`${category}: ${id} (${Math.round(audit.score * 100)}${value})`];
    });
}

function report(pages: Measured[]): void {
  console.table(
    Object.fromEntries(
      pages.map(({ page, bar, scores }) => [
        page,
        { ...Object.fromEntries(categories.map((id, n) => [id, scores[n]])), bar },
      ]),
    ),
  );
  for (const { page, failing } of pages) {
    for (const audit of failing) console.log(`${page}  ${audit}`);
  }
}
