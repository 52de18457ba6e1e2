import type { Playback } from "~/sources/listen";
import { type Evidence, remainingMs, unlockMs, unlockTime } from "~/sources/listen";
import { measureProgress, type TrackListen } from "./progress";

/** Null if Spotify does not tell what plays, "unreachable" without an answer. */
export type PlaybackAnswer = Playback | null | "unreachable";

const unknownSeconds = 1;

/** `measureFromMs` is the position from which on listening counts again. */
export type Judgement =
  | { heard: true; evidence: Evidence }
  | {
      heard: false;
      why: "early" | "paused" | "wrong-song" | "unknown";
      secondsLeft: number;
      measureFromMs?: number;
    };

/**
 * Judges whether the song was heard for the required time: the server's clock must say so, and so must
 * Spotify if it can be asked (rule 15).
 */
export function judgeListen(listen: TrackListen, now: number, answer: PlaybackAnswer): Judgement {
  const wait = unlockTime(listen, now) - now;
  if (wait > 0) {
    return { heard: false, why: answer === null ? "unknown" : "early", secondsLeft: seconds(wait) };
  }
  if (answer === "unreachable") return { heard: true, evidence: "clock" };
  const { found, heardMs, surelyHeardMs, positionMs, isPlaced } = measureProgress(
    listen,
    now,
    answer,
  );
  const neededMs = unlockMs(listen.requiredSeconds);
  if (found === "unknown") return { heard: false, why: found, secondsLeft: unknownSeconds };
  if (found === "wrong-song") {
    return { heard: false, why: found, secondsLeft: seconds(neededMs) };
  }
  const why = found === "paused" ? "paused" : "early";
  if (listen.recheckAt !== null && found === "playing") {
    // The last spot check found it silent, and none has found it playing since.
    return {
      heard: false,
      why,
      secondsLeft: seconds(remainingMs(listen)),
      measureFromMs: positionMs,
    };
  }
  if (listen.recheckAt === null && heardMs >= neededMs) {
    return { heard: true, evidence: isPlaced ? "spotify" : "clock" };
  }
  return { heard: false, why, secondsLeft: Math.max(1, seconds(neededMs - surelyHeardMs)) };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
