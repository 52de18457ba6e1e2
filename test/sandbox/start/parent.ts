/** How long it may take until it is noticed, in milliseconds. */
const checkEveryMs = 1_000;

/**
 * Calls back once the process that started this one has ended, and this one with its children has been
 * given to another parent. The wait keeps no process running.
 */
export function onParentGone(callback: () => unknown): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, checkEveryMs);
  timer.unref();
}
