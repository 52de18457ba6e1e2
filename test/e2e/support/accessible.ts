import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

/**
 * Axe finds nothing in either colour scheme, on a phone and on a desk, and at 320 px nothing has to
 * be scrolled sideways.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      // Dark differs from light in its colours alone.
      const runOnly = colorScheme === "dark" ? ["color-contrast", "link-in-text-block"] : undefined;
      const found = await page.evaluate(findViolations, runOnly);
      expect(found, `${colorScheme}, ${width} px`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}

/** Runs in the page, where axe is by then. @param runOnly the rules to check, by default all. */
async function findViolations(runOnly?: string[]): Promise<string[]> {
  const { axe: inPage } = window as unknown as { axe: typeof axe };
  const { violations } = await inPage.run(
    // The player's frame is Spotify's, of one pixel and without content.
    { exclude: ["iframe"] },
    {
      iframes: false,
      // No rule that is on by default needs styles and media to be loaded once more.
      preload: false,
      resultTypes: ["violations"],
      ...(runOnly ? { runOnly } : {}),
    },
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
