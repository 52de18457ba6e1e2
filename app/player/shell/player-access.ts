import { createContext, createRef, type RefObject, useContext } from "react";
import type { CarouselSong } from "~/domain/carousel/view";
import type { PlayerHandle, PlayerSnapshot } from "~/player/player.client";

/** The package that the carousel shows, or showed last, as the player knows it. */
export interface PlayerPackage {
  /** Number of its songs that have been rated. */
  rated: number;
  /** The next song once the current one is rated, or null. */
  next: CarouselSong | null;
}

/** A screen's access to the player. */
export interface PlayerAccess {
  /** The player's state; null while there is no player. */
  snapshot: PlayerSnapshot | null;
  /** The player, once it runs. */
  handle: RefObject<PlayerHandle>;
  /** Tells the player of the package that the carousel shows. */
  setPackage(shown: PlayerPackage): void;
}

export const PlayerContext = createContext<PlayerAccess>({
  snapshot: null,
  handle: createRef(),
  setPackage() {},
});

/** The player of the document, whatever screen it shows. */
export function usePlayerAccess(): PlayerAccess {
  return useContext(PlayerContext);
}
