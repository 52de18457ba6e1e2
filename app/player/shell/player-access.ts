import { createContext, createRef, type RefObject, useContext } from "react";
import type { CarouselSong } from "~/domain/carousel/view";
import type { PlayerHandle, PlayerSnapshot } from "~/player/player.client";

/** What the player knows of the package that the carousel shows, or showed last. */
export interface PlayerPackage {
  /** How many of its songs have been rated. */
  rated: number;
  /** The song to go on with once the current one has been rated, or null. */
  next: CarouselSong | null;
}

/** What a screen can know of the player and do with it. */
export interface PlayerAccess {
  /** What the player does; null while there is no player. */
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
