import { createContext, createRef, type RefObject, useContext } from "react";
import type { PlayerController } from "~/player/controller";
import type { PlayerSnapshot } from "~/player/machine/state";
import type { Player } from "~/player/player.client";

export interface PlayerAccess {
  snapshot: PlayerSnapshot | null;
  handle: RefObject<PlayerController>;
  /** The element in a song's card in which the player shows itself; null where it shows its bar. */
  setCard(card: HTMLElement | null): void;
}

export const PlayerContext = createContext<PlayerAccess>({
  snapshot: null,
  handle: createRef(),
  setCard() {},
});

export function usePlayerAccess(): PlayerAccess {
  return useContext(PlayerContext);
}

let loading: Promise<typeof Player> | null = null;

/** Loads the player's code once, only in browsers. A load that failed can be repeated. */
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
