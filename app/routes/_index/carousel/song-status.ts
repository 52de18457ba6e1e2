import type { CarouselSong } from "~/exchange/carousel/view";
import type { ListenView } from "~/exchange/listening/listening";
import type { Score } from "~/exchange/rating/scale";
import { secondsUntil } from "~/platform/dates";
import type { PlayerSnapshot } from "~/player/machine/state";

/** The viewer's next step with a song of the carousel. */
export type SongStatus =
  /** Play it. */
  | { kind: "idle" }
  /** Play and rate another song first. */
  | { kind: "blocked" }
  /** Wait: a listen is open that no player in this page knows. `secondsLeft` is the time until rating. */
  | { kind: "listening"; secondsLeft: number }
  /** Listen on: the song plays in this page. `secondsLeft` is the time until rating. */
  | { kind: "playing"; secondsLeft: number | null }
  /**
   * Rate it, whatever else plays. It may still be playing, and the rating may be being sent. `blocked`: it
   * can be played again only after another song was played and rated.
   */
  | { kind: "unlocked"; playing: boolean; sending: boolean; blocked: boolean }
  /** Nothing: it has been rated. */
  | { kind: "rated"; score: Score };

/** Data from which the status of every song of a package follows. */
export interface CarouselState {
  /** The package. */
  songs: Pick<CarouselSong, "songId" | "rated">[];
  /** The viewer's open listen, as the server gave it at `now` (epoch milliseconds). */
  listen: Pick<ListenView, "songId" | "unlocksAt" | "finished"> | null;
  now: number;
  /** The state of this page's player; null while there is none. */
  player: PlayerSnapshot | null;
  /** The song whose rating is being sent, or null. */
  sendingId: string | null;
}

/** The status of one song: the player decides where there is one, else the server's clock. */
export function songStatus(
  song: Pick<CarouselSong, "songId" | "rated" | "heard">,
  state: CarouselState,
): SongStatus {
  const { songId, rated } = song;
  const { listen, now, player, sendingId } = state;
  if (rated !== null) return { kind: "rated", score: rated };
  const openListen = listen?.songId === songId ? listen : null;
  const isCurrent = player?.songId === songId;
  const playing = isCurrent && (player.sounding || player.phase === "playing");
  const blocked = !isCurrent && isPlayBlocked(state);
  // With a player, time alone unlocks nothing: the player knows whether the song plays.
  const secondsLeft = openListen && !player ? secondsUntil(openListen.unlocksAt, now) : null;
  const isHeard =
    song.heard || openListen?.finished || player?.heardIds.includes(songId) || secondsLeft === 0;
  // A song that was heard stays open to rating, whatever plays.
  if (isHeard) return { kind: "unlocked", playing, sending: sendingId === songId, blocked };
  if (isCurrent && player.phase === "playing") {
    return { kind: "playing", secondsLeft: player.secondsLeft };
  }
  if (blocked) return { kind: "blocked" };
  return secondsLeft === null ? { kind: "idle" } : { kind: "listening", secondsLeft };
}

/** Checks whether the player's song comes first: it plays, or was heard in this page and is not rated yet. */
export function isPlayBlocked({ player, songs }: CarouselState): boolean {
  if (!player) return false;
  const isToBeRated = songs.some((song) => song.songId === player.songId && song.rated === null);
  return player.busy || (player.phase === "unlocked" && isToBeRated);
}
