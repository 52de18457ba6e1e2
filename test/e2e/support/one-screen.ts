import { expect, type Page } from "@playwright/test";
import type { Song } from "./carousel.ts";

/** Cover, title, PLAY SONG and all of its rating are seen at once, above the player bar. */
export async function expectOneScreen(page: Page, { box }: Song): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  // The bar comes with the first song.
  const bar = page.locator(".player");
  const top = (await bar.count()) > 0 ? (await bar.boundingBox())?.y : page.viewportSize()?.height;
  const parts = [box.locator(".cover"), box.locator("h2"), box.locator(".play button")];
  for (const part of [...parts, ...(await box.locator(".rating :is(label, button)").all())]) {
    const place = await part.boundingBox();
    expect(place?.y).toBeGreaterThanOrEqual(0);
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(top ?? 0);
  }
}
