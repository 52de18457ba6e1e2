import type { Playback } from "~/adapters/spotify/spotify";

/** The shortest that must be heard, however short the song (spec section 9), in seconds. */
const leastSeconds = 3;
/** How far Spotify's progress may lag behind the clock: start-up and reporting, in milliseconds. */
const progressToleranceMs = 1000;
/** How far into whatever followed a song that has just ended, in milliseconds. */
const justEndedMs = 3000;

/**
 * Seconds of a song that must be heard before it can be rated: the tier's, or for a shorter song
 * its length less one second, at least three (spec section 9, "Short-song rule").
 */
export function requiredListeningSeconds(tierSeconds: number, durationMs: number): number {
  const durationSeconds = Math.floor(durationMs / 1000);
  if (durationSeconds >= tierSeconds) return tierSeconds;
  return Math.max(leastSeconds, durationSeconds - 1);
}

/** When a listen can be confirmed: start plus required seconds plus one. Epoch milliseconds. */
export function unlockTime(listen: { startedAt: number; requiredSeconds: number }): number {
  return listen.startedAt + (listen.requiredSeconds + 1) * 1000;
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

/** What Spotify said when asked: a playback, null for nothing active, or that it could not say. */
export type PlaybackAnswer = Playback | null | "unreachable";

/** How a request to confirm a listen ends. `secondsLeft` is how long until it is worth asking again. */
export type Judgement =
  | { heard: true; evidence: "spotify" | "clock" }
  | {
      heard: false;
      why: "early" | "paused" | "wrong-song" | "nothing-playing";
      secondsLeft: number;
    };

/**
 * Whether the required time was heard: the server's clock must say so, and so must Spotify where it
 * can be asked (design section 4, "Listening and rating").
 * @param now the server's clock, epoch milliseconds.
 */
export function judgeListen(listen: OpenListen, now: number, word: PlaybackAnswer): Judgement {
  const wait = unlockTime(listen) - now;
  if (wait > 0) return { heard: false, why: "early", secondsLeft: Math.ceil(wait / 1000) };
  if (word === "unreachable") return { heard: true, evidence: "clock" };
  const again = listen.requiredSeconds + 1;
  if (word === null) return { heard: false, why: "nothing-playing", secondsLeft: again };

  const sinceEndMs = now - listen.startedAt - listen.durationMs;
  if (!isSameTrack(listen, word)) {
    // The player went on by itself the moment the song was over.
    const justEnded = sinceEndMs >= 0 && sinceEndMs <= justEndedMs && word.progressMs <= sinceEndMs;
    if (justEnded) return { heard: true, evidence: "clock" };
    return { heard: false, why: "wrong-song", secondsLeft: again };
  }
  const heardEnough = word.progressMs + progressToleranceMs >= again * 1000;
  // A player that has come to the end of a song stands at its beginning.
  const stoppedAtEnd = !word.playing && word.progressMs === 0 && sinceEndMs >= 0;
  if (heardEnough || stoppedAtEnd) return { heard: true, evidence: "spotify" };
  const missing = Math.ceil(again - word.progressMs / 1000);
  return { heard: false, why: word.playing ? "early" : "paused", secondsLeft: missing };
}

/** Whether what plays is the song, be it under another id: Spotify relinks tracks by market. */
function isSameTrack(listen: OpenListen, playback: Playback): boolean {
  if (playback.trackIds.includes(listen.trackId)) return true;
  return listen.isrc !== null && playback.isrc === listen.isrc;
}
