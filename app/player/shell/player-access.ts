import { createContext, createRef, type RefObject, useContext } from "react";
import type { PlayerHandle, PlayerSnapshot } from "~/player/player.client";

/** What a screen can know of the player and do with it. */
export interface PlayerAccess {
  /** What the player does; null while there is no player. */
  snapshot: PlayerSnapshot | null;
  /** The ids of the songs that the player has unlocked since this document was opened. */
  unlockedIds: ReadonlySet<string>;
  /** The player, once it runs. */
  handle: RefObject<PlayerHandle>;
}

export const PlayerContext = createContext<PlayerAccess>({
  snapshot: null,
  unlockedIds: new Set(),
  handle: createRef(),
});

/** The player of the document, whatever screen it shows. */
export function usePlayerAccess(): PlayerAccess {
  return useContext(PlayerContext);
}
