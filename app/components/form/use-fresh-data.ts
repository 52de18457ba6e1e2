import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";
import { changedKey } from "./post-form";

const intervalMs = 120_000;

/**
 * Reloads a screen's data when its tab becomes visible again, and while it is, every two minutes and when
 * another tab has changed something. Returns whether data is being loaded.
 */
export function useFreshData(active: boolean): boolean {
  const { refresh, loading } = useRefresh();
  useEffect(() => {
    if (!active) return;
    function refreshVisible() {
      if (document.visibilityState === "visible") refresh();
    }
    function refreshChanged({ key }: StorageEvent) {
      if (key === changedKey) refreshVisible();
    }
    const timer = window.setInterval(refreshVisible, intervalMs);
    document.addEventListener("visibilitychange", refreshVisible);
    window.addEventListener("storage", refreshChanged);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", refreshVisible);
      window.removeEventListener("storage", refreshChanged);
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
  const askedMeanwhile = useRef(false);
  idle.current = state === "idle";
  const refresh = useCallback(() => {
    // What is loading may be from before the change.
    askedMeanwhile.current = !idle.current;
    if (askedMeanwhile.current) return;
    // Checked first, because a failed reload would show an error page instead.
    isReachable().then((reachable) => reachable && revalidate());
  }, [revalidate]);
  useEffect(() => {
    if (state === "idle" && askedMeanwhile.current) refresh();
  }, [state, refresh]);
  return { refresh, loading: state === "loading" };
}
