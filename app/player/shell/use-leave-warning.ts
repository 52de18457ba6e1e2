import { useEffect } from "react";
import type { PlayerSnapshot } from "~/player/machine/state";

/**
 * Makes the browser ask before this document is left while a song plays that cannot be rated yet, because the
 * listen would be lost. A song in the listener's own app plays on.
 */
export function useLeaveWarning(player: PlayerSnapshot | null): void {
  const wouldLose = losesListen(player);
  useEffect(() => {
    if (!wouldLose) return;
    function ask(event: BeforeUnloadEvent) {
      event.preventDefault();
    }
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [wouldLose]);
}

/** Checks whether leaving this document would lose a listen in progress, or one that can be resumed. */
export function losesListen(player: PlayerSnapshot | null): boolean {
  if (player?.place !== "page" || player.secondsLeft === null) return false;
  return player.phase !== "failed" && player.phase !== "loading";
}
