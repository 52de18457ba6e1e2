import { useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { usePlayerAccess } from "~/player/shell/player-access";

/**
 * Replaces the landing page within a document, after a login has ended: loads it as a document, which is the
 * only way it comes. Waits until the player is gone, so that the browser does not ask whether to leave a
 * listen that is already lost.
 */
export function ReloadLanding() {
  const { snapshot } = usePlayerAccess();
  // The router's URL: the browser's loses `ended` as soon as it is shown.
  const { search } = useLocation();
  useEffect(() => {
    if (snapshot !== null) return;
    const query = new URLSearchParams(search);
    query.set("ended", "");
    window.location.replace(`/?${query}`);
  }, [snapshot, search]);
  return null;
}
