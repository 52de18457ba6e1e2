/** A duration in seconds as m:ss. */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * The time left until a song can be rated, in words, for the bar and the song's own panel. At 0 the server is
 * being asked.
 */
export function rateIn(secondsLeft: number): string {
  return secondsLeft > 0 ? `Rate in ${secondsLeft} s` : "Checking...";
}
