/**
 * The clock of the tests inside workerd. The machine's may be set, and runs on while a test waits for a
 * processor. This one moves on by a millisecond with each reading, and with each timer that runs out to
 * the time for which it was set.
 */
const { now: machineTime } = Date;
const { setTimeout: machineTimer } = globalThis;

/** Timers up to this are waits between attempts; longer ones are time limits. */
const longestWaitMs = 5000;
/** Skipped waits take this fraction of their time, so that shorter ones still end first. */
const fraction = 1 / 100;

let time = machineTime();
let isSkipping = false;

/**
 * Puts the clock in place of the machine's. Time limits never run out: on a busy machine they would end
 * what is only slow, and what hangs ends with its test.
 */
export function installClock(): void {
  Date.now = () => {
    time += 1;
    return time;
  };
  AbortSignal.timeout = () => new AbortController().signal;
  globalThis.setTimeout = ((work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    if (ms > longestWaitMs) return null;
    const due = time + ms;
    const run = () => {
      time = Math.max(time, due);
      work(...given);
    };
    return machineTimer(run, isSkipping ? ms * fraction : ms);
  }) as typeof setTimeout;
}

/** Sets the clock to the time of the stand-ins, and lets timers take their time. */
export function resetClock(): void {
  time = machineTime();
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
