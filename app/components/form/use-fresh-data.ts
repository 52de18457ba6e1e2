import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/** While visible, a screen reads its data anew at most so often, in milliseconds (spec section 9). */
const everyMs = 120_000;

/**
 * Keeps a screen's data fresh: anew when the tab becomes visible again, and every 120 seconds while
 * it stays visible.
 * @returns whether data is being read right now.
 */
export function useFreshData(active: boolean): boolean {
  const { refresh, reading } = useRefresh();
  useEffect(() => {
    if (!active) return;
    function refreshVisible() {
      if (document.visibilityState === "visible") refresh();
    }
    const timer = window.setInterval(refreshVisible, everyMs);
    document.addEventListener("visibilitychange", refreshVisible);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", refreshVisible);
    };
  }, [active, refresh]);
  return reading;
}

/** Reads a screen's data anew once, after so many milliseconds; null or none left for never. */
export function useFreshDataAfter(ms: number | null): void {
  const { refresh } = useRefresh();
  useEffect(() => {
    if (ms === null || ms <= 0) return;
    const timer = window.setTimeout(refresh, ms);
    return () => window.clearTimeout(timer);
  }, [ms, refresh]);
}

/** Whether the server answers, database and all. */
export async function isReachable(): Promise<boolean> {
  try {
    return (await fetch("/health", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/** Reads a screen's data anew when asked, unless that is under way or the server does not answer. */
export function useRefresh() {
  const { revalidate, state } = useRevalidator();
  const idle = useRef(true);
  idle.current = state === "idle";
  const refresh = useCallback(() => {
    if (!idle.current) return;
    // Asked first, because a read that fails would put an error page in the screen's place.
    isReachable().then((reachable) => reachable && revalidate());
  }, [revalidate]);
  return { refresh, reading: state === "loading" };
}
