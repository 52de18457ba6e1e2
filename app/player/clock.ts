/** Milliseconds until the next whole second of listening, so that the timer never skips one. */
export function msToNextSecond(heardMs: number): number {
  return 1000 - (Math.floor(heardMs) % 1000);
}

/**
 * A clock in milliseconds that never runs backwards and goes on while the device sleeps: of a
 * monotonic clock, which may stand still then, and the wall clock, which may be set back, it
 * follows the one that has moved on further since it was last read.
 */
export function createClock(monotonic: () => number, wall: () => number): () => number {
  let now = 0;
  let last = [monotonic(), wall()] as const;
  return () => {
    const read = [monotonic(), wall()] as const;
    now += Math.max(0, read[0] - last[0], read[1] - last[1]);
    last = read;
    return now;
  };
}
