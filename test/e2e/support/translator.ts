import type { Page } from "@playwright/test";

/**
 * Translates the document of a page, and each that follows, as browsers' translators do: every text gives way
 * to elements with a text of their own, those that come later too. So that a test can read them, they say the
 * same. A text that the page still changes after it has given way stays as it was for who reads, which is an
 * error here.
 */
export async function translate(page: Page): Promise<void> {
  await page.evaluate(translateDocument);
}

/** Translates each document of a page from its first element on, before its scripts have come. */
export async function translateEarly(page: Page): Promise<void> {
  await page.addInitScript(translateDocument);
}

function translateDocument(): void {
  const apart = "script, style, noscript, textarea, title, [translate=no], .translated";
  const stale = new MutationObserver(([change]) => {
    console.error(`a text is not shown: ${change?.target.textContent}`);
  });
  const later = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      for (const node of addedNodes.length ? addedNodes : [target]) replaceIn(node);
    }
  });
  function replaceIn(root: Node): void {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    if (root instanceof Text) texts.push(root);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
    for (const text of texts) replace(text);
  }
  function replace(text: Text): void {
    if (!text.data.trim() || !text.parentElement || text.parentElement.closest(apart)) return;
    const outer = document.createElement("font");
    outer.className = "translated";
    const inner = outer.appendChild(document.createElement("font"));
    inner.textContent = text.data;
    text.parentElement.replaceChild(outer, text);
    stale.observe(text, { characterData: true });
  }
  replaceIn(document);
  later.observe(document, { childList: true, characterData: true, subtree: true });
}

/** Whether the screen has been translated. */
export function isTranslated(page: Page): Promise<boolean> {
  return page.locator("main .translated").first().isVisible();
}
