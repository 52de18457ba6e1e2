import { useEffect } from "react";
import type { PlayerSnapshot } from "~/player/machine/state";
import { ratingPanelId } from "./rating-panel";
import { songBoxId } from "./song-box";

/** Scrolls to what the player has changed outside of the visible part of the page. */
export function useScrollToSong(player: PlayerSnapshot | null): void {
  const songId = player?.songId ?? null;
  const unlockedId = player?.heard ? songId : null;
  useEffect(() => {
    // The rating panel that has just opened.
    if (unlockedId) scrollTo(ratingPanelId(unlockedId), "start");
  }, [unlockedId]);
  useEffect(() => {
    // The song that was started has moved to the top of the list.
    if (songId) scrollTo(songBoxId(songId), "nearest");
  }, [songId]);
}

function scrollTo(elementId: string, block: ScrollLogicalPosition): void {
  document.getElementById(elementId)?.scrollIntoView({ block });
}
