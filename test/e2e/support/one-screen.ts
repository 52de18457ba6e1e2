import { expect, type Page } from "@playwright/test";
import type { Song } from "./carousel.ts";

/** Cover, title, PLAY SONG and all of its rating are seen at once. */
export async function expectOneScreen(page: Page, { box }: Song): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  const bottom = page.viewportSize()?.height;
  const parts = [box.locator(".cover"), box.locator("h2"), box.locator(".play button")];
  for (const part of [...parts, ...(await box.locator(".choices label").all())]) {
    const place = await part.boundingBox();
    expect(place?.y).toBeGreaterThanOrEqual(0);
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(bottom ?? 0);
  }
}
