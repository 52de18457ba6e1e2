/**
 * How far a listen has come, by what Spotify says at several moments: at spot checks, which the
 * listener cannot foresee, and at the end (rule 15).
 *
 * Between two moments a song is heard for as long as time has passed and no longer than its position
 * has moved on; skipping forward gains nothing, and a pause costs nothing. So whoever only starts or
 * moves the song shortly before the end is short of what a spot check did not see.
 */
import { isSameTrack, type Playback } from "~/adapters/spotify/spotify";

/** How far Spotify's progress may lag behind the clock while it starts and reports, in milliseconds. */
const progressToleranceMs = 1000;
/** How far into the next track playback may be if the song has just ended, in milliseconds. */
const justEndedMs = 3000;
/** How late a spot check may run before the listen no longer waits for it, in milliseconds. */
const recheckGraceMs = 5000;
/** How soon to ask again while a spot check is due, in milliseconds. */
const askAgainMs = 5000;
/** The longest time that a spot check waits for Spotify's limit at once, in milliseconds. */
const maxLimitedMs = 20_000;
/** How long a limit lasts that does not say so. */
const defaultLimitSeconds = 5;

/** An open listen and the song it is of. Times are epoch milliseconds of the server. */
export interface OpenListen {
  startedAt: number;
  requiredSeconds: number;
  /** The last moment that counts as seen; null if there was none since the start. */
  observedAt: number | null;
  /** What had been heard by then, and where the song stood. */
  heardMs: number;
  positionMs: number;
  /** When the next spot check is due, if the last one could not vouch for the listen. */
  recheckAt: number | null;
  trackId: string;
  isrc: string | null;
  durationMs: number;
}

/** After how many seconds of listening a song unlocks (rule 13). */
export function unlockSeconds(requiredSeconds: number): number {
  return requiredSeconds + 1;
}

/** The same in milliseconds. */
export function unlockMs(requiredSeconds: number): number {
  return unlockSeconds(requiredSeconds) * 1000;
}

/**
 * When it is worth asking whether a listen can be confirmed, in epoch milliseconds: after the required
 * time, after what the last spot check left of it, and not while another check is due. The listener is
 * told, and so it must not tell when a check is due, nor before the required time is over that there
 * was one: whoever knows can play the song for that moment alone.
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
  const heard = (observedAt ?? startedAt) + restMs(listen);
  const isCheckDue = recheckAt !== null && now < recheckAt + recheckGraceMs;
  return Math.max(first, heard, isCheckDue ? now + askAgainMs : 0);
}

/** What is left to be heard after the last spot check, in milliseconds. */
export function restMs(listen: Pick<OpenListen, "requiredSeconds" | "heardMs">): number {
  return unlockMs(listen.requiredSeconds) - listen.heardMs;
}

/**
 * Where Spotify stands with a listen's song.
 * - ended: the song is over, and the player shows its beginning
 * - gone-on: the song is over, and the player went on to the next track by itself
 */
export type Found = "playing" | "paused" | "ended" | "gone-on" | "wrong-song" | "nothing-playing";

/** What one look at Spotify shows of a listen, in milliseconds. */
export interface Look {
  found: Found;
  positionMs: number;
  /** All that can have been heard by now. */
  heardMs: number;
  /** The same without allowance for a player that lags. */
  surelyMs: number;
}

/**
 * What Spotify's answer says about a listen. Where the song is not on, nothing since the last look
 * counts.
 */
export function lookAt(listen: OpenListen, now: number, playback: Playback | null): Look {
  const passedMs = now - (listen.observedAt ?? listen.startedAt);
  const { found, positionMs } = whereIs(listen, passedMs, playback);
  const { heardMs } = listen;
  if (positionMs === null) {
    return { found, positionMs: listen.positionMs, heardMs, surelyMs: heardMs };
  }
  const heardWithin = (lagMs: number) => {
    const moved = positionMs - listen.positionMs;
    // Moved back: what plays now is heard again.
    const counted = moved < 0 ? passedMs : Math.min(passedMs, moved + lagMs);
    return Math.min(heardMs + counted, positionMs + lagMs);
  };
  return {
    found,
    positionMs,
    heardMs: heardWithin(progressToleranceMs),
    surelyMs: heardWithin(0),
  };
}

