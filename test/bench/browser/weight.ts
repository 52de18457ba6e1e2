/**
 * `npm run bench -- weight`: the bytes that every screen transfers, on a first visit with an empty cache
 * and on a second one, compared with test/support/budgets.ts. Prints a Markdown table.
 * test/e2e/weight.spec.ts enforces them.
 */
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { findBrowser } from "../../support/browser.ts";
import { budgets } from "../../support/budgets.ts";
import { bytesOf, type Fetched, fromUs, type Kind, recordVisit } from "../../support/weight.ts";
import { logIn, subscribe } from "../scale/members.ts";
import { type ServedProduct, withProduct } from "../served-product.ts";

/** Free users with the credits for a song; only the second one submits it. */
const free = "Mara Lind";
const adder = "Noor Valcárcel";
const premium = "Perry Premium";
const buyer = "Tobin Ashgrove";
const newcomer = "Nova New";

interface Screen {
  name: string;
  path: string;
  member?: string;
  /** Whether it has the budget of a page without JavaScript. */
  informational?: boolean;
  /** Called before the visit; resolves when the page has fetched everything that it loads later. */
  ready?(page: Page): Promise<unknown>;
  /** What the visitor does there. */
  act?(page: Page): Promise<unknown>;
}

type Login = Awaited<ReturnType<BrowserContext["storageState"]>>;

interface Row {
  screen: Screen;
  first: Fetched[];
  second: Fetched[];
}

const executablePath = findBrowser();
if (!executablePath) throw new Error("No Chromium: run `npm run test:browser` first.");
await withProduct(async (product) => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const screens = await prepare(browser, product);
    const logins = new Map<string, Login>();
    for (const { member } of screens) {
      if (!member || logins.has(member)) continue;
      const context = await browser.newContext();
      await logIn(context, product, member);
      logins.set(member, await context.storageState());
      await context.close();
    }
    const rows: Row[] = [];
    for (const screen of screens) {
      const login = screen.member ? logins.get(screen.member) : undefined;
      rows.push(await measure(browser, product.origin, screen, login));
    }
    report(rows);
  } finally {
    await browser.close();
  }
});

/** All screens. Prepares what some of them need, such as a checkout and a mail. */
async function prepare(browser: Browser, product: ServedProduct): Promise<Screen[]> {
  const context = await browser.newContext();
  const thanks = await subscribe(context, product, buyer);
  await context.clearCookies();
  const page = await logIn(context, product, adder);
  const confirm = await askForAddress(page, product);
  const added = await addSong(page, product);
  const unsubscribe = await mailedPath(product, "/unsubscribe?token=");
  await context.close();
  const runs = (page: Page) => page.waitForResponse(/\/sdk\/events/);
  return [
    { name: "landing", path: "/", informational: true },
    { name: "FAQ", path: "/faq", informational: true },
    { name: "imprint", path: "/imprint", informational: true },
    { name: "login prompt: ratings", path: "/ratings-of-my-songs", informational: true },
    { name: "login prompt: account", path: "/account", informational: true },
    { name: "subscription success", path: thanks, informational: true },
    { name: "subscription error", path: "/subscription-success", informational: true },
    { name: "unsubscribe", path: unsubscribe, informational: true },
    { name: "confirm e-mail", path: confirm, informational: true },
    { name: "no such page", path: "/no/such/page", informational: true },
    { name: "FAQ, logged in", path: "/faq", member: free, informational: true },
    { name: "imprint, logged in", path: "/imprint", member: free, informational: true },
    { name: "premium offer", path: "/subscribe", member: free },
    { name: "account", path: "/account", member: free },
    { name: "add a song", path: "/?menu=addownsong", member: free },
    { name: "add a song: results", path: "/?menu=addownsong&q=Mara", member: free },
    { name: "add a song: not yet", path: "/?menu=addownsong", member: newcomer },
    { name: "song added", path: added, member: adder },
    { name: "ratings, free", path: "/ratings-of-my-songs", member: free },
    { name: "ratings, premium", path: "/ratings-of-my-songs", member: premium },
    { name: "carousel", path: "/", member: free, ready: runs },
    { name: "carousel, a song playing", path: "/", member: free, ready: runs, act: playASong },
  ];
}

