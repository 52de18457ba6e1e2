/**
 * How long a song must still be heard until it can be rated, as the bar and the song's own panel say
 * it; at 0 the server is being asked.
 */
export function rateIn(secondsLeft: number): string {
  return secondsLeft > 0 ? `Rate in ${secondsLeft} s` : "Checking...";
}
