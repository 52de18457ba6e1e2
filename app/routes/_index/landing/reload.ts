import { useEffect } from "react";
import { usePlayerAccess } from "~/player/shell/player-access";

/**
 * Stands in for the landing page where a login has ended within a document: loads it as a document of
 * its own, which is the only way it comes. It waits for the player to be gone, so that nothing asks
 * whether to leave a listen that is lost already.
 */
export function ReloadLanding() {
  const { snapshot } = usePlayerAccess();
  useEffect(() => {
    if (snapshot === null) window.location.reload();
  }, [snapshot]);
  return null;
}
