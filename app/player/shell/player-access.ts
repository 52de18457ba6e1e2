import { createContext, createRef, type RefObject, useContext } from "react";
import type { CarouselSong } from "~/exchange/carousel/view";
import type { PlayerHandle, PlayerSnapshot } from "~/player/player.client";

/** A screen's access to the player. */
export interface PlayerAccess {
  /** The player's state; null while there is no player. */
  snapshot: PlayerSnapshot | null;
  /** The player, once it runs. */
  handle: RefObject<PlayerHandle>;
  /** Sets the song of the carousel that comes next once the current one is rated. */
  setNext(song: CarouselSong | null): void;
}

export const PlayerContext = createContext<PlayerAccess>({
  snapshot: null,
  handle: createRef(),
  setNext() {},
});

/** The document's player, whatever screen it shows. */
export function usePlayerAccess(): PlayerAccess {
  return useContext(PlayerContext);
}
