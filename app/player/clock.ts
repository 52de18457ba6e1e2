/** Whole seconds as the player shows them: m:ss (spec section 9, "Time format"). */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The moment a song unlocks, in milliseconds of listening: required seconds plus one (spec section 9). */
export function unlockMs(requiredSeconds: number): number {
  return (requiredSeconds + 1) * 1000;
}

/** Milliseconds until the next whole second of listening, so that the timer never skips one. */
export function msToNextSecond(heardMs: number): number {
  return 1000 - (Math.floor(heardMs) % 1000);
}
