/** A signal that aborts after `ms` milliseconds. Browsers before 2022 have no `AbortSignal.timeout`. */
export function timeLimit(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

/** Throws the signal's reason if it is aborted; browsers before 2022 give none, and throw nothing by themselves. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}
