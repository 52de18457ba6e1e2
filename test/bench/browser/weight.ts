/**
 * `npm run bench -- weight`: the bytes that the main screens transfer, on a first visit with an empty
 * cache and on a second one. Exits with 1 if a first visit exceeds test/support/budgets.ts, which
 * test/e2e/weight.spec.ts holds as well.
 */
import type { Page } from "@playwright/test";
import { budgets } from "../../support/budgets.ts";
import { bytesOf, type Fetched, fromUs, recordVisit } from "../../support/weight.ts";
import { printTable } from "../tables.ts";
import { type Login, subscribe, withBrowser } from "./visitors.ts";

const addSong = "/?menu=addownsong";
const kinds = [["html", "css"], ["script"], ["picture"], ["data"]] as const;

await withBrowser(async ({ loginOf, ...product }) => {
  const buying = await product.browser.newContext();
  const thanks = await subscribe(buying, product, "Tobin Ashgrove");
  await buying.close();
  const [free, premium, ready] = [
    await loginOf("Dana Free"),
    await loginOf("Perry Premium"),
    // May submit, as there is nothing left to rate.
    await loginOf("Ezra Exhausted"),
  ];
  const informational = ["/", "/faq", "/imprint", "/account", thanks, "/no/such/page"];
  const screens: [path: string, login?: Login][] = [
    ...informational.map((path): [string] => [path]),
    ["/", free],
    ["/subscribe", free],
    ["/account", free],
    [addSong, ready],
    ["/?menu=addownsong&q=Mara", ready],
    ["/ratings-of-my-songs", premium],
  ];
  const rows: (string | number)[][] = [];
  for (const [path, login] of screens) {
    const context = await product.browser.newContext(login ? { storageState: login } : {});
    for (const visit of ["first", "second"]) {
      const page = await context.newPage();
      const fetched = fromUs(await recordVisit(page, () => visitAll(page, product.origin + path)));
      if (visit === "first" && exceeds(fetched, path, !login)) process.exitCode = 1;
      const [name] = path.split("?session_id");
      const who = login ? "a member, " : "";
      rows.push([`${who}${name}, ${visit}`, fetched.length, ...bytesByKind(fetched)]);
      await page.close();
    }
    await context.close();
  }
  printTable(["bytes after gzip", "requests", ...kinds.map((names) => names.join(" + "))], rows);
  const { page, scripts, addSong: adding } = budgets;
  console.log(`
Budgets: ${page} for a page without scripts, else scripts ${scripts}, adding a song ${adding}`);
});

/** Until all that the page loads later is there, such as the player. */
async function visitAll(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "networkidle" });
}

function bytesByKind(fetched: Fetched[]): number[] {
  return kinds.map((names) => bytesOf(fetched, ...names));
}

function exceeds(fetched: Fetched[], path: string, isInformational: boolean): boolean {
  const [page = 0, scripts = 0] = bytesByKind(fetched);
  if (isInformational) return page >= budgets.page || scripts > 0;
  return scripts >= (path === addSong ? budgets.addSong : budgets.scripts);
}
