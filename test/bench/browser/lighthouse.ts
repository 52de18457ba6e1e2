/**
 * `npm run lighthouse`: builds and serves the product with the stand-ins, on free ports and a
 * separate database, and runs Lighthouse's mobile preset on its pages, or on those
 * whose addresses are given, such as a page of the live site. Prints the
 * four scores of every page and the audits that cost points; exits with 1 if a page misses its
 * minimum. Not part of `npm test`, because the scores depend on how busy the machine is.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import lighthouse, { type Result } from "lighthouse";
import { readArguments } from "../../../.ops/command-line.ts";
import { budgets } from "../../support/budgets.ts";
import { freePorts } from "../../support/free-ports.ts";
import { type ServedProduct, withProduct } from "../served-product.ts";
import { printTable } from "../tables.ts";
import { browserPath, logIn, subscribe } from "./visitors.ts";

const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const publicPages = ["/", "/faq", "/imprint", "/ratings-of-my-songs", "/account"];
/** The pages that search engines should find. */
const searched = ["/", "/faq", "/imprint", "/ratings-of-my-songs"];
/** The carousel's is the song's page's, too. */
const bars = budgets.scores;
/** Has a song with a result to share. */
const owner = "Perry Premium";

interface Measured {
  page: string;
  bar: number;
  scores: number[];
  /** The audits that cost points, as "category: audit (details)". */
  failing: string[];
}

const [debugPort] = await freePorts(1);
const { words: addresses } = readArguments({
  usage: "npm run lighthouse -- [addresses]",
  words: { most: Number.POSITIVE_INFINITY, form: /^https?:\/\/./ },
});

const folder = mkdtempSync(join(tmpdir(), "fivefold-lighthouse-"));
try {
  if (addresses.length === 0) {
    await withProduct((product) => reportOn((browser) => measureAll(browser, product)));
  } else {
    await reportOn(async () => {
      const pages: Measured[] = [];
      for (const url of addresses)
        pages.push(await measure(url, new URL(url).pathname, bars.public));
      return pages;
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Reports what is measured with a browser. */
async function reportOn(
  measureWith: (browser: BrowserContext) => Promise<Measured[]>,
): Promise<void> {
  // Lighthouse's tabs share a profile with the login, which Lighthouse does not delete.
  const browser = await chromium.launchPersistentContext(folder, {
    executablePath: browserPath(),
    args: ["--no-sandbox", `--remote-debugging-port=${debugPort}`],
  });
  const pages = await measureWith(browser).finally(() => browser.close());
  const rows = pages.map(({ page, bar, scores }) => [page, ...scores, bar]);
  printTable(["", ...categories, "minimum"], rows);
  for (const { page, failing } of pages) {
    for (const audit of failing) console.log(`${page}  ${audit}`);
  }
  if (pages.some(({ scores, bar }) => scores.some((score) => score < bar))) process.exitCode = 1;
}

async function measureAll(browser: BrowserContext, product: ServedProduct): Promise<Measured[]> {
  const { origin } = product;
  const pages: Measured[] = [];
  const thanks = await subscribe(browser, product, "Mara Lind");
  await browser.clearCookies();
  for (const path of publicPages) pages.push(await measure(origin + path, path, bars.public));
  pages.push(await measure(origin + thanks, "/subscription-success", bars.public));
  const { song, shared } = await publish(browser, product);
  await browser.clearCookies();
  pages.push(await measure(shared, "/r/:token", bars.public));
  await (await logIn(browser, product, owner)).close();
  pages.push(await measure(song, "/ratings-of-my-songs/:songId", bars.carousel));
  await browser.clearCookies();
  await (await logIn(browser, product, "Dana Free")).close();
  pages.push(await measure(`${origin}/`, "/ (carousel)", bars.carousel));
  return pages;
}

/** Publishes a song's result. @returns the addresses of the song's page and of what others see. */
async function publish(browser: BrowserContext, product: ServedProduct) {
  const page = await logIn(browser, product, owner);
  await page.goto(`${product.origin}/ratings-of-my-songs`);
  await page.locator("summary").filter({ hasText: "4 of 7 liked it" }).click();
  await page.getByRole("link", { name: "What the ratings say" }).click();
  await page.getByRole("button", { name: "Publish the result" }).click();
  const shared = await page.getByLabel("Its address").inputValue();
  const song = page.url();
  await page.close();
  return { song, shared };
}

/** Uses Lighthouse's default settings, the mobile preset: a phone on slow 4G, simulated. */
async function measure(url: string, name: string, bar: number): Promise<Measured> {
  const lhr = await lookAt(url, name);
  return {
    page: name,
    bar,
    scores: categories.map((id) => Math.round((lhr.categories[id]?.score ?? 0) * 100)),
    failing: categories.flatMap((id) => failingAudits(lhr, id)),
  };
}

/** Runs Lighthouse, up to three times, because on a busy machine it sometimes loses its trace. */
async function lookAt(url: string, name: string, attempts = 3): Promise<Result> {
  const outcome = await lighthouse(url, {
    port: debugPort ?? 0,
    logLevel: "error",
    onlyCategories: [...categories],
    // Keeps the login for the carousel; the public pages are measured before it.
    disableStorageReset: true,
    // Private pages exclude search engines on purpose, which should not cost points.
    skipAudits: searched.includes(name) ? [] : ["is-crawlable"],
  });
  if (!outcome) throw new Error(`Lighthouse could not look at ${name}.`);
  const { lhr } = outcome;
  if (!lhr.runtimeError) return lhr;
  if (attempts > 1) return lookAt(url, name, attempts - 1);
  throw new Error(`${name}: ${lhr.runtimeError.message}`);
}

/** The failed audits of a category that affect the score, those with the greatest weight first. */
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
