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
