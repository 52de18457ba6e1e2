import type { BrowserContext, Page } from "@playwright/test";

/** How a page loaded. Times are in milliseconds after the navigation began. */
export interface Vitals {
  firstPaint: number;
  largestPaint: number;
  /** The time of tasks beyond 50 ms each, from the first paint until the page was idle. */
  blocking: number;
  /** The sum of all layout shifts without recent input. */
  shift: number;
  /** The end of the load event. */
  loaded: number;
}

type Entries = Record<string, PerformanceEntry[]>;

/** Starts collecting data for `readVitals` in every new page of the context. */
export async function watchVitals(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const entries: Entries = {};
    Reflect.set(window, "vitals", entries);
    for (const type of ["paint", "largest-contentful-paint", "longtask", "layout-shift"]) {
      const kept: PerformanceEntry[] = [];
      entries[type] = kept;
      new PerformanceObserver((list) => kept.push(...list.getEntries())).observe({
        type,
        buffered: true,
      });
    }
  });
}

/** Reads the data; to be called when the page is idle. */
export function readVitals(page: Page): Promise<Vitals> {
  return page.evaluate(() => {
    const entries = Reflect.get(window, "vitals") as Entries;
    const of = (type: string) => entries[type] ?? [];
    const first = of("paint").find(({ name }) => name === "first-contentful-paint");
    const firstPaint = first?.startTime ?? Number.NaN;
    const after = of("longtask").filter((task) => task.startTime + task.duration > firstPaint);
    const shifts = of("layout-shift") as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[];
    const [navigation] = performance.getEntriesByType("navigation");
    return {
      firstPaint,
      largestPaint: of("largest-contentful-paint").at(-1)?.startTime ?? Number.NaN,
      blocking: after.reduce((sum, { startTime, duration }) => {
        const end = startTime + duration;
        return sum + Math.max(0, end - Math.max(startTime, firstPaint) - 50);
      }, 0),
      shift: shifts.reduce((sum, one) => sum + (one.hadRecentInput ? 0 : one.value), 0),
      loaded: (navigation as PerformanceNavigationTiming).loadEventEnd,
    };
  });
}
