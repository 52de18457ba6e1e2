import { createContext, createRef, type RefObject, useContext } from "react";
import type { CarouselSong } from "~/exchange/carousel/view";
import type { PlayerController } from "~/player/controller";
import type { PlayerSnapshot } from "~/player/machine/state";
import type { Player } from "~/player/player.client";

/** A screen's access to the player. */
export interface PlayerAccess {
  /** The player's state; null while there is no player. */
  snapshot: PlayerSnapshot | null;
  /** The player, once it runs. */
  handle: RefObject<PlayerController>;
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

let loading: Promise<typeof Player> | null = null;

/** Loads the player's code once; a load that failed can be repeated. Only for browsers. */
export function loadPlayer(): Promise<typeof Player> {
  loading ??= import("~/player/player.client").then(
    (island) => island.Player,
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}
