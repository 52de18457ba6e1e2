/** How a page may be laid out at any width. */
import { expect, type Page } from "@playwright/test";

/**
 * CSS pixels: a small phone (songs beside their covers), a phone, a desk at 200 % zoom, the breakpoint, a tablet, a phone
 * on its side, a wide desk, a desk.
 */
const sizes = [
  [320, 700],
  [390, 900],
  [640, 900],
  [768, 900],
  [820, 1180],
  [844, 390],
  [2560, 1440],
  [1280, 900],
] as const;

/**
 * Nothing has to be scrolled sideways, nothing is cut off or outside, what can be pressed is large
 * enough and covers nothing, at every width. The last width stays.
 */
export async function expectLaidOut(page: Page): Promise<void> {
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    const faults = await page.evaluate(findFaults);
    expect.soft(faults, `${new URL(page.url()).pathname} at ${width} px`).toEqual([]);
  }
}

/** Runs in the page, and so stands alone. */
function findFaults(): string[] {
  /** Rounding, and letters that reach out of their line. */
  const slack = 1.5;
  /** WCAG 2.2, 2.5.8: the least size of what can be pressed. */
  const least = 24;
  const faults = new Set<string>();
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide) {
    faults.add(`scrolls sideways: ${document.documentElement.scrollWidth} px`);
  }
  const dialog = document.querySelector("dialog:modal");
  const scope = dialog ?? document.body;

  /** Neither hidden, nor for screen readers alone, nor waiting above the page for the focus. */
  function isSeen(element: Element): boolean {
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    for (let at: Element | null = element; at; at = at.parentElement) {
      if (getComputedStyle(at).clipPath === "inset(50%)") return false;
    }
    return element.getBoundingClientRect().bottom + window.scrollY > 0;
  }
  const seen = [...scope.querySelectorAll("*")].filter(isSeen);

  function nameOf(element: Element): string {
    const text = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim();
    return `<${element.localName} class="${element.className}"> ${text.slice(0, 50)}`;
  }

  /** What is left of a box within all that cuts its overflow. */
  function visiblePart(element: Element, box: DOMRect): DOMRect {
    let { left, top, right, bottom } = box;
    for (let at: Element | null = element; at && at !== scope; at = at.parentElement) {
      if (getComputedStyle(at).overflowX === "visible") continue;
      const frame = at.getBoundingClientRect();
      left = Math.max(left, frame.left);
      right = Math.min(right, frame.right);
      top = Math.max(top, frame.top);
      bottom = Math.min(bottom, frame.bottom);
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  }

  /** Each line of the element's own text, as a box. */
  function linesOf(element: Element): DOMRect[] {
    return [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
      .flatMap((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()].filter(({ width }) => width > 0);
      });
  }
  const texts = seen.flatMap((element) =>
    linesOf(element).map((box) => ({ element, box, visible: visiblePart(element, box) })),
  );

  /** Cut with an ellipsis on purpose: the whole stands elsewhere, or where the link leads. */
  function isToldElsewhere(cut: Element): boolean {
    const text = cut.textContent ?? "";
    return (
      getComputedStyle(cut).textOverflow === "ellipsis" &&
      (cut.closest("[title], a[href]") !== null ||
        cut.querySelector("a[href]") !== null ||
        seen.some((other) => !cut.contains(other) && other.textContent === text))
    );
  }

  for (const { element, box } of texts) {
    for (let at: Element | null = element; at && at !== scope; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      const frame = at.getBoundingClientRect();
      const sideways = box.left < frame.left - slack || box.right > frame.right + slack;
      const down = box.top < frame.top - slack || box.bottom > frame.bottom + slack;
      const isCut =
        (overflowX !== "visible" && sideways) ||
        (["hidden", "clip"].includes(overflowY) && down && at.localName !== "html");
      if (isCut && !isToldElsewhere(at)) faults.add(`cut off: ${nameOf(at)}`);
      if (isCut) break;
    }
  }

  function cutsItsOverflow(element: Element): boolean {
    for (let at: Element | null = element.parentElement; at; at = at.parentElement) {
      if (at !== document.documentElement && getComputedStyle(at).overflowX !== "visible") {
        return true;
      }
    }
    return false;
  }
  for (const element of seen) {
    const { left, right, width } = element.getBoundingClientRect();
    const isOutside = width > 0 && (left < -slack || right > wide + slack);
    // The progress bar of the player is as wide as the window, with nothing at its ends.
    if (isOutside && !cutsItsOverflow(element)) faults.add(`outside: ${nameOf(element)}`);
  }

  const pressable = "a[href], button, summary, select, textarea, input:not([type=hidden])";
  /** What takes the press: of a choice with a label the label. */
  const targets = new Set(
    seen
      .filter((element) => element.matches(pressable))
      .map((element) => (element as HTMLInputElement).labels?.[0] ?? element)
      .filter((element) => isSeen(element)),
  );
  /** A link among text is as high as its line; WCAG asks no more of it. */
  function isInline(element: Element): boolean {
    return getComputedStyle(element).display === "inline";
  }
  /** Nothing on the page meets what is fixed above it; the page can be scrolled. */
  function isFixed(element: Element): boolean {
    for (let at: Element | null = element; at; at = at.parentElement) {
      if (getComputedStyle(at).position === "fixed") return true;
    }
    return false;
  }
  const fixed = new Set(seen.filter(isFixed));
  function overlap(a: DOMRect, b: DOMRect): boolean {
    return (
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack
    );
  }
  const boxes = [...targets].map((target) => {
    const rects = [...target.getClientRects()].map((box) => visiblePart(target, box));
    return { target, rects };
  });
  for (const { target, rects } of boxes) {
    const { left, right, width, height } = target.getBoundingClientRect();
    if ((width < least || height < least) && !isInline(target)) {
      faults.add(`small, ${Math.round(width)} x ${Math.round(height)}: ${nameOf(target)}`);
    }
    const isButton = target.matches("button, .button");
    for (const { element, visible } of isButton ? texts : []) {
      const isWithin = visible.left >= left - slack && visible.right <= right + slack;
      if (target.contains(element) && !isWithin) faults.add(`too narrow: ${nameOf(target)}`);
    }
    const plane = fixed.has(target);
    /** A button needs some room beside it, too, else it sticks to the word before. */
    const room = isInline(target) ? 0 : 4;
    const roomy = rects.map(
      ({ x, y, width, height }) => new DOMRect(x - room, y, width + 2 * room, height),
    );
    for (const { element, visible } of texts) {
      if (target.contains(element) || fixed.has(element) !== plane) continue;
      // Lines of one heading stand close together.
      if (isInline(target) && element.contains(target)) continue;
      if (roomy.some((rect) => overlap(rect, visible))) {
        faults.add(`covers text, or sticks to it: ${nameOf(target)} / ${nameOf(element)}`);
      }
    }
    for (const other of boxes) {
      if (other.target === target || fixed.has(other.target) !== plane) continue;
      if (target.contains(other.target) || other.target.contains(target)) continue;
      if (rects.some((rect) => other.rects.some((box) => overlap(rect, box)))) {
        faults.add(`overlap: ${[nameOf(target), nameOf(other.target)].sort().join(" / ")}`);
      }
    }
  }
  return [...faults];
}
