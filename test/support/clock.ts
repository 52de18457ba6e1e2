/**
 * The clock of the tests inside workerd. The machine's may be set, stand still or run while a test
 * waits for a processor. This one moves on by a millisecond with each reading, and with each timer that
 * runs out to the time for which it was set.
 */
const { now: machineTime } = Date;
const { setTimeout: machineTimer } = globalThis;

/** Timers up to this are waits between attempts; longer ones are time limits, and never skipped. */
const longestWaitMs = 5000;
/** Skipped waits take this fraction of their time, so that shorter ones still end first. */
const fraction = 1 / 50;

let time = machineTime();
let isSkipping = false;

/** Puts the clock in place of `Date.now`. */
export function installClock(): void {
  Date.now = () => {
    time += 1;
    return time;
  };
  globalThis.setTimeout = ((work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const due = time + ms;
    const lasts = isSkipping && ms <= longestWaitMs ? ms * fraction : ms;
    return machineTimer(() => {
      time = Math.max(time, due);
      work(...given);
    }, lasts);
  }) as typeof setTimeout;
}

/**
 * Begins a test: sets the clock to the time of the stand-ins, unless that is in its past, and lets timers
 * take their time.
 */
export function resetClock(): void {
  time = Math.max(time, machineTime());
  isSkipping = false;
}

/** Sets the clock forward, as if a test had waited. */
export function passTime(ms: number): void {
  time += ms;
}

/** Lets the waits between attempts pass at once until the test ends. The clock moves on all the same. */
export function skipWaits(): void {
  isSkipping = true;
}
