import { useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { usePlayerAccess } from "~/player/shell/player-access";

/**
 * Stands in for the landing page where a login has ended within a document: loads it as a document of
 * its own, which is the only way it comes, and which says so. It waits for the player to be gone, so that
 * nothing asks whether to leave a listen that is lost already.
 */
export function ReloadLanding() {
  const { snapshot } = usePlayerAccess();
  // Of the router: the browser's own address loses `ended` as soon as it is shown.
  const { search } = useLocation();
  useEffect(() => {
    if (snapshot !== null) return;
    const query = new URLSearchParams(search);
    query.set("ended", "");
    window.location.replace(`/?${query}`);
  }, [snapshot, search]);
  return null;
}
