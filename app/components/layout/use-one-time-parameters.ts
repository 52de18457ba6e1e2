import { useEffect } from "react";
import { removeOneTimeParameters } from "~/platform/one-time-parameters";

/** Removes one-time parameters from the URL after each screen, without changing the screen. */
export function useOneTimeParameters(): void {
  useEffect(() => {
    const url = new URL(location.href);
    removeOneTimeParameters(url.searchParams);
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  });
}
