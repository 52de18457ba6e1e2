import { isSameTrack, type Playback } from "~/adapters/spotify/spotify";
import { minListeningSeconds } from "~/db/rules";

/** How far Spotify's progress may lag behind the clock while it starts and reports, in milliseconds. */
const progressToleranceMs = 1000;
/** How far into the next track playback may be if the song has just ended, in milliseconds. */
const justEndedMs = 3000;

/**
 * Seconds of a song that must be heard before it can be rated: the tier's, or for a shorter song
 * its length less one second, at least three (spec section 9, "Short-song rule").
 */
export function requiredListeningSeconds(tierSeconds: number, durationMs: number): number {
  const durationSeconds = Math.floor(durationMs / 1000);
  if (durationSeconds >= tierSeconds) return tierSeconds;
  return Math.max(minListeningSeconds, durationSeconds - 1);
}

/** How long a song must be heard until it unlocks, in milliseconds (spec section 9). */
export function unlockMs(requiredSeconds: number): number {
  return (requiredSeconds + 1) * 1000;
}

/** When a listen can be confirmed: start plus required seconds plus one. Epoch milliseconds. */
export function unlockTime(listen: { startedAt: number; requiredSeconds: number }): number {
  return listen.startedAt + unlockMs(listen.requiredSeconds);
}

/** The viewer's open listen: what PLAY SONG began. Times are epoch milliseconds of the server. */
export interface ListenView {
  songId: string;
  /** When the song can be rated: start plus required seconds plus one. */
  unlocksAt: number;
  finished: boolean;
}

/** An open listen and the song it is of. */
export interface OpenListen {
  startedAt: number;
  requiredSeconds: number;
  trackId: string;
  isrc: string | null;
  durationMs: number;
}

/** Spotify's answer to what is playing: a playback, null if no device is active, or no answer. */
export type PlaybackAnswer = Playback | null | "unreachable";

/** The outcome of a request to confirm a listen. `secondsLeft` says when it is worth asking again. */
export type Judgement =
  | { heard: true; evidence: "spotify" | "clock" }
  | {
      heard: false;
      why: "early" | "paused" | "wrong-song" | "nothing-playing";
      secondsLeft: number;
    };

/**
 * Whether the song was heard for the required time: the server's clock must say so, and so must
 * Spotify if it can be asked (design section 4, "Listening and rating").
 * @param now the server's clock, epoch milliseconds.
 */
export function judgeListen(listen: OpenListen, now: number, answer: PlaybackAnswer): Judgement {
  const wait = unlockTime(listen) - now;
  if (wait > 0) return { heard: false, why: "early", secondsLeft: Math.ceil(wait / 1000) };
  if (answer === "unreachable") return { heard: true, evidence: "clock" };
  const again = listen.requiredSeconds + 1;
  if (answer === null) return { heard: false, why: "nothing-playing", secondsLeft: again };

  const sinceEndMs = now - listen.startedAt - listen.durationMs;
  if (!isSameTrack(answer, listen)) {
    // The song was over, and the player went on to the next track by itself.
    const justEnded = sinceEndMs <= justEndedMs && answer.progressMs <= sinceEndMs;
    if (justEnded) return { heard: true, evidence: "clock" };
    return { heard: false, why: "wrong-song", secondsLeft: again };
  }
  const heardEnough = answer.progressMs + progressToleranceMs >= again * 1000;
  // A player that has reached the end of a song shows its beginning.
  const stoppedAtEnd = !answer.playing && answer.progressMs === 0 && sinceEndMs >= 0;
  if (heardEnough || stoppedAtEnd) return { heard: true, evidence: "spotify" };
  const missing = Math.ceil(again - answer.progressMs / 1000);
  return { heard: false, why: answer.playing ? "early" : "paused", secondsLeft: missing };
}
