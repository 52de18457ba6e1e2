import { useBlocker, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Notice } from "~/components/notice";
import { removeOneTimeParameters } from "~/platform/one-time-parameters";

/** Set by the screen that is shown, if any. The router takes no second blocker beside the one below. */
let asksToStay: (() => boolean) | null = null;

/** Lets a screen ask before somebody leaves it within the document. `ask` returns true if they stay. */
export function useQuestionBeforeLeaving(ask: () => boolean): void {
  useEffect(() => {
    asksToStay = ask;
    return () => {
      asksToStay = null;
    };
  });
}

/**
 * Stops navigation without a network, because Remix would reload the document, and a song that plays would
 * stop; and where the screen has asked and the answer was to stay.
 */
export function OfflineNotice() {
  const isOffline = useRef(false);
  const { state, reset } = useBlocker(() => {
    isOffline.current = !navigator.onLine;
    return isOffline.current || (asksToStay?.() ?? false);
  });
  useEffect(() => {
    if (!reset) return;
    window.addEventListener("online", reset);
    return () => window.removeEventListener("online", reset);
  }, [reset]);
  if (state !== "blocked" || !isOffline.current) return null;
  return (
    <div className="offline-notice">
      <Notice tone="error">You are offline right now.</Notice>
    </div>
  );
}

export function useOneTimeParameters(): void {
  useEffect(() => {
    const url = new URL(location.href);
    removeOneTimeParameters(url.searchParams);
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  });
}

/**
 * Focuses the content of a new screen, as loading a document would, because screen readers start to read at
 * the focus.
 */
export function usePageFocus(): void {
  const { pathname, search } = useLocation();
  const screen = pathname + search.match(/(menu|track)=\w*/g);
  const shown = useRef(screen);
  useEffect(() => {
    if (shown.current === screen) return;
    shown.current = screen;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [screen]);
}
