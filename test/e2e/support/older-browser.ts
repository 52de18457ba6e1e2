import type { Page } from "@playwright/test";

/**
 * Takes from each document of a page what browsers have learned since 2021, before any of its scripts runs,
 * so that it is what the oldest browsers are that run the scripts (app/README.md).
 */
export async function useOlderBrowser(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const learned: [object | undefined, string[]][] = [
      [AbortSignal, ["any", "timeout"]],
      [AbortSignal.prototype, ["reason", "throwIfAborted"]],
      [Array, ["fromAsync"]],
      [ArrayBuffer.prototype, ["resize", "transfer"]],
      [
        Array.prototype,
        ["at", "findLast", "findLastIndex", "toReversed", "toSorted", "toSpliced", "with"],
      ],
      [String.prototype, ["at", "isWellFormed", "toWellFormed"]],
      [Object.getPrototypeOf(Int8Array.prototype), ["at", "findLast", "toReversed", "toSorted"]],
      [Map, ["groupBy"]],
      [Object, ["groupBy", "hasOwn"]],
      [Promise, ["try", "withResolvers"]],
      [RegExp, ["escape"]],
      [RegExp.prototype, ["hasIndices", "unicodeSets"]],
      [
        Set.prototype,
        ["difference", "intersection", "isDisjointFrom", "isSubsetOf", "isSupersetOf", "union"],
      ],
      [
        Object.getPrototypeOf(Object.getPrototypeOf([].values())),
        ["drop", "every", "filter", "find", "flatMap", "forEach", "map", "reduce", "some", "take"],
      ],
      [Intl, ["DurationFormat", "Segmenter"]],
      [Crypto.prototype, ["randomUUID"]],
      [URL, ["canParse", "parse"]],
      [URLSearchParams.prototype, ["size"]],
      [Response, ["json"]],
      [Document.prototype, ["startViewTransition", "activeViewTransition"]],
      [Element.prototype, ["checkVisibility", "setHTMLUnsafe"]],
      [
        HTMLElement.prototype,
        ["hidePopover", "inert", "popover", "showPopover", "togglePopover", "writingSuggestions"],
      ],
      [HTMLFormElement.prototype, ["requestSubmit"]],
      [HTMLDialogElement.prototype, ["close", "requestClose", "show", "showModal", "open"]],
      [HTMLInputElement.prototype, ["showPicker"]],
      [Navigator.prototype, ["locks", "userActivation", "userAgentData", "share", "canShare"]],
      [
        window,
        [
          "BroadcastChannel",
          "CloseWatcher",
          "HTMLDialogElement",
          "Iterator",
          "Navigation",
          "ToggleEvent",
          "URLPattern",
          "cookieStore",
          "navigation",
          "reportError",
          "requestIdleCallback",
          "scheduler",
          "structuredClone",
          "trustedTypes",
        ],
      ],
    ];
    for (const [owner, names] of learned) {
      for (const name of names) {
        if (owner) Reflect.deleteProperty(owner, name);
        // Something of the browser's own that stays would make this test look at another browser.
        if (owner && name in owner) console.error(`${name} is still there`);
      }
    }
    // What a selector names must be known, too.
    const known = /:(popover-open|modal|has|open|user-(in)?valid|state)\b/;
    for (const owner of [Document, Element, DocumentFragment]) {
      for (const name of ["querySelector", "querySelectorAll", "closest", "matches"] as const) {
        const prototype = owner.prototype as unknown as Record<string, (text: string) => unknown>;
        const select = prototype[name];
        if (!select) continue;
        prototype[name] = function (this: object, selector: string) {
          if (known.test(selector)) throw new DOMException(selector, "SyntaxError");
          return select.call(this, selector);
        };
      }
    }
    // An element that it does not know is shown.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("dialog { display: inline }");
    document.adoptedStyleSheets = [sheet];
    const { has } = URLSearchParams.prototype;
    URLSearchParams.prototype.has = function (name: string) {
      return has.call(this, name);
    };
    const { matchMedia } = window;
    window.matchMedia = (query) => matchMedia.call(window, /[<>]/.test(query) ? "not all" : query);
  });
}
