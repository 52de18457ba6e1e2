import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * Axe finds nothing in either colour scheme, on a phone and on a desk, and at 320 px nothing has to
 * be scrolled sideways (design section 7).
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      // The player's frame is Spotify's, of one pixel and without content.
      const axe = new AxeBuilder({ page }).exclude("iframe");
      // Within the page itself: for frames of other origins, of which none is checked, axe would
      // open a second page each time, and take twice as long.
      axe.setLegacyMode();
      // Dark differs from light in its colours alone.
      if (colorScheme === "dark") axe.withRules(["color-contrast", "link-in-text-block"]);
      const { violations } = await axe.analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      expect(found, `${colorScheme}, ${width} px`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}
