import { useEffect } from "react";
import type { PlayerSnapshot } from "~/player/machine/state";

/**
 * Asks before this document is left while a song plays in the page that cannot be rated yet. One that is paused can go
 * on where it was.
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

export function losesListen(player: PlayerSnapshot | null): boolean {
  if (player?.place !== "page" || player.secondsLeft === null) return false;
  return player.busy && player.phase !== "loading";
}
