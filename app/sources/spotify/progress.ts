/**
 * What was heard of a song, from Spotify's answers at spot checks and at the end (rule 15, proof of hearing). Heard time
 * between two samples is the smaller of elapsed time and position change, so skipping forward gains nothing
 * and a pause costs nothing.
 */
import {
  crossfadeMs,
  type Evidence,
  type OpenListen,
  type Playback,
  remainingMs,
  unlockMs,
  unlockTime,
} from "~/sources/listen";
import { isSameTrack } from "~/sources/song";

/** Lag of Spotify's position behind the clock while it starts and reports. */
const progressToleranceMs = 1000;
/** How long before the listen a song may have begun to play, because Spotify's answer was on its way. */
const startedBeforeMs = 1000;
const justEndedMs = 3000;
/** The longest time that a spot check waits for Spotify's limit at once. */
const maxLimitedMs = 20_000;
const defaultLimitSeconds = 5;

export interface TrackListen extends OpenListen {
  trackId: string;
  isrc: string | null;
  durationMs: number;
}

/**
 * "ended": the player shows the song's beginning again. "gone-on": the player went on to the next track by
 * itself. "unknown": Spotify does not tell what plays.
 */
export type Found = "playing" | "paused" | "ended" | "gone-on" | "wrong-song" | "unknown";

export interface Progress {
  found: Found;
  positionMs: number;
  /** Spotify names the song's position, or its end. */
  isPlaced: boolean;
  heardMs: number;
  /** The same without allowance for a player that lags. */
  surelyHeardMs: number;
}

/** Where the song is not on, nothing since the last answer counts. */
export function measureProgress(
  listen: TrackListen,
  now: number,
  playback: Playback | null,
): Progress {
  const passedMs = now - (listen.observedAt ?? listen.startedAt);
  const { found, positionMs, isPlaced } = locateSong(listen, passedMs, playback);
  const { heardMs } = listen;
  if (positionMs === null) {
    return { found, positionMs: listen.positionMs, isPlaced, heardMs, surelyHeardMs: heardMs };
  }
  const heardWithin = (lagMs: number) => {
    const moved = positionMs - listen.positionMs;
    // Moved back: a part of the song is heard again.
    const counted = moved < 0 ? passedMs : Math.min(passedMs, moved + lagMs);
    return Math.min(heardMs + counted, positionMs + lagMs);
  };
  return {
    found,
    positionMs,
    isPlaced,
    heardMs: heardWithin(progressToleranceMs),
    surelyHeardMs: heardWithin(0),
  };
}

function locateSong(
  listen: TrackListen,
  passedMs: number,
  playback: Playback | null,
): Pick<Progress, "found" | "isPlaced"> & { positionMs: number | null } {
  if (playback === null) return { found: "unknown", positionMs: null, isPlaced: false };
  const { playing, progressMs } = playback;
  const { durationMs } = listen;
  const sinceEndMs = passedMs - (durationMs - listen.positionMs);
  const byClockMs = durationMs + Math.min(0, sinceEndMs);
  if (!isSameTrack(playback, listen)) {
    const latestStartMs = sinceEndMs <= justEndedMs ? sinceEndMs + crossfadeMs(durationMs) : -1;
    if ((progressMs ?? 0) > latestStartMs) {
      return { found: "wrong-song", positionMs: null, isPlaced: true };
    }
    return progressMs === null
      ? { found: "unknown", positionMs: null, isPlaced: false }
      : { found: "gone-on", positionMs: byClockMs, isPlaced: false };
  }
  // A player at the end of a song shows its beginning. So does one that was paused and put back there.
  const mayBeOver = sinceEndMs >= -startedBeforeMs;
  if (!playing && !progressMs && mayBeOver && listen.recheckAt === null) {
    return { found: "ended", positionMs: durationMs, isPlaced: true };
  }
  const found = playing ? "playing" : "paused";
  // The clock counts while the song plays at an unknown position.
  if (progressMs === null) {
    return { found, positionMs: playing ? byClockMs : null, isPlaced: false };
  }
  return { found, positionMs: progressMs, isPlaced: true };
}

/** Null if Spotify does not tell what plays, "unreachable" without an answer. */
export type PlaybackAnswer = Playback | null | "unreachable";

