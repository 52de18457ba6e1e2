/**
 * `npm run bench -- browser`: when the largest paint of the main screens is there on a slow phone, and
 * whether anything shifts. Exits with 1 if a median misses its aim. The figures depend on the machine.
 */
import type { Page } from "@playwright/test";
import { budgets } from "../../support/budgets.ts";
import { median, printTable } from "../tables.ts";
import { type Login, openPhone, openTab, withBrowser } from "./visitors.ts";

const rounds = 5;

await withBrowser(async ({ browser, origin, loginOf }) => {
  const login = await loginOf("Dana Free");
  const visits: [path: string, login?: Login][] = [
    ["/"],
    ["/faq"],
    ["/", login],
    ["/ratings-of-my-songs", login],
  ];
  const rows: (string | number)[][] = [];
  for (const [path, state] of visits) {
    const paints: number[] = [];
    const shifts: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const context = await openPhone(browser, state);
      await context.addInitScript(watch);
      const page = await openTab(context);
      await page.goto(origin + path, { waitUntil: "networkidle" });
      const { paint, shift } = await seenOn(page);
      paints.push(paint);
      shifts.push(shift);
      await context.close();
    }
    if (median(paints) >= budgets.largestPaintMs || median(shifts) > 0) process.exitCode = 1;
    const name = `${path}${state ? ", logged in" : ""}`;
    rows.push([name, median(paints).toFixed(0), median(shifts).toFixed(3)]);
  }
  printTable([`medians of ${rounds}`, "largest paint ms", "layout shift"], rows);
});

interface Seen {
  paint: number;
  shift: number;
}

/** Runs in the page. */
function watch(): void {
  const seen: Seen = { paint: Number.NaN, shift: 0 };
  Reflect.set(window, "seen", seen);
  const observe = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      ...{ type, buffered: true },
    });
  observe("largest-contentful-paint", ({ startTime }) => {
    seen.paint = startTime;
  });
  observe("layout-shift", (entry) => {
    if (!Reflect.get(entry, "hadRecentInput")) seen.shift += Reflect.get(entry, "value");
  });
}

function seenOn(page: Page): Promise<Seen> {
  return page.evaluate(() => Reflect.get(window, "seen"));
}
