import type { Player } from "~/player/player.client";

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
