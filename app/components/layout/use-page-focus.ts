import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * Moves the focus to the content of a new screen, as loading a document would: the pressed link may be gone,
 * and screen readers start to read at the focus.
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
