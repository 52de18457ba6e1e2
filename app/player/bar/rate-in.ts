/**
 * The time left until a song can be rated, in words, for the bar and the song's own panel. At 0 the server is
 * being asked.
 */
export function rateIn(secondsLeft: number): string {
  return secondsLeft > 0 ? `Rate in ${secondsLeft} s` : "Checking...";
}
