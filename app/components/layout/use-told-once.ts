import { useEffect } from "react";
import { toldOnce } from "~/platform/told-once";

/** Takes what tells of something just done out of the address. What is on the screen stays. */
export function useToldOnce(): void {
  // After each screen.
  useEffect(() => {
    const url = new URL(location.href);
    for (const name of toldOnce) url.searchParams.delete(name);
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  });
}
