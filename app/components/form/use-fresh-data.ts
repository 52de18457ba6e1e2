import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

const intervalMs = 120_000;

/**
 * Reloads a screen's data when its tab becomes visible again, and every two minutes while it is. Returns
 * whether data is being loaded.
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

export function useFreshDataAfter(ms: number | null): void {
  const { refresh } = useRefresh();
  useEffect(() => {
    if (ms === null || ms <= 0) return;
    const timer = window.setTimeout(refresh, ms);
    return () => window.clearTimeout(timer);
  }, [ms, refresh]);
}

export async function isReachable(): Promise<boolean> {
  try {
    return (await fetch("/health", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

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
