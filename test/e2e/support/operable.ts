/** What a page must be to somebody without a mouse, or with settings of their own. */
import { expect, type Page } from "@playwright/test";

/** Landmarks, headings and the skip link; expects that nothing has had the focus yet. */
export async function expectStructure(page: Page): Promise<void> {
  for (const landmark of ["banner", "main", "contentinfo"] as const) {
    await expect(page.getByRole(landmark)).toHaveCount(1);
  }
  expect(await page.title()).toMatch(/Fivefold/);
  const levels = await page
    .locator("h1, h2, h3, h4, h5, h6")
    .filter({ visible: true })
    .evaluateAll((headings) => headings.map(({ localName }) => Number(localName.slice(1))));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  expect(levels[0]).toBe(1);
  for (const [at, level] of levels.entries()) {
    expect(level - (levels[at - 1] ?? 0), `heading levels ${levels}`).toBeLessThanOrEqual(1);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();

  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
}

/** Where the focus stands. */
interface Stop {
  name: string;
  /** Of what is seen of it, in CSS pixels from the page's beginning. */
  top: number;
  bottom: number;
  left: number;
  /** An outline, of it or of its label, of two pixels and more. */
  isMarked: boolean;
  /** It is in the window, and nothing lies over it. */
  isInSight: boolean;
  isFixed: boolean;
  /** Its place among all elements. */
  place: number;
}

/**
 * By Tab through the whole page, at a phone's width, where all stands in one column: each stop has
 * a mark that is seen, and each comes below or to the right of the one before.
 */
export async function expectFocusWalk(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 900 });
  await page.locator(".skip-link").focus();
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(readStop);
    // Past the last one the focus leaves the page, or begins anew.
    if (!stop || stops.some(({ place }) => place === stop.place)) break;
    stops.push(stop);
  }
  expect(stops.length).toBeGreaterThan(4);
  expect.soft(stops.filter(({ isMarked }) => !isMarked).map(({ name }) => name)).toEqual([]);
  expect.soft(stops.filter(({ isInSight }) => !isInSight).map(({ name }) => name)).toEqual([]);
  const inPage = stops.filter(({ isFixed }) => !isFixed);
  const astray = inPage.filter((stop, at) => {
    const before = inPage[at - 1];
    if (!before || stop.top >= before.bottom - 8) return false;
    const sameRow = stop.bottom > before.top;
    return !(sameRow && (stop.left > before.left || stop.top > before.top));
  });
  expect.soft(astray.map(({ name }) => name)).toEqual([]);
}

/** Runs in the page, and so stands alone. */
function readStop(): Stop | null {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const shown = (focused as HTMLInputElement).labels?.[0] ?? focused;
  const box = shown.getBoundingClientRect();
  // A link of several lines begins where its first one does, which may be after the link before.
  const start = shown.getClientRects()[0] ?? box;
  const isMarked = [focused, shown].some((element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const isThere = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    return isThere && !/^rgba.*, 0\)$/.test(outlineColor);
  });
  // A link of several lines may have no text in its middle, and one cut by an ellipsis ends early.
  const isInSight = [...shown.getClientRects()].some((rect) => {
    const [x, y] = [rect.left + Math.min(rect.width, 100) / 2, rect.top + rect.height / 2];
    const above = document.elementFromPoint(x, y);
    return above !== null && (shown.contains(above) || above.contains(shown));
  });
  let isFixed = false;
  for (let at: Element | null = shown; at; at = at.parentElement) {
    if (getComputedStyle(at).position === "fixed") isFixed = true;
  }
  return {
    name: `<${focused.localName}> ${(shown.textContent ?? "").trim().slice(0, 50)}`,
    top: start.top + window.scrollY,
    bottom: box.bottom + window.scrollY,
    left: start.left,
    isMarked,
    isInSight,
    isFixed,
    place: [...document.querySelectorAll("*")].indexOf(focused),
  };
}

/** With reduced motion nothing moves, and nothing scrolls smoothly. */
export async function expectStill(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moving = await page.evaluate(() => {
    const isMoving = (element: Element) => {
      const { animationDuration, animationName, transitionDuration, scrollBehavior } =
        getComputedStyle(element);
      const seconds = (durations: string) => Math.max(...durations.split(",").map(parseFloat));
      return (
        (animationName !== "none" && seconds(animationDuration) > 0.01) ||
        seconds(transitionDuration) > 0.01 ||
        scrollBehavior === "smooth"
      );
    };
    return [...document.querySelectorAll("*")].filter(isMoving).map(({ className }) => className);
  });
  expect.soft(moving).toEqual([]);
}

/**
 * In forced colours what can be pressed is told from text, by a border, an underline or an icon;
 * what cannot be pressed from what can; and the page one is on from the others in the menu.
 */
export async function expectForcedColours(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: "active" });
  const faults = await page.evaluate(() => {
    const found: string[] = [];
    const name = (element: Element) => `<${element.localName}> ${element.textContent?.trim()}`;
    const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true });
    const ground = getComputedStyle(document.body).backgroundColor;
    for (const button of [
      ...document.querySelectorAll("button, .button, .rating label, .choices label"),
    ]) {
      if (!isSeen(button)) continue;
      const style = getComputedStyle(button);
      const hasBorder =
        style.borderTopStyle !== "none" &&
        Number.parseFloat(style.borderTopWidth) >= 1 &&
        style.borderTopColor !== ground &&
        !/^rgba.*, 0\)$/.test(style.borderTopColor);
      const hasIcon = button.querySelector("svg") !== null;
      if (!hasBorder && !hasIcon && style.textDecorationLine !== "underline") {
        found.push(`not told from text: ${name(button)}`);
      }
    }
    const colour = (selector: string) => {
      const element = [...document.querySelectorAll(selector)].find(isSeen);
      return element && getComputedStyle(element).color;
    };
    const disabled = colour("button:disabled");
    if (disabled && disabled === colour("button:enabled")) found.push("disabled as enabled");
    const look = (selector: string) => {
      const link = [...document.querySelectorAll(selector)].find(isSeen);
      return link && getComputedStyle(link).textDecorationLine;
    };
    const here = look(".menu a[aria-current]");
    if (here && here === look(".menu a:not([aria-current])")) found.push("current page as others");
    return found;
  });
  await page.emulateMedia({ forcedColors: null });
  expect.soft(faults).toEqual([]);
}