/** The position is null if the song is not on. */
function whereIs(
  listen: OpenListen,
  passedMs: number,
  playback: Playback | null,
): { found: Found; positionMs: number | null } {
  if (playback === null) return { found: "nothing-playing", positionMs: null };
  const { playing, progressMs } = playback;
  const { durationMs } = listen;
  const sinceEndMs = passedMs - (durationMs - listen.positionMs);
  if (!isSameTrack(playback, listen)) {
    const justEnded = sinceEndMs >= 0 && sinceEndMs <= justEndedMs && progressMs <= sinceEndMs;
    return justEnded
      ? { found: "gone-on", positionMs: durationMs }
      : { found: "wrong-song", positionMs: null };
  }
  // A player that has reached the end of a song shows its beginning. So does one that was paused and
  // put back to it, which is what counts where the listen has yet to be seen playing.
  if (!playing && progressMs === 0 && sinceEndMs >= 0 && listen.recheckAt === null) {
    return { found: "ended", positionMs: durationMs };
  }
  return { found: playing ? "playing" : "paused", positionMs: progressMs };
}

/**
 * Seconds until a spot check, drawn so that it falls between the first and the last tenth of what is
 * left to be heard.
 * @param random from 0 to 1.
 */
export function spotCheckDelay(restMs: number, random: number): number {
  return Math.max(1, Math.floor(((0.1 + 0.8 * random) * restMs) / 1000));
}

/** What a spot check writes to the listen. */
export type Observation = Pick<OpenListen, "observedAt" | "heardMs" | "positionMs" | "recheckAt">;

/**
 * What Spotify answers to a spot check: a playback, null if nothing plays, no answer, or that it limits
 * requests, with the seconds to wait if it says so.
 */
export type CheckAnswer = Playback | null | "unreachable" | { limitedSeconds: number | null };

export interface SpotCheck {
  /** For the log. */
  kind: Found | "unreachable" | "limited";
  seen: Partial<Observation> & { doubtedAt?: number };
  /** When another check is due; null where this one settles it. Epoch milliseconds. */
  nextAt: number | null;
}

/**
 * What a spot check leaves of a listen. If the song plays, or has been heard in full, that settles it.
 * If not, nothing is lost that can have been heard, but the listen has to be seen playing: another
 * check is due at a moment in what is left.
 * @param random from 0 to 1.
 */
export function spotCheck(
  listen: OpenListen,
  now: number,
  answer: CheckAnswer,
  random: number,
): SpotCheck {
  const within = (rest: number) => now + spotCheckDelay(rest, random) * 1000;
  if (answer === "unreachable") {
    // No listener can bring an outage about, so a listen does not wait for its end.
    const nextAt = within(restMs(listen));
    const recheckAt = listen.recheckAt === null ? null : nextAt;
    return { kind: answer, seen: { recheckAt }, nextAt };
  }
  if (answer !== null && "limitedSeconds" in answer) {
    // A limit is waited for: exhausting one's own would be a way around the check.
    const waitMs = (answer.limitedSeconds ?? defaultLimitSeconds) * 1000;
    const nextAt = now + Math.min(maxLimitedMs, waitMs);
    return { kind: "limited", seen: { recheckAt: nextAt }, nextAt };
  }
  const { found, heardMs, positionMs } = lookAt(listen, now, answer);
  const isOn = found === "playing" || found === "ended" || found === "gone-on";
  const settled = isOn || heardMs >= unlockMs(listen.requiredSeconds);
  const nextAt = settled ? null : within(restMs({ ...listen, heardMs }));
  const doubt = settled ? {} : { doubtedAt: now };
  const seen = { observedAt: now, heardMs, positionMs, recheckAt: nextAt, ...doubt };
  return { kind: found, seen, nextAt };
}
