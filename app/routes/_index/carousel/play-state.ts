import type { PlayerSnapshot } from "~/player/machine/state";

/** What a song is doing in the player of this page. */
export type PlayState = "idle" | "loading" | "playing" | "paused" | "heard";

export function playState(player: PlayerSnapshot | null, songId: string): PlayState {
  if (player?.songId !== songId) return "idle";
  const { phase, sounding, heard } = player;
  if (phase === "loading" || phase === "starting") return "loading";
  if (sounding || phase === "playing" || phase === "confirming") return "playing";
  if (phase === "interrupted") return "paused";
  return heard ? "heard" : "idle";
}
