import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/** Interval between reloads of a visible screen, in milliseconds. */
const intervalMs = 120_000;

/**
 * Keeps a screen's data fresh: reloads it when the tab becomes visible again, and at intervals while it is
 * visible.
 * @param active false to pause reloading.
 * @returns true while data is being loaded.
 */
export function useFreshData(active: boolean): boolean {
  const { refresh, loading } = useRefresh();
  useEffect(() => {
    if (!active) return;
    function refreshVisible() {
      if (document.visibilityState === "visible") refresh();
    }
    const timer = window.setInterval(refreshVisible, intervalMs);
    document.addEventListener("visibilitychange", refreshVisible);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", refreshVisible);
    };
  }, [active, refresh]);
  return loading;
}

/** Reloads a screen's data once, after `ms` milliseconds; never if `ms` is null or not positive. */
export function useFreshDataAfter(ms: number | null): void {
  const { refresh } = useRefresh();
  useEffect(() => {
    if (ms === null || ms <= 0) return;
    const timer = window.setTimeout(refresh, ms);
    return () => window.clearTimeout(timer);
  }, [ms, refresh]);
}

/** Checks whether the server and its database answer. */
export async function isReachable(): Promise<boolean> {
  try {
    return (await fetch("/health", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/**
 * `refresh` reloads a screen's data, unless a reload is under way or the server does not answer; `loading` is
 * true while data is being loaded.
 */
export function useRefresh() {
  const { revalidate, state } = useRevalidator();
  const idle = useRef(true);
  idle.current = state === "idle";
  const refresh = useCallback(() => {
    if (!idle.current) return;
    // Checked first, because a failed reload would show an error page instead.
    isReachable().then((reachable) => reachable && revalidate());
  }, [revalidate]);
  return { refresh, loading: state === "loading" };
}
