import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** While visible, a screen reads its data anew at most so often, in milliseconds (spec section 9). */
const everyMs = 120_000;

/**
 * Keeps a screen's data fresh: anew when the tab becomes visible again, and every 120 seconds while
 * it stays visible.
 * @returns whether data is being read right now.
 */
export function useFreshData(active: boolean): boolean {
  const { revalidate, state } = useRevalidator();
  const idle = useRef(true);
  idle.current = state === "idle";
  useEffect(() => {
    if (!active) return;
    function refresh() {
      if (document.visibilityState === "visible" && idle.current) revalidate();
    }
    const timer = window.setInterval(refresh, everyMs);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [active, revalidate]);
  return state === "loading";
}
