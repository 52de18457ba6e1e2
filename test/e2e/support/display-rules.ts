/** What Spotify's display rules ask of whoever shows its content. */
import { expect, type Locator, type Page } from "@playwright/test";
import { trackById } from "../../sandbox/catalogue.ts";

/**
 * On a screen with songs: each title as Spotify has it and linked to its page there, covers whole,
 * with nothing over them and hardly rounded, and Spotify's logo once.
 */
export async function expectDisplayRules(page: Page): Promise<void> {
  const links = await page.locator('main a[href*="/track/"]').all();
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) await expectLinkedTitle(link);
  for (const cover of await page.locator("img.cover:visible, .player__art:visible").all()) {
    await cover.scrollIntoViewIfNeeded();
    await expect.poll(() => cover.evaluate(coverFaults)).toEqual([]);
  }
  const credit = page.getByRole("link", { name: "Spotify", exact: true });
  await expect(credit).toHaveCount(1);
  await expect(credit).toBeVisible();
  await expect(credit).toHaveAttribute("href", "https://open.spotify.com/");
  const logo = credit.locator("img");
  expect((await logo.boundingBox())?.width).toBeGreaterThanOrEqual(70);
  await expect(logo).not.toHaveJSProperty("naturalWidth", 0);
}

/** A link to a track's page names the track as the catalogue does. */
async function expectLinkedTitle(link: Locator): Promise<void> {
  const trackId = /\/track\/(\w+)/.exec((await link.getAttribute("href")) ?? "")?.[1] ?? "";
  const title = trackById.get(trackId)?.name;
  const { shown, transform } = await link.evaluate((element) => ({
    shown: [...element.querySelectorAll("bdi")].map((part) => part.textContent),
    transform: getComputedStyle(element).textTransform,
  }));
  expect(shown.at(-1)).toBe(title);
  expect(transform).toBe("none");
}

/** Runs in the page, and so stands alone. */
function coverFaults(element: Element): string[] {
  const image = element as HTMLImageElement;
  if (!image.complete) return ["not loaded yet"];
  const faults: string[] = [];
  const style = getComputedStyle(image);
  const { left, top, width, height } = image.getBoundingClientRect();
  const isCropped =
    !["contain", "scale-down"].includes(style.objectFit) &&
    Math.abs(width / height - image.naturalWidth / image.naturalHeight) > 0.01;
  if (image.naturalWidth === 0) faults.push("no picture");
  if (isCropped) faults.push(`cropped or stretched: ${width} x ${height}`);
  if (!["4px", "8px"].includes(style.borderRadius)) faults.push(`corners: ${style.borderRadius}`);
  if (style.opacity !== "1" || style.filter !== "none") faults.push("altered");
  for (const [x, y] of [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.5, 0.5],
    [0.1, 0.9],
    [0.9, 0.9],
  ] as const) {
    const above = document.elementFromPoint(left + x * width, top + y * height);
    // Outside of what is scrolled to there is nothing; the player's bar lies over the page's end.
    const isBar = above?.closest(".player") && !image.closest(".player");
    // A row is pressed as a whole; of its button nothing is seen there.
    const isPress = above?.matches(".slim .key") && image.closest(".slim")?.contains(above);
    if (above && above !== image && !isBar && !isPress) faults.push(`under <${above.localName}>`);
  }
  return faults;
}
