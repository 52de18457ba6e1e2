/** The timer ticks at whole seconds, so that it shows each one. */
export function msToNextSecond(reachedMs: number): number {
  return 1000 - (Math.floor(reachedMs) % 1000);
}

/**
 * A clock that never runs backwards and keeps running while the device sleeps. The monotonic clock may stand
 * still during sleep, and the wall clock may be set back, so the one that has moved on further counts.
 */
export function createClock(monotonic: () => number, wall: () => number): () => number {
  let now = 0;
  let last = [monotonic(), wall()] as const;
  return () => {
    const reading = [monotonic(), wall()] as const;
    now += Math.max(0, reading[0] - last[0], reading[1] - last[1]);
    last = reading;
    return now;
  };
}
