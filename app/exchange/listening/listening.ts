import { minListeningSeconds } from "~/db/rules";
import type { Playback } from "~/spotify/spotify";
import { measureProgress, type OpenListen, remainingMs, unlockMs, unlockTime } from "./progress";

/**
 * Seconds that must be heard: the tier's, or for a shorter song its length less one, at least three (rule
 * 13).
 */
export function requiredListeningSeconds(tierSeconds: number, durationMs: number): number {
  const durationSeconds = Math.floor(durationMs / 1000);
  if (durationSeconds >= tierSeconds) return tierSeconds;
  return Math.max(minListeningSeconds, durationSeconds - 1);
}

export interface ListenView {
  listenId: string;
  songId: string;
  unlocksAt: number;
  finished: boolean;
  /** Where an own recording goes on. */
  positionMs: number;
}

/** Null if Spotify does not tell what plays, "unreachable" without an answer. */
export type PlaybackAnswer = Playback | null | "unreachable";

const unknownSeconds = 1;

export type Evidence = "spotify" | "clock" | "delivery";

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
export function judgeListen(listen: OpenListen, now: number, answer: PlaybackAnswer): Judgement {
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

/**
 * Judges a listen of an own recording (rule 15): the server's clock must say so, and the server must have
 * delivered that much of the file without a gap. Nothing stands in for either.
 */
export function judgeDelivery(
  listen: Pick<
    OpenListen,
    "startedAt" | "requiredSeconds" | "observedAt" | "heardMs" | "recheckAt"
  > & {
    deliveredMs: number;
  },
  now: number,
): Judgement {
  const wait = unlockTime(listen, now) - now;
  const missing = listen.requiredSeconds * 1000 - listen.deliveredMs;
  if (wait <= 0 && missing <= 0) return { heard: true, evidence: "delivery" };
  return { heard: false, why: "early", secondsLeft: seconds(Math.max(wait, missing)) };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
