import { secondsUntil } from "~/components/format/seconds-until";
import type { CarouselSong } from "~/domain/carousel/view";
import type { ListenView } from "~/domain/listening/listening";
import type { Score } from "~/domain/rating/scale";
import type { PlayerSnapshot } from "~/player/machine/state";

/** What the viewer can do with a song of the carousel right now. */
export type SongStatus =
  /** Play it. */
  | { kind: "idle" }
  /** Play and rate another song first. */
  | { kind: "blocked" }
  /** Wait: a listen was opened, and no player in this page knows better. `secondsLeft` until rating. */
  | { kind: "listening"; secondsLeft: number }
  /** Listen on: it is playing in this page, and can be rated in so many seconds. */
  | { kind: "playing"; secondsLeft: number | null }
  /**
   * Rate it, whatever else plays. It may still be playing, and the rating may be on its way to the
   * server. `blocked`: another song is to be played and rated before this one is played once more.
   */
  | { kind: "unlocked"; playing: boolean; sending: boolean; blocked: boolean }
  /** Nothing: it has been rated. */
  | { kind: "rated"; score: Score };

/** What the status of every song of a package follows from. */
export interface CarouselState {
  /** The package. */
  songs: Pick<CarouselSong, "songId" | "rated">[];
  /** The viewer's open listen, as the server said it at `now` (epoch milliseconds). */
  listen: ListenView | null;
  now: number;
  /** What the player in this page reports; null while there is no player. */
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
  // Where there is a player, time alone opens nothing: it knows whether the song plays.
  const secondsLeft = openListen && !player ? secondsUntil(openListen.unlocksAt, now) : null;
  const isHeard =
    song.heard || openListen?.finished || player?.heardIds.includes(songId) || secondsLeft === 0;
  // Once it was heard, a song stays open to rating, whatever plays.
  if (isHeard) return { kind: "unlocked", playing, sending: sendingId === songId, blocked };
  if (isCurrent && player.phase === "playing") {
    return { kind: "playing", secondsLeft: player.secondsLeft };
  }
  if (blocked) return { kind: "blocked" };
  return secondsLeft === null ? { kind: "idle" } : { kind: "listening", secondsLeft };
}

/** Whether the player's song comes first: it plays, or was heard in this page and is to be rated. */
function isPlayBlocked({ player, songs }: CarouselState): boolean {
  if (!player) return false;
  const isToBeRated = songs.some((song) => song.songId === player.songId && song.rated === null);
  return player.busy || (player.phase === "unlocked" && isToBeRated);
}