/** Requests the confirmation of another address. @returns the path of the confirmation link. */
async function askForAddress(page: Page, product: ServedProduct): Promise<string> {
  await page.goto(`${product.origin}/account`);
  await page.getByLabel("Another address").fill("noor@own-mail.example");
  await page.getByRole("button", { name: "Send me a confirmation link" }).click();
  return mailedPath(product, "/confirm-email?token=");
}

/** Submits a song. @returns the path of the confirmation. */
async function addSong(page: Page, { origin }: ServedProduct): Promise<string> {
  await page.goto(`${origin}/?menu=addownsong&q=Noor`);
  await page.getByRole("link", { name: "Submit this song!" }).first().click();
  await page.getByRole("button", { name: "Submit this song!" }).click();
  await page.waitForURL("**/?menu=songaddedtopool*");
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** Waits for the mail with a link to this path. @returns the link's path and query. */
async function mailedPath({ origin, sandboxOrigin }: ServedProduct, path: string): Promise<string> {
  for (let tries = 0; tries < 60; tries += 1) {
    const answer = await fetch(`${sandboxOrigin}/control`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ action: "mails" }),
    });
    const { mails } = (await answer.json()) as { mails: { text: string }[] };
    const texts = mails.map(({ text }) => text).join(" ");
    const found = texts.split(/\s+/).find((word) => word.startsWith(origin + path));
    if (found) return found.slice(origin.length);
    await new Promise((wait) => setTimeout(wait, 500));
  }
  throw new Error(`no mail leads to ${path}`);
}

async function playASong(page: Page): Promise<void> {
  await page.getByRole("button", { name: "PLAY SONG" }).first().click();
  await page.getByRole("timer").waitFor();
}

/** Measures a visit with an empty cache and another one in a new tab of the same browser. */
async function measure(
  browser: Browser,
  origin: string,
  screen: Screen,
  login: Login | undefined,
): Promise<Row> {
  const context = await browser.newContext(login ? { storageState: login } : {});
  const visits: Fetched[][] = [];
  for (const _ of ["first", "second"]) {
    const page = await context.newPage();
    visits.push(
      await recordVisit(page, async () => {
        const ready = screen.ready?.(page);
        await page.goto(origin + screen.path);
        await ready;
        await screen.act?.(page);
      }),
    );
    await page.close();
  }
  await context.close();
  const [first = [], second = []] = visits;
  return { screen, first, second };
}

function report(rows: Row[]): void {
  console.log(
    [
      "Bytes are those of bodies after gzip at level 6; responses from the cache (also after a 304) count 0.",
      "Cloudflare uses brotli at quality 4, which gives the same within a few percent. Requests are those",
      "that reach the network, to us and to others (pictures, player and API of Spotify's stand-in,",
      "whose sizes are not Spotify's).",
      "",
    ].join("\n"),
  );
  const heads = ["screen", "visit", "to us", "HTML", "CSS", "HTML + CSS", "JavaScript"];
  const more = ["our pictures", "our data", "to others", "budget"];
  console.log(`| ${[...heads, ...more].join(" | ")} |`);
  console.log(`|${"---|".repeat(heads.length + more.length)}`);
  for (const { screen, first, second } of rows) {
    console.log(line(screen.name, "first", first, budgetOf(screen, first)));
    console.log(line("", "second", second, ""));
  }
}

function line(name: string, visit: string, fetched: Fetched[], budget: string): string {
  const ours = fromUs(fetched);
  const others = fetched.filter((one) => !one.ours && !one.cached);
  const sum = (...kinds: Kind[]) => bytesOf(ours, ...kinds).toLocaleString("en");
  const bytes = [sum("html"), sum("css"), sum("html", "css"), sum("script")];
  const cells = [name, visit, ours.length, ...bytes, sum("picture"), sum("data"), others.length];
  return `| ${[...cells, budget].join(" | ")} |`;
}

/** The budgets of a screen, and whether its first visit stays within them. */
function budgetOf({ informational }: Screen, fetched: Fetched[]): string {
  const ours = fromUs(fetched);
  const script = bytesOf(ours, "script");
  if (!informational) return keeps(script, budgets.scripts, "JavaScript");
  const page = keeps(bytesOf(ours, "html", "css"), budgets.page, "HTML + CSS");
  return `${page}, ${script === 0 ? "no JavaScript" : "JavaScript: BROKEN"}`;
}

function keeps(bytes: number, budget: number, what: string): string {
  const share = Math.round((bytes / budget) * 100);
  return `${what} ${budget.toLocaleString("en")}: ${share} %${bytes < budget ? "" : ", BROKEN"}`;
}