export type Judgement =
  | { is: "heard"; evidence: Evidence }
  | { is: "early" | "paused" | "wrong-song" | "unknown" | "unconfirmed"; secondsLeft: number }
  /** From this position on, listening counts again. */
  | { is: "found again"; secondsLeft: number; positionMs: number };

/**
 * Judges whether the song was heard for the required time: the server's clock must say so, and so must
 * Spotify if it can be asked (rule 15, proof of hearing).
 */
export function judgeListen(
  listen: TrackListen & { doubtedAt?: number | null },
  now: number,
  answer: PlaybackAnswer,
): Judgement {
  const wait = unlockTime(listen, now) - now;
  if (wait > 0) return { is: answer === null ? "unknown" : "early", secondsLeft: seconds(wait) };
  const isChecked = listen.recheckAt !== null;
  // Once Spotify has contradicted this listen, the clock alone no longer confirms it.
  const byClock: Judgement =
    isChecked || listen.doubtedAt != null
      ? { is: "unconfirmed", secondsLeft: 1 }
      : { is: "heard", evidence: "clock" };
  if (answer === "unreachable") return byClock;
  const { found, heardMs, surelyHeardMs, positionMs, isPlaced } = measureProgress(
    listen,
    now,
    answer,
  );
  const neededMs = unlockMs(listen.requiredSeconds);
  if (found === "unknown") return { is: found, secondsLeft: 1 };
  if (found === "wrong-song") return { is: found, secondsLeft: seconds(neededMs) };
  // The last spot check found it silent, and none has found it playing since.
  if (isChecked && found === "playing") {
    return { is: "found again", secondsLeft: seconds(remainingMs(listen)), positionMs };
  }
  if (!isChecked && heardMs >= neededMs) {
    if (isPlaced) return { is: "heard", evidence: "spotify" };
    return answer?.progressMs == null ? byClock : { is: "heard", evidence: "clock" };
  }
  const secondsLeft = Math.max(1, seconds(neededMs - surelyHeardMs));
  return { is: found === "paused" ? found : "early", secondsLeft };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

/** Between the first and the last tenth of what is left to be heard. */
export function spotCheckDelay(leftMs: number, random: number): number {
  return Math.max(1, Math.floor(((0.1 + 0.8 * random) * leftMs) / 1000));
}

export type Observation = Pick<OpenListen, "observedAt" | "heardMs" | "positionMs" | "recheckAt">;

/** Null if Spotify does not tell what plays. */
export type CheckAnswer = Playback | null | "unreachable" | { limitedSeconds: number | null };

export interface SpotCheck {
  kind: Found | "unreachable" | "limited";
  seen: Partial<Observation> & { doubtedAt?: number };
  nextAt: number | null;
}

/**
 * Evaluates a spot check (rule 15, proof of hearing). It settles the listen if the song plays or has been heard in full.
 * Otherwise the time heard so far counts, and another check has to find the song playing.
 */
export function spotCheck(
  listen: TrackListen,
  now: number,
  answer: CheckAnswer,
  random: number,
): SpotCheck {
  const momentWithin = (leftMs: number) => now + spotCheckDelay(leftMs, random) * 1000;
  if (answer === "unreachable") {
    // No listener can cause an outage, so a listen does not wait for its end.
    const nextAt = momentWithin(remainingMs(listen));
    const recheckAt = listen.recheckAt === null ? null : nextAt;
    return { kind: answer, seen: { recheckAt }, nextAt };
  }
  if (answer !== null && "limitedSeconds" in answer) {
    // Listeners can exhaust their own limit, so the check waits for its end.
    const waitMs = (answer.limitedSeconds ?? defaultLimitSeconds) * 1000;
    const nextAt = now + Math.min(maxLimitedMs, waitMs);
    return { kind: "limited", seen: { recheckAt: nextAt }, nextAt };
  }
  const { found, heardMs, positionMs } = measureProgress(listen, now, answer);
  const wasPlaying = found === "playing" || found === "ended" || found === "gone-on";
  const settled = wasPlaying || heardMs >= unlockMs(listen.requiredSeconds);
  const nextAt = settled ? null : momentWithin(remainingMs({ ...listen, heardMs }));
  const doubt = settled ? {} : { doubtedAt: now };
  const seen = { observedAt: now, heardMs, positionMs, recheckAt: nextAt, ...doubt };
  return { kind: found, seen, nextAt };
}
