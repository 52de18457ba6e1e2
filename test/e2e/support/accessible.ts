import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

/** A phone by day and a desk by night: each scheme once, and each width once. */
const usual = [
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 1280 },
] as const;
/** The other way round, for what stands on every page. */
export const crossed = [
  { colorScheme: "dark", width: 390 },
  { colorScheme: "light", width: 1280 },
] as const;

/**
 * Axe finds nothing on a phone and on a desk, in either colour scheme, and at 320 px nothing has to
 * be scrolled sideways.
 */
export async function expectAccessible(
  page: Page,
  views: readonly { colorScheme: "light" | "dark"; width: number }[] = usual,
): Promise<void> {
  await page.evaluate(axe.source);
  for (const { colorScheme, width } of views) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(findViolations), `${colorScheme}, ${width} px`).toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}

/** Runs in the page, where axe is by then. */
async function findViolations(): Promise<string[]> {
  const { axe: inPage } = window as unknown as { axe: typeof axe };
  const { violations } = await inPage.run(
    // The player's frame is Spotify's, of one pixel and without content.
    { exclude: ["iframe"] },
    {
      iframes: false,
      // No rule that is on by default needs styles and media to be loaded once more.
      preload: false,
      resultTypes: ["violations"],
    },
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
