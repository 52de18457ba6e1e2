import { useEffect } from "react";
import { removeToldOnce } from "~/platform/told-once";

/** Removes one-time parameters from the address. The screen stays as it is. */
export function useToldOnce(): void {
  // After each screen.
  useEffect(() => {
    const url = new URL(location.href);
    removeToldOnce(url.searchParams);
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  });
}
