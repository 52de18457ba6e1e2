import { type OpenListen, unlockTime } from "~/sources/listen";

/**
 * The seconds that are left of a listen of an own recording, zero once it was heard (rule 15): the server's clock
 * must say so, and the server must have delivered that much of the file without a gap. Nothing stands in for either.
 */
export function judgeDelivery(
  listen: Omit<OpenListen, "positionMs"> & { deliveredMs: number },
  now: number,
): number {
  const wait = unlockTime(listen, now) - now;
  const missing = listen.requiredSeconds * 1000 - listen.deliveredMs;
  return Math.max(0, Math.ceil(Math.max(wait, missing) / 1000));
}
