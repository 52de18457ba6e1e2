/**
 * Progress of a listen, from Spotify's answers at several moments: at spot checks, which the listener cannot
 * foresee, and at the end (rule 15).
 *
 * Between two moments counts the time that has passed, but no more than the position has moved on: skipping
 * forward gains nothing, and a pause costs nothing. So somebody who only starts or moves the song shortly
 * before the end lacks the time for which a spot check found it silent.
 */
import { isSameTrack, type Playback } from "~/spotify/spotify";

/** Lag that Spotify's position may have behind the clock while it starts and reports, in milliseconds. */
const progressToleranceMs = 1000;
/** How long before the listen a song may have begun to play: Spotify's answer was on its way. */
const startedBeforeMs = 1000;
/** Time after its end for which a song has just ended, in milliseconds. */
const justEndedMs = 3000;
/** How long before a song's end a crossfade starts the next track: twelve seconds, and a second of lag. */
const maxCrossfadeMs = 13_000;
/** Delay of a spot check after which a listen no longer waits for it, in milliseconds. */
const recheckGraceMs = 5000;
/** Time after which it is worth asking again while a spot check is due, in milliseconds. */
const askAgainMs = 5000;
/** The longest time that a spot check waits for Spotify's limit at once, in milliseconds. */
const maxLimitedMs = 20_000;
/** Length of a limit that does not name it, in seconds. */
const defaultLimitSeconds = 5;

/** An open listen with its song. Times are epoch milliseconds of the server. */
export interface OpenListen {
  startedAt: number;
  requiredSeconds: number;
  /** The last moment at which Spotify was asked; null if it was not since the start. */
  observedAt: number | null;
  /** Time heard by then, and the position in the song. */
  heardMs: number;
  positionMs: number;
  /** When the next spot check is due, if the last one did not settle the listen; else null. */
  recheckAt: number | null;
  trackId: string;
  isrc: string | null;
  durationMs: number;
}

/** Seconds of listening after which a song unlocks (rule 13). */
export function unlockSeconds(requiredSeconds: number): number {
  return requiredSeconds + 1;
}

/** Milliseconds of listening after which a song unlocks. */
export function unlockMs(requiredSeconds: number): number {
  return unlockSeconds(requiredSeconds) * 1000;
}

/**
 * The earliest time at which a listen may be confirmed, in epoch milliseconds: after the required time, after
 * what the last spot check left of it, and not while another check is due. The listener sees this time. It
 * must not give away when a check is due, nor, before the required time is over, that there was one: with
 * that, somebody could play the song for the check alone.
 */
export function unlockTime(
  listen: Pick<
    OpenListen,
    "startedAt" | "requiredSeconds" | "observedAt" | "heardMs" | "recheckAt"
  >,
  now: number,
): number {
  const { startedAt, requiredSeconds, observedAt, recheckAt } = listen;
  const first = startedAt + unlockMs(requiredSeconds);
  if (now < first) return first;
  const heard = (observedAt ?? startedAt) + remainingMs(listen);
  const isCheckDue = recheckAt !== null && now < recheckAt + recheckGraceMs;
  return Math.max(first, heard, isCheckDue ? now + askAgainMs : 0);
}

/**
 * The longest time before a song's end at which another track has followed it, in milliseconds: Spotify's
 * longest crossfade. Of a short song as much has to play before, so that nobody skips it.
 */
export function crossfadeMs(durationMs: number): number {
  return Math.max(0, Math.min(maxCrossfadeMs, durationMs - maxCrossfadeMs));
}

/** Time left to be heard after the last spot check, in milliseconds. */
export function remainingMs(listen: Pick<OpenListen, "requiredSeconds" | "heardMs">): number {
  return unlockMs(listen.requiredSeconds) - listen.heardMs;
}

/**
 * State of a listen's song at Spotify.
 * - ended: the song is over, and the player shows its beginning
 * - gone-on: the song is over or fades out, and the player went on to the next track by itself
 * - wrong-song: another track is on, which Spotify names
 * - unknown: Spotify does not tell what plays
 */
export type Found = "playing" | "paused" | "ended" | "gone-on" | "wrong-song" | "unknown";

/** Progress of a listen by one answer of Spotify's, in milliseconds. */
export interface Progress {
  found: Found;
  positionMs: number;
  /** Spotify names the song's position, or its end. */
  isPlaced: boolean;
  /** The most that can have been heard by now. */
  heardMs: number;
  /** The same without allowance for a player that lags. */
  surelyHeardMs: number;
}

/**
 * Measures a listen's progress by Spotify's answer. Where the song is not on, nothing since the last answer
 * counts.
 */
export function measureProgress(
  listen: OpenListen,
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

/** Finds the song in Spotify's answer. The position is null if the song is not on. */
function locateSong(
  listen: OpenListen,
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
  // A player at the end of a song shows its beginning. So does one that was paused and put back there, which
  // is assumed where the last spot check found the song silent.
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

/**
 * Seconds until a spot check, drawn so that it falls between the first and the last tenth of what is
 * left to be heard.
 * @param random from 0 to 1.
 */
export function spotCheckDelay(leftMs: number, random: number): number {
  return Math.max(1, Math.floor(((0.1 + 0.8 * random) * leftMs) / 1000));
}

/** The columns of a listen that a spot check writes. */
export type Observation = Pick<OpenListen, "observedAt" | "heardMs" | "positionMs" | "recheckAt">;

/**
 * Spotify's answer to a spot check: a playback, null if it does not tell what plays, "unreachable" without an
 * answer, or that it limits requests, with the seconds to wait if it names them.
 */
export type CheckAnswer = Playback | null | "unreachable" | { limitedSeconds: number | null };

export interface SpotCheck {
  /** For the log. */
  kind: Found | "unreachable" | "limited";
  seen: Partial<Observation> & { doubtedAt?: number };
  /** When another check is due, in epoch milliseconds; null where this one settles it. */
  nextAt: number | null;
}

/**
 * Evaluates a spot check. It settles the listen if the song plays or has been heard in full. Otherwise the
 * time heard so far still counts, but the song has to be found playing: another check is due at a moment in
 * the time left.
 * @param random from 0 to 1.
 */
export function spotCheck(
  listen: OpenListen,
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
