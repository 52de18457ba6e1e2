import type { CarouselSong } from "~/exchange/carousel/view";
import type { PlayerSnapshot } from "~/player/machine/state";

/** The state of a song in this page's player; without a player, whether it was heard. */
export type PlayState = "idle" | "loading" | "playing" | "paused" | "heard";

export function playState(
  player: PlayerSnapshot | null,
  { songId, heard }: Pick<CarouselSong, "songId" | "heard">,
): PlayState {
  const rest = heard || player?.heardIds.includes(songId) ? "heard" : "idle";
  if (player?.songId !== songId) return rest;
  const { phase, sounding, held, secondsLeft } = player;
  if (phase === "loading" || phase === "starting") return "loading";
  if (sounding || phase === "playing" || phase === "confirming") return "playing";
  // Without any listening time there is nothing to resume.
  return held || (phase === "interrupted" && secondsLeft !== null) ? "paused" : rest;
}
