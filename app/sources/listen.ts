/** What is known of a listen whatever its song's source: when it may be confirmed, and on what grounds. */

export interface OpenListen {
  startedAt: number;
  requiredSeconds: number;
  observedAt: number | null;
  heardMs: number;
  positionMs: number;
  /** When the next spot check is due, if the last one did not settle the listen. */
  recheckAt: number | null;
}

/** What a player says that it plays. */
export interface Playback {
  playing: boolean;
  progressMs: number | null;
  /** At least one: the track's own and, where it was relinked, the one asked for. */
  trackIds: string[];
  isrc: string | null;
}

export type Evidence = "spotify" | "clock" | "delivery";

export const earlyText = "You have not listened long enough yet.";

/** Delay of a spot check after which a listen no longer waits for it. */
const recheckGraceMs = 5000;
const askAgainMs = 5000;

export function unlockSeconds(requiredSeconds: number): number {
  return requiredSeconds + 1;
}

export function unlockMs(requiredSeconds: number): number {
  return unlockSeconds(requiredSeconds) * 1000;
}

/**
 * The earliest time at which a listen may be confirmed. Sent to the browser, so it must not reveal when a
 * spot check runs or ran: a cheater would play only then.
 */
export function unlockTime(listen: Omit<OpenListen, "positionMs">, now: number): number {
  const { startedAt, requiredSeconds, observedAt, recheckAt } = listen;
  const first = startedAt + unlockMs(requiredSeconds);
  if (now < first) return first;
  const heard = (observedAt ?? startedAt) + remainingMs(listen);
  const isCheckDue = recheckAt !== null && now < recheckAt + recheckGraceMs;
  return Math.max(first, heard, isCheckDue ? now + askAgainMs : 0);
}

export function remainingMs(listen: Pick<OpenListen, "requiredSeconds" | "heardMs">): number {
  return unlockMs(listen.requiredSeconds) - listen.heardMs;
}

/** How long before a song's end a crossfade starts the next track: twelve seconds, and one of lag. */
const maxCrossfadeMs = 13_000;

/** Of a short song as much has to play before the crossfade, so that nobody skips it (rule 15, proof of hearing). */
export function crossfadeMs(durationMs: number): number {
  return Math.max(0, Math.min(maxCrossfadeMs, durationMs - maxCrossfadeMs));
}

/** How far ahead of its listener an own recording is delivered. */
export const aheadMs = 10_000;
/** Tenths of a millisecond of sound for each millisecond that passes. */
export const tenths = 11;

/**
 * The song's position that a listener has reached who has been delivered this much and played all the while. The
 * rest was ahead of them.
 */
export function positionOf(deliveredMs: number): number {
  return Math.max(0, Math.floor(((deliveredMs - aheadMs) * 10) / tenths));
}
