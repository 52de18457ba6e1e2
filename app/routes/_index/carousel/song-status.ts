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
  /**
   * Wait, or play it again: a listen was opened, but the song is not playing in this page.
   * `secondsLeft` until it can be rated, or null if only the player knows.
   */
  | { kind: "listening"; secondsLeft: number | null }
  /** Listen on: it is playing in this page. */
  | { kind: "playing" }
  /** Rate it. It may still be playing, and the rating may be on its way to the server. */
  | { kind: "unlocked"; playing: boolean; sending: boolean }
  /** Nothing: it has been rated. */
  | { kind: "rated"; score: Score };

/** What the status of every song of a package follows from. */
export interface CarouselState {
  /** The viewer's open listen, as the server said it at `now` (epoch milliseconds). */
  listen: ListenView | null;
  now: number;
  /** What the player in this page reports; null while there is no player. */
  player: PlayerSnapshot | null;
  /** The ids of the songs that the player has unlocked since the page was opened. */
  unlockedIds: ReadonlySet<string>;
  /** The song whose rating is being sent, or null. */
  sendingId: string | null;
}

/** The status of one song: the player decides while it has a song, else the server's data. */
export function songStatus(
  { songId, rated }: Pick<CarouselSong, "songId" | "rated">,
  { listen, now, player, unlockedIds, sendingId }: CarouselState,
): SongStatus {
  if (rated !== null) return { kind: "rated", score: rated };
  const sending = sendingId === songId;
  const openListen = listen?.songId === songId ? listen : null;

  if (player?.songId) {
    const isCurrent = player.songId === songId;
    const playing = player.phase === "playing";
    // A song that is played once more after its unlock can still be rated.
    if (isCurrent && unlockedIds.has(songId)) return { kind: "unlocked", playing, sending };
    if (isCurrent && playing) return { kind: "playing" };
    if (!isCurrent && (player.busy || player.unlocked)) return { kind: "blocked" };
    return openListen ? { kind: "listening", secondsLeft: null } : { kind: "idle" };
  }

  if (!openListen) return { kind: "idle" };
  const secondsLeft = openListen.finished ? 0 : secondsUntil(openListen.unlocksAt, now);
  return secondsLeft > 0
    ? { kind: "listening", secondsLeft }
    : { kind: "unlocked", playing: false, sending };
}
