/**
 * The clock of the tests inside workerd, because the machine's runs on while a test waits for a processor. Each
 * reading moves it on by a millisecond, and each timer that runs out to its time.
 */
const { now: machineTime } = Date;
const { setTimeout: machineTimer } = globalThis;

/** Timers up to this are waits between attempts; longer ones are time limits. */
const longestWaitMs = 5000;
/** Skipped waits take this fraction of their time, so that shorter ones still end first. */
const fraction = 1 / 100;

let time = machineTime();
let isSkipping = false;

/** Time limits never run out, because on a busy machine they would end what is only slow. */
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

export function resetClock(): void {
  time = machineTime();
  isSkipping = false;
}

export function passTime(ms: number): void {
  time += ms;
}

/** Lets the waits between attempts pass at once. The clock moves on all the same. */
export function skipWaits(): void {
  isSkipping = true;
}
