import type { Playback } from "~/adapters/spotify/spotify";
import { minListeningSeconds } from "~/db/rules";
import { lookAt, type OpenListen, restMs, unlockMs, unlockTime } from "./progress";

/**
 * Seconds of a song that must be heard before it can be rated: the tier's, or for a shorter song
 * its length less one second, at least three (rule 13).
 */
export function requiredListeningSeconds(tierSeconds: number, durationMs: number): number {
  const durationSeconds = Math.floor(durationMs / 1000);
  if (durationSeconds >= tierSeconds) return tierSeconds;
  return Math.max(minListeningSeconds, durationSeconds - 1);
}

/** The viewer's open listen: what PLAY SONG began. Times are epoch milliseconds of the server. */
export interface ListenView {
  songId: string;
  /** The earliest time at which the song can be rated. */
  unlocksAt: number;
  finished: boolean;
}

/** Spotify's answer to what is playing: a playback, null if no device is active, or no answer. */
export type PlaybackAnswer = Playback | null | "unreachable";

/**
 * The outcome of a request to confirm a listen. `secondsLeft` says when it is worth asking again, and
 * `goOnFrom` where the song stood in a listen that counts on from here alone.
 */
export type Judgement =
  | { heard: true; evidence: "spotify" | "clock" }
  | {
      heard: false;
      why: "early" | "paused" | "wrong-song" | "nothing-playing";
      secondsLeft: number;
      goOnFrom?: number;
    };

/**
 * Whether the song was heard for the required time: the server's clock must say so, and so must
 * Spotify if it can be asked (rule 15).
 * @param now the server's clock, epoch milliseconds.
 */
export function judgeListen(listen: OpenListen, now: number, answer: PlaybackAnswer): Judgement {
  const wait = unlockTime(listen, now) - now;
  if (wait > 0) return { heard: false, why: "early", secondsLeft: seconds(wait) };
  if (answer === "unreachable") return { heard: true, evidence: "clock" };
  const { found, heardMs, surelyMs, positionMs } = lookAt(listen, now, answer);
  const neededMs = unlockMs(listen.requiredSeconds);
  if (found === "wrong-song" || found === "nothing-playing") {
    return { heard: false, why: found, secondsLeft: seconds(neededMs) };
  }
  const why = found === "paused" ? "paused" : "early";
  if (listen.recheckAt !== null && found === "playing") {
    // It was last seen silent, and no spot check has seen it playing since.
    return { heard: false, why, secondsLeft: seconds(restMs(listen)), goOnFrom: positionMs };
  }
  if (listen.recheckAt === null && heardMs >= neededMs) {
    return { heard: true, evidence: found === "gone-on" ? "clock" : "spotify" };
  }
  return { heard: false, why, secondsLeft: Math.max(1, seconds(neededMs - surelyMs)) };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
